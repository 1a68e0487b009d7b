import type { Chain } from '../../../shared/chains.ts'
import type { Log } from '../../platform/log.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import { createObservationTable } from './observation-table.ts'
import type { HeadObservation } from '../decide/reference-head.ts'
import { initial } from '../decide/state-machine.ts'
import type { HealthState } from '../decide/state-machine.ts'
import { createChainViews } from './chain-view.ts'
import { createCauses } from './causes.ts'
import { createEvaluator, lastGoodOfLimited } from './evaluator.ts'
import type { ReportedFacts } from './facts.ts'
import type { HealthMetrics } from '../metrics.ts'
import type { History } from '../history/history.ts'
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
  readonly facts: Pick<ReportedFacts, 'put' | 'of' | 'forgetService' | 'forgetVerifier'>
  readonly clock: SteadyClock
  readonly log: Log
}

const ejectionRoundMs = 10_000

export type Evaluation = ReturnType<typeof createEvaluation>

/** Evaluates services: turns the observations that verifiers report into published decisions and history. */
export function createEvaluation(options: EvaluationOptions) {
  const { catalogue, activeVerifiers, history, metrics, findChain, facts, clock, log } = options
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
    onEvaluated: createRecordEvaluation({ history, metrics, causes }),
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
    read: published.read,
    numbers: published.numbers,
    state: (listed: ListedService) => evaluator.state(listed.slot) ?? null,
    /** Returns whether every service has a decision other than UNKNOWN. */
    isDecided: () =>
      [...catalogue.all()].every(
        ({ service }) => service.isHidden || published.read(service.id).decision !== 'UNKNOWN',
      ),
    /** Returns why a service is LATENCY or DOWN, as it is stored; null for others. */
    cause: (listed: ListedService) => causes.of(listed.slot),
    pendingChange: (listed: ListedService) => evaluator.pendingChange(listed, clock.now()),
    reports: (listed: ListedService) => evaluator.reports(listed, clock.now()),
    limited: (listed: ListedService) => lastGoodOfLimited(table, listed, clock.now()),
    view: (chain: string) => chainViews.find(chain) ?? null,
    views: () => chainViews.all(),
    /** Returns the newest heads of a service, one of each verifier; `at` is in epoch ms. */
    heads(serviceId: string): HeadObservation[] {
      const chain = catalogue.find(serviceId)?.service.chain ?? null
      return chain === null ? [] : (chainViews.find(chain)?.headsOf(serviceId) ?? [])
    },
    /** Returns what verifiers found out beside heads, with its age; null where nothing is known. */
    facts: (serviceId: string) => facts.of(serviceId, clock.now()),

    markDue: (listed: ListedService) => evaluator.markDue(listed.slot),
    /** Makes every service due, because something has changed on which all decisions depend. */
    markAllDue: evaluator.markAllDue,
    chainsChanged: chainViews.chainsChanged,

    /** Discards a removed service and records UNKNOWN, so that the gap shows if the service is registered again. */
    forgetService({ service, slot }: ListedService) {
      const state = evaluator.state(slot)
      if (state && state.published !== 'UNKNOWN') {
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

    start() {
      evaluator.start()
      ejectionTimer = setInterval(() => {
        if (ejections.endRound()) evaluator.markAllDue()
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
