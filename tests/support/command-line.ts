import { expect } from 'bun:test'

import { commandOf } from '../../scripts/world/product-programs.ts'
import { projectDir } from '../../scripts/world/program.ts'

export interface Ended {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** The operator's command line for one data folder; every call is a process of its own. */
export interface CommandLine {
  run(args: readonly string[], environment?: Record<string, string>): Promise<Ended>
  /** The JSON that a command prints which succeeds. */
  answerOf<T = Record<string, unknown>>(...args: string[]): Promise<T>
  /** What a command says that fails. */
  refusalOf(...args: string[]): Promise<string>
}

const program = commandOf('server/command-line/main.ts')

export function commandLineOf(dataDir: string): CommandLine {
  async function run(args: readonly string[], environment: Record<string, string> = {}): Promise<Ended> {
    const child = Bun.spawn([...program, ...args], {
      cwd: projectDir,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, GATEHOUSE_DATA_DIR: dataDir, ...environment },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      timeout: 30_000,
    })
    const [stdout, stderr, exitCode] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    return { exitCode, stdout, stderr }
  }

  return {
    run,
    async answerOf(...args) {
      const { exitCode, stdout, stderr } = await run([...args, '--json'])
      expect([exitCode, stderr]).toEqual([0, ''])
      return JSON.parse(stdout)
    },
    async refusalOf(...args) {
      const { exitCode, stdout, stderr } = await run(args)
      expect([exitCode, stdout]).toEqual([1, ''])
      return stderr
    },
  }
}
