import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { bundlePrograms } from '../release/programs.ts'
import { projectDir } from './program.ts'
import { sharedVariables } from './shared-variables.ts'

export type ProductProgram = 'server/main.ts' | 'server/command-line/main.ts' | 'server/verifier/main.ts'

/** The programs for one run of the tests: bundled as for releases, those that are started most compiled as well. */
export interface BundledPrograms {
  readonly folder: string
  remove(): void
}

/** Those that the tests start a thousand times. */
const mostStarted: readonly ProductProgram[] = ['server/main.ts', 'server/command-line/main.ts']

/** Making them takes some seconds, and saves each start half a second of a processor and more. */
export async function bundleForTests(): Promise<BundledPrograms> {
  // Below the folder of the product, where the programs find its other files and its packages.
  const parent = join(projectDir, 'node_modules/.cache')
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(join(parent, 'gatehouse-programs-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    await bundlePrograms(folder)
    await compileMostStarted(folder)
    return { folder, remove }
  } catch (error) {
    remove()
    throw error
  }
}

/**
 * Puts programs that are compiled beforehand in place of bundled ones: they start in two thirds of the time. Each holds all that
 * it uses, in four times the room, and finds the files of the product where they lay when it was compiled: not for releases. Bun
 * compiles CommonJS only, so these programs may not wait at the top of a module.
 */
async function compileMostStarted(folder: string): Promise<void> {
  const entrypoints = [...mostStarted]
  await Bun.build({ entrypoints, root: '.', outdir: folder, target: 'bun', format: 'cjs', bytecode: true })
}

/** What starts a program as the scripts of `package.json` do; `exec` makes the pid that of the program. */
export const sourceCommand = (program: ProductProgram): string[] => ['sh', 'scripts/bun.sh', program]

/** What starts a program: its bundle within a run of the tests, its source otherwise. */
export function commandOf(program: ProductProgram): string[] {
  const folder = process.env[sharedVariables.programs] ?? ''
  if (folder === '') return sourceCommand(program)
  return ['sh', 'scripts/bun.sh', join(folder, program.replace(/\.ts$/, '.js'))]
}
