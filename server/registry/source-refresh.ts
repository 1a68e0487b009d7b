import type { RegistrySection } from '../../shared/registry.ts'
import type { Clock } from '../platform/clock.ts'
import type { EgressFetch } from '../platform/egress.ts'
import type { Log } from '../platform/log.ts'
import { createSerialRuns } from '../platform/serial-runs.ts'
import { UnusableSnapshot } from './read/limits.ts'
import { readSource } from './sources/read-source.ts'
import type { SnapshotFile } from './snapshot.ts'
import type { RegistryStore } from './store.ts'
import { hourMs } from '../../shared/durations.ts'

interface SourceRefreshOptions {
  readonly store: RegistryStore
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  readonly fetch: EgressFetch
  readonly section: () => RegistrySection
  /** Imports files whose version is not `unless`, and returns their version. Throws `UnusableSnapshot`. */
  readonly importFiles: (
    source: string,
    files: readonly SnapshotFile[],
    unless: string | null,
  ) => Promise<string>
}

const pollEveryMs = 15_000
const retryMs = 5 * 60_000

/**
 * Checks the source that the configuration file names at its interval, and imports what is new there. Processes share
 * the schedule through the database, so each check is made by one of them.
 */
export function createSourceRefresh({
  store,
  clock,
  log,
  fetch,
  section,
  importFiles,
}: SourceRefreshOptions) {
  let timer: Timer | undefined
  /** The source that this process has told the others of. */
  let named: string | undefined

  async function refresh(source: string, refreshHours: number): Promise<void> {
    if (source !== named) await store.nameSource(source, clock.now())
    named = source
    const before = await store.check(source)
    const now = clock.now()
    const nextCheckAt = now + refreshHours * hourMs
    const retryAt = now + retryMs
    // The clocks of processes differ a little, which alone makes no check due.
    if (!(await store.claimCheck(source, now, retryAt, nextCheckAt + retryMs))) return
    const known = { etag: before?.etag ?? null, version: before?.version ?? null }
    try {
      const reading = await readSource(source, fetch, known.etag)
      if (reading.kind === 'unchanged') {
        await store.saveCheck(source, { ...known, nextCheckAt, problem: null })
        return
      }
      const version = await importFiles(source, reading.files, known.version)
      await store.saveCheck(source, { etag: reading.etag, version, nextCheckAt, problem: null })
    } catch (error) {
      if (!(error instanceof UnusableSnapshot)) throw error
      log.warn('the registry could not be refreshed; the previous one stays active', {
        source,
        problem: error.message,
      })
      await store.saveCheck(source, { ...known, nextCheckAt: retryAt, problem: error.message })
    }
  }

  async function refreshIfDue(): Promise<void> {
    const { source, refreshHours } = section()
    if (source === undefined) return
    try {
      await refresh(source, refreshHours)
    } catch (error) {
      log.warn('the source of the registry could not be checked', { source, error })
    }
  }

  const runs = createSerialRuns(refreshIfDue)

  return {
    /** Resolves when this refresh has ended; failures are logged. */
    refresh: runs.run,
    /** Refreshes even if no check is due. */
    async refreshAtOnce(): Promise<void> {
      const { source } = section()
      if (source !== undefined) await store.makeDue(source, clock.now())
      await runs.run()
    },
    start() {
      timer = setInterval(() => void runs.runUnlessRunning(), pollEveryMs)
    },
    async stop() {
      clearInterval(timer)
      await runs.settled()
    },
  }
}
