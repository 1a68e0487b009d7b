import type { RegistrySection } from '../../shared/registry.ts'
import type { Clock } from '../platform/clock.ts'
import type { EgressFetch } from '../platform/egress.ts'
import type { Log } from '../platform/log.ts'
import { UnusableSnapshot } from './read/limits.ts'
import { readSource } from './sources/read-source.ts'
import type { SnapshotFile } from './snapshot.ts'
import type { RegistryStore } from './store.ts'

interface RefreshOptions {
  readonly store: RegistryStore
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  readonly fetch: EgressFetch
  readonly section: () => RegistrySection
  /** Imports them, unless they are of that version already; tells their version. Throws `UnusableSnapshot`. */
  readonly importFiles: (
    source: string,
    files: readonly SnapshotFile[],
    unless: string | null,
  ) => Promise<string>
}

const lookEveryMs = 15_000
const retryMs = 5 * 60_000
const hourMs = 3_600_000

/** Looks at the file's source now and then, and imports what is new there. One process does it for all. */
export function createRefresh({ store, clock, log, fetch, section, importFiles }: RefreshOptions) {
  let timer: Timer | undefined
  let waiting = 0
  let last: Promise<void> = Promise.resolve()

  async function refresh(source: string, refreshHours: number): Promise<void> {
    const before = await store.check(source)
    const now = clock.now()
    if (!(await store.claimCheck(source, now, now + retryMs))) return
    const known = { etag: before?.etag ?? null, version: before?.version ?? null }
    const nextCheckAt = now + refreshHours * hourMs
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
      log.warn('the registry could not be refreshed; the last good one stays', {
        source,
        problem: error.message,
      })
      await store.saveCheck(source, { ...known, nextCheckAt: now + retryMs, problem: error.message })
    }
  }

  async function look(): Promise<void> {
    const { source, refreshHours } = section()
    if (source === undefined) return
    try {
      await refresh(source, refreshHours)
    } catch (error) {
      log.warn('the source of the registry could not be looked at', { source, error })
    }
  }

  /** One after the other. */
  function lookNow(): Promise<void> {
    waiting++
    const mine = last.then(look).finally(() => void waiting--)
    last = mine
    return mine
  }

  return {
    lookNow,
    /** Even if it is not due. */
    async lookAtOnce(): Promise<void> {
      const { source } = section()
      if (source !== undefined) await store.makeDue(source, clock.now())
      await lookNow()
    },
    start() {
      timer = setInterval(() => {
        if (waiting === 0) void lookNow()
      }, lookEveryMs)
    },
    async stop() {
      clearInterval(timer)
      await last
    },
  }
}
