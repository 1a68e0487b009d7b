import { join } from 'node:path'

/** The variable that names the Unix socket on which a server with `record.ts` answers. */
const socketVariable = 'EXECUTED_FILES_SOCKET'

/** Finds which source files of ours a running server executes. */
export interface ExecutedFiles {
  /** What to start the server with. */
  readonly environment: Record<string, string>
  /**
   * Returns the files of which at least one function ran at every repetition of `act`, in the order of the last one.
   * What timers run meanwhile is left out, because it does not run each time.
   */
  during(act: () => Promise<unknown>): Promise<string[]>
}

const repetitions = 12

/** `folder` gets the socket, whose path must be short. */
export function executedFiles(folder: string): ExecutedFiles {
  const unix = join(folder, 'executed-files.sock')
  const take = async () => (await (await fetch('http://localhost/', { unix })).json()) as string[]

  async function runOnce(act: () => Promise<unknown>): Promise<string[]> {
    await take()
    await act()
    return take()
  }

  return {
    environment: {
      BUN_OPTIONS: '--preload=./scripts/world/executed-files/record.ts',
      [socketVariable]: unix,
    },
    async during(act) {
      // The first run fills caches, as a server that has run for a while has them filled.
      await runOnce(act)
      let common = await runOnce(act)
      for (let turn = 1; turn < repetitions; turn += 1) {
        const paths = await runOnce(act)
        common = paths.filter((path) => common.includes(path))
      }
      return common
    },
  }
}
