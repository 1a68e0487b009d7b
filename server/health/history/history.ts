import type { Decision } from '../../../shared/health.ts'
import type { HistoryRange } from '../../../shared/health-details.ts'
import type { Deciding } from '../../platform/leases/deciding.ts'
import type { Database } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import { createJournal } from './journal.ts'
import { createHistoryMaintenance } from './rollup-job.ts'
import { createLossReport } from './losses.ts'
import type { CountLost } from './losses.ts'
import { readHistory } from './read-history.ts'
import { readPeriods } from './read-periods.ts'
import { readRecentHistories } from './read-recent-histories.ts'
import { type GroupedServices, readWorstHours } from './read-worst-hours.ts'
import { createRecentStore } from './recent-store.ts'
import { createRecorder, recordWhileDeciding } from './recorder.ts'
import { createHistoryStore } from './store.ts'
import type { DecisionListener, SavedHealth } from './store.ts'
import type { VoteEvidence } from './transition.ts'
import type { UptimeSpan } from './uptime.ts'

const refreshEveryMs = 5_000
const rollupEveryMs = 60_000
const retention = { fiveMinutesDays: 7, hoursDays: 400, transitionsDays: 400 } as const

/** A change of a service's decision: the previous one, the reason, and the votes. */
export interface DecidedNow {
  readonly previous: Decision
  readonly reason: string
  readonly votes: VoteEvidence[]
}

export interface HistoryOptions {
  readonly database: Database
  readonly clock: SteadyClock
  readonly log: Log
  readonly countLost: CountLost
  readonly deciding: Deciding
  /** Is told of each change of a decision; null: nobody is. */
  readonly listener?: DecisionListener | null | undefined
}

export type History = ReturnType<typeof createHistory>

/** Creates the history: transitions with their evidence, incidents, uptime, rollups, and the state that a restart restores. */
export function createHistory(options: HistoryOptions) {
  const { database, clock, log, countLost, deciding, listener } = options
  const store = createHistoryStore(database, deciding.transaction, listener)
  const recentStore = createRecentStore(database)
  const lost = createLossReport(clock, log, countLost)
  const recorder = recordWhileDeciding(
    createRecorder((rows) => lost('rollup', rows)),
    deciding,
  )
  const journal = createJournal({
    store,
    recorder,
    now: clock.now,
    log,
    refreshEveryMs,
    rollupEveryMs,
    lost: (rows) => lost('transition', rows),
  })
  const maintenanceJob = createHistoryMaintenance({
    database,
    clock,
    log,
    retention,
    isDue: deciding.isDeciding,
  })

  return {
    /** Collects measurements and time in states until the next flush. */
    recorder,

    /** Stores changed numbers and timers with the next flush. */
    refresh: (health: SavedHealth) => journal.refresh(health),

    /** Stores a changed decision at once. */
    changed(health: SavedHealth, { previous, reason, votes }: DecidedNow) {
      const { serviceId, evaluatedAt: at, published: to } = health
      journal.transition({ serviceId, at, from: previous, to, reason, votes }, health)
    },

    /** Stores at once that an unchanged decision has another cause since an instant: a transition to itself. */
    reasonChanged(health: SavedHealth, { at, votes }: { at: number; votes: VoteEvidence[] }) {
      const { serviceId, published: to, cause } = health
      journal.transition({ serviceId, at, from: to, to, reason: cause?.reason ?? '', votes }, health)
    },

    /** Resolves to a service's history. Throws the fault `unavailable` while the database is away. */
    read: (serviceId: string, range: HistoryRange, isBefore = false) =>
      readHistory(store, serviceId, range, clock.now(), isBefore),

    /** Resolves to the last day of services, with their uptime or by groups. Fault: `unavailable` while the database is away. */
    readRecent: (serviceIds: readonly string[]) => readRecentHistories(recentStore, serviceIds, clock.now()),
    readWorstHours: (services: GroupedServices) => readWorstHours(recentStore, services, clock.now()),

    /** Resolves to when decisions of services changed. Throws the fault `unavailable` while the database is away. */
    changesSince: recentStore.changesSince,

    /** Resolves to what services were in spans of time. Throws the fault `unavailable` while the database is away. */
    readPeriods: (serviceIds: readonly string[], spans: readonly UptimeSpan[]) =>
      readPeriods(recentStore, serviceIds, spans, clock.now()),

    /** Resolves to what was published last for every service that ever existed. */
    lastHealths: store.loadHealths,

    /** Discards what waits to be stored, because another process writes history by now. */
    abandon: journal.abandon,

    /** Discards what waits to be stored of a service. */
    async discard(serviceId: string) {
      recorder.forget(serviceId)
      await journal.forget(serviceId)
    },

    /** Deletes what is stored of a service. */
    forget: (serviceId: string) => store.forget(serviceId),

    /** Creates partitions before anything is recorded. */
    prepare: () => maintenanceJob.run(),

    start() {
      journal.start()
      maintenanceJob.start()
    },

    /** Stops the timers and stores what is in memory. */
    async stop() {
      void maintenanceJob.stop() // a run may take a minute, and the next start does all of it again
      await journal.stop()
    },
  }
}
