import { readFileSync } from 'node:fs'

import { createTestInstallation, type GatehouseProcess, type TestInstallation } from './gatehouse-process.ts'
import { descendants } from './process-tree.ts'
import { waitUntil } from './wait-until.ts'

/** A supervisor and its workers. */
export interface WorkersUnderTest extends TestInstallation {
  /** Starts them, and resolves when all serve. */
  startAll(environment?: Record<string, string>): Promise<GatehouseProcess>
}

export async function createWorkers(count: number | 'auto', file: object): Promise<WorkersUnderTest> {
  const installation = await createTestInstallation(file)
  const setting = { GATEHOUSE_WORKERS: String(count) }
  return {
    ...installation,
    launch: (environment) => installation.launch({ ...setting, ...environment }),
    start: (environment) => installation.start({ ...setting, ...environment }),
    async startAll(environment) {
      const server = await installation.start({ ...setting, ...environment })
      await untilGreeting(server)
      return server
    },
  }
}

const untilGreeting = (server: GatehouseProcess): Promise<void> =>
  waitUntil('it greets', () => server.output().includes('Ctrl-C stops it'), 60_000)

/** The processes that serve, by their program. */
export const workerPids = (supervisor: number): number[] =>
  descendants(supervisor).filter((pid) => commandOf(pid).includes('/workers/worker.'))

/** Nothing for a process that has just gone. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
