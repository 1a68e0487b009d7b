import type { Chain } from '../../../shared/chains.ts'
import type { Log } from '../../platform/log.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import { createObservationTable } from './observation-table.ts'
import { initial } from '../decide/state-machine.ts'
import type { HealthState } from '../decide/state-machine.ts'
import { createChainViews } from './chain-view.ts'
import { createCauses } from './causes.ts'
import { createEvaluator } from './evaluator.ts'
import { createEvaluationReaders } from './read-evaluation.ts'
import type { ReportedFacts } from './facts.ts'
import type { HealthMetrics } from '../metrics.ts'
import type { History } from '../history/history.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { SavedHealth } from '../history/store.ts'
import { createIngest } from './ingest.ts'
import { createRecordEvaluation } from './record-evaluation.ts'
import { createPublishedDecisions } from './published-decisions.ts'
import type { Catalogue, ListedService } from '../services/catalogue.ts'
import type { ActiveVerifiers } from '../verifiers/active-verifiers.ts'
import { createEjections } from '../verifiers/ejections.ts'

export interface EvaluationOptions {
  readonly catalogue: Catalogue
  readonly activeVerifiers: ActiveVerifiers
  readonly history: History
  readonly metrics: HealthMetrics
  readonly findChain: (key: string) => Chain | undefined
  readonly facts: Pick<ReportedFacts, 'put' | 'of' | 'addressSince' | 'forgetService' | 'forgetVerifier'>
  readonly clock: SteadyClock
  readonly log: Log
  /** Says whether this process decides, and is told of its decisions. */
  readonly fleet: Pick<Fleet, 'isDeciding' | 'decided'>
}

const ejectionRoundMs = 10_000

export type Evaluation = ReturnType<typeof createEvaluation>

/** Evaluates services: turns the observations that verifiers report into published decisions and history. */
export function createEvaluation(options: EvaluationOptions) {
  const { catalogue, activeVerifiers, history, metrics, findChain, facts, clock, log, fleet } = options
  const { isDeciding, decided } = fleet
  const table = createObservationTable()
  const published = createPublishedDecisions(clock.now)
  const ejections = createEjections(activeVerifiers, log)
  const chainViews = createChainViews(findChain)
  const causes = createCauses()
  const evaluator = createEvaluator({
    catalogue,
    table,
    activeVerifiers,
    ejections,
    published,
    clock,
    log,
    isDeciding,
    onEvaluated: createRecordEvaluation({ history, metrics, causes, decided }),
    onTimeWentBack() {
      chainViews.clear()
      causes.timeWentBack()
      for (const { slot } of catalogue.all()) table.clearSlot(slot)
    },
  })
  const ingest = createIngest({
    catalogue,
    table,
    recorder: history.recorder,
    chainViews,
    facts,
    clock,
    observed: evaluator.observed,
    markAllDue: evaluator.markAllDue,
  })
  let ejectionTimer: Timer | undefined

  return {
    ingest,
    ...createEvaluationReaders({ catalogue, table, published, chainViews, causes, evaluator, facts, clock }),

    markDue: (listed: ListedService) => evaluator.markDue(listed.slot),
    /** Makes every service due, because something has changed on which all decisions depend. */
    markAllDue: evaluator.markAllDue,
    chainsChanged: chainViews.chainsChanged,

    /** Discards a removed service and records UNKNOWN, so that the gap shows if the service is registered again. */
    forgetService({ service, slot }: ListedService) {
      const state = evaluator.state(slot)
      if (state && state.published !== 'UNKNOWN' && isDeciding()) {
        recordLoss(history, service.id, state, clock.now(), 'no longer registered')
      }
      table.clearSlot(slot)
      evaluator.forget(slot)
      causes.forget(slot)
      published.remove(service.id)
      facts.forgetService(service.id)
    },

    /** Restores the decisions of the last run. A quorum that expired since then is recorded as lost when it expired. */
    restore(healths: readonly SavedHealth[]) {
      const now = clock.now()
      for (const saved of healths) {
        const listed = catalogue.find(saved.serviceId)
        // An evaluation in the future was made by a clock that has been corrected since.
        const isCurrent = listed && saved.evaluatedAt <= now && saved.quorumExpiresAt > now
        const isOver = saved.published !== 'UNKNOWN' && !isCurrent
        const lostAt = Math.min(saved.quorumExpiresAt, now)
        const restored = isOver
          ? recordLoss(history, saved.serviceId, saved.state, lostAt, 'no quorum: the server was not running')
          : saved
        if (!listed) continue
        evaluator.restore(listed, restored)
        causes.restore(listed.slot, restored.cause)
      }
    },

    /** Returns a decision of another process with the end of its quorum put off as far as the observations here carry it. */
    carriedOn(health: SavedHealth): SavedHealth {
      const listed = catalogue.find(health.serviceId)
      if (!listed || health.published === 'UNKNOWN') return health
      const until = evaluator.carriedUntil(listed, clock.now())
      return { ...health, quorumExpiresAt: Math.max(health.quorumExpiresAt, until) }
    },

    /** Publishes a decision of another process. */
    publish(health: SavedHealth) {
      const listed = catalogue.find(health.serviceId)
      if (!listed) return
      evaluator.restore(listed, health)
      causes.restore(listed.slot, health.cause)
    },

    /** Counts the votes of all verifiers again, ejected ones included. */
    reinstateAll: ejections.reset,

    start() {
      evaluator.start()
      ejectionTimer = setInterval(() => {
        if (isDeciding() && ejections.endRound()) evaluator.markAllDue()
      }, ejectionRoundMs)
    },

    stop() {
      clearInterval(ejectionTimer)
      return evaluator.stop()
    },
  }
}

/** Records that a known decision ended at an instant (epoch ms), and returns the UNKNOWN that follows it. */
function recordLoss(
  history: History,
  serviceId: string,
  before: HealthState,
  at: number,
  reason: string,
): SavedHealth {
  const lost: SavedHealth = {
    serviceId,
    published: 'UNKNOWN',
    state: { ...initial(at), worsenings: before.worsenings },
    liveVerifiers: 0,
    avgBlocksLatency: 0,
    avgTimeLatency: 0,
    evaluatedAt: at,
    quorumExpiresAt: at,
    cause: null,
  }
  history.changed(lost, { previous: before.published, reason, votes: [] })
  return lost
}
