import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { bundlePrograms } from '../release/programs.ts'
import { projectDir } from './program.ts'
import { sharedVariables } from './shared-variables.ts'

export type ProductProgram = 'server/main.ts' | 'server/command-line/main.ts' | 'server/verifier/main.ts'

/** The programs as releases have them, for one run of the tests. */
export interface BundledPrograms {
  readonly folder: string
  remove(): void
}

/** A bundle is made in a second, and saves each of a thousand starts half a second of a processor. */
export async function bundleForTests(): Promise<BundledPrograms> {
  // Below the folder of the product, where the programs find its other files and its packages.
  const parent = join(projectDir, 'node_modules/.cache')
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(join(parent, 'gatehouse-programs-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    await bundlePrograms(folder)
    return { folder, remove }
  } catch (error) {
    remove()
    throw error
  }
}

/** What starts a program as the scripts of `package.json` do; `exec` makes the pid that of the program. */
export const sourceCommand = (program: ProductProgram): string[] => ['sh', 'scripts/bun.sh', program]

/** What starts a program: its bundle within a run of the tests, its source otherwise. */
export function commandOf(program: ProductProgram): string[] {
  const folder = process.env[sharedVariables.programs] ?? ''
  if (folder === '') return sourceCommand(program)
  return ['sh', 'scripts/bun.sh', join(folder, program.replace(/\.ts$/, '.js'))]
}
