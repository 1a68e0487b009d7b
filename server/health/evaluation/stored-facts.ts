import type { Database } from '../../platform/database.ts'
import type { Deciding } from '../../platform/leases/deciding.ts'
import type { Log } from '../../platform/log.ts'
import { createPeriodicJob } from '../../platform/periodic-job.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import { nextTurn } from '../../platform/turns.ts'
import { createFactsStore } from './facts-store.ts'
import { type KnownFacts, type ReportedFacts, createReportedFacts, factsKeptMs } from './facts.ts'

/** Facts that are stored behind the back of every report, so that a restarted server has them with their age. */
export interface StoredFacts extends Omit<ReportedFacts, 'restore' | 'takeReported'> {
  /** Deletes from the database what a verifier said that was revoked. */
  deleteDistrusted(verifierId: string): Promise<void>
  /** Restores what is not too old: once, before `start`. */
  load(): Promise<void>
  /** Deletes what is stored of a removed service. */
  remove(serviceId: string): Promise<void>
  start(): void
  /** Stores what is new a last time. */
  stop(): Promise<void>
}

interface StoredFactsOptions {
  readonly database: Database
  readonly clock: SteadyClock
  readonly log: Log
  /** Whether this process stores what verifiers report, for all. */
  readonly deciding: Pick<Deciding, 'isDeciding' | 'transaction'>
}

const everyMs = 60_000
/** Facts that are repeated unchanged are stored again after this time (ms), for their age. */
const renewMs = 600_000
/** Serializing more rows at once would block the event loop for more than a few ms. */
const rowsAtOnce = 200

export function createStoredFacts({ database, clock, log, deciding }: StoredFactsOptions): StoredFacts {
  const { restore, takeReported, ...facts } = createReportedFacts()
  const store = createFactsStore(database, deciding.transaction)
  /** What is in the database, in short. */
  const stored = new Map<string, { readonly text: string; readonly at: number }>()

  function isWorthStoring(serviceId: string, known: KnownFacts): boolean {
    const last = stored.get(serviceId)
    return last === undefined || known.at - last.at >= renewMs || last.text !== textOf(known)
  }

  async function save(): Promise<void> {
    if (!deciding.isDeciding()) return
    const now = clock.now()
    const rows = takeReported(now).filter(([id, known]) => isWorthStoring(id, known))
    for (let from = 0; from < rows.length; from += rowsAtOnce) {
      const part = rows.slice(from, from + rowsAtOnce)
      await store.save(part)
      for (const [id, known] of part) stored.set(id, { text: textOf(known), at: known.at })
      await nextTurn()
    }
    if (rows.length > 0) await store.deleteBefore(now - factsKeptMs)
  }

  // What could not be stored comes again with the next reports.
  const logFailure = (error: unknown): void => log.warn('facts of services are not stored', { error })
  const saving = createPeriodicJob(everyMs, save, logFailure)

  return {
    ...facts,
    distrust(verifierId) {
      facts.distrust(verifierId)
      stored.clear() // others may have said the same: what they repeat is stored again
    },
    deleteDistrusted: (verifierId) => store.forgetVerifier(verifierId).catch(logFailure),
    async load() {
      for (const [id, known] of await store.load(clock.now() - factsKeptMs)) {
        restore(id, known)
        stored.set(id, { text: textOf(known), at: known.at })
      }
    },
    async remove(serviceId) {
      stored.delete(serviceId)
      await store.forgetService(serviceId)
    },
    start: saving.start,
    async stop() {
      await saving.stop()
      await saving.run().catch(logFailure)
    },
  }
}

const textOf = ({ facts, verifierIds, address }: KnownFacts): string =>
  JSON.stringify([facts, verifierIds.toSorted(), address])
