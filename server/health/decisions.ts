import type { Chain } from '../../shared/chains.ts'
import type { ReportBatch } from '../../shared/verifier-protocol.ts'
import type { Log } from '../platform/log.ts'
import type { SteadyClock } from '../platform/steady-clock.ts'
import { createBoard } from './board.ts'
import { initial } from './decide/state-machine.ts'
import type { HealthState } from './decide/state-machine.ts'
import { evidenceOf, reasonOf } from './details.ts'
import { createEvaluator } from './evaluator.ts'
import type { Evaluated } from './evaluator.ts'
import type { HealthMetrics } from './health-metrics.ts'
import type { History } from './history/history.ts'
import type { SavedHealth } from './history/store.ts'
import { evidenceLimit } from './history/transition.ts'
import { createIngest } from './ingest.ts'
import { createPublished } from './published.ts'
import type { Catalogue, ListedService } from './services/catalogue.ts'
import type { Directory, ListedVerifier } from './verifiers/directory.ts'
import { createEjections } from './verifiers/ejections.ts'

export interface DecisionsOptions {
  readonly catalogue: Catalogue
  readonly directory: Directory
  readonly history: History
  readonly metrics: HealthMetrics
  readonly findChain: (key: string) => Chain | undefined
  readonly clock: SteadyClock
  readonly log: Log
}

const ejectionRoundMs = 10_000

export type Decisions = ReturnType<typeof createDecisions>

/** From what verifiers saw to what is published. */
export function createDecisions(options: DecisionsOptions) {
  const { catalogue, directory, history, metrics, findChain, clock, log } = options
  const board = createBoard()
  const published = createPublished()
  const ejections = createEjections(directory, log)
  const evaluator = createEvaluator({
    catalogue,
    board,
    directory,
    ejections,
    published,
    clock,
    log,
    onEvaluated: record,
    onTimeWentBack: () => ingest.clear(),
  })
  const { recorder } = history
  const ingest = createIngest({
    catalogue,
    board,
    recorder,
    findChain,
    clock,
    observed: evaluator.observed,
    touchedAll: evaluator.touchedAll,
  })
  let ejectionTimer: Timer | undefined

  /** Hands one evaluation on to history. */
  function record({ service, at, previousAt, previous, state, snapshot, reports }: Evaluated): void {
    const { id: serviceId, policy } = service.service
    // A longer gap means that nobody was evaluating: that time is UNKNOWN.
    if (previousAt !== null && at - previousAt <= 2 * policy.freshMs) {
      recorder.lasted(serviceId, previous.published, snapshot.liveVerifiers, previousAt, at)
    }
    const { liveVerifiers, avgBlocksLatency, avgTimeLatency, quorumExpiresAt } = snapshot
    const numbers = { liveVerifiers, avgBlocksLatency, avgTimeLatency, quorumExpiresAt }
    const health: SavedHealth = { serviceId, published: state.published, state, evaluatedAt: at, ...numbers }
    if (state.published === previous.published) {
      history.refresh(health)
      return
    }
    const votes = evidenceOf(reports, policy, previous.published, at)
    const reason = reasonOf(state.published, votes, liveVerifiers)
    history.changed(health, { previous: previous.published, reason, votes: votes.slice(0, evidenceLimit) })
    metrics.countTransition(previous.published, state.published)
  }

  return {
    accept: (verifier: ListedVerifier, batch: ReportBatch, receivedAt: number) =>
      ingest.accept(verifier, batch, receivedAt),
    read: (serviceId: string) => published.read(serviceId, clock.now()),
    numbers: (serviceId: string) => published.numbers(serviceId, clock.now()),
    state: (listed: ListedService) => evaluator.state(listed.slot) ?? null,
    reports: (listed: ListedService) => evaluator.reports(listed, clock.now()),
    view: (chain: string) => ingest.view(chain) ?? null,
    views: () => ingest.views(),

    touched: (listed: ListedService) => evaluator.touched(listed.slot),
    /** Whom or what every decision depends on has changed. */
    touchedAll: () => evaluator.touchedAll(),
    chainsChanged: () => ingest.chainsChanged(),
    forgetVerifier: (verifier: ListedVerifier) => ingest.forgetVerifier(verifier),

    /** Should it be registered again, its history has a gap that nobody can vouch for. */
    forgetService({ service, slot }: ListedService) {
      const state = evaluator.state(slot)
      if (state && state.published !== 'UNKNOWN') {
        recordLoss(history, service.id, state, clock.now(), 'no longer registered')
      }
      board.clearSlot(slot)
      evaluator.forget(slot)
      published.remove(service.id)
    },

    /** Goes on where the last run stopped; a quorum that was lost since then was lost at its own time. */
    restore(healths: readonly SavedHealth[]) {
      const now = clock.now()
      for (const saved of healths) {
        const listed = catalogue.find(saved.serviceId)
        // What was evaluated later than now was so by a clock that has been corrected since.
        const stands = listed && saved.evaluatedAt <= now && saved.quorumExpiresAt > now
        const isOver = saved.published !== 'UNKNOWN' && !stands
        const lostAt = Math.min(saved.quorumExpiresAt, now)
        const standing = isOver
          ? recordLoss(history, saved.serviceId, saved.state, lostAt, 'no quorum: the server was not running')
          : saved
        if (listed) evaluator.restore(listed, standing)
      }
    },

    start() {
      evaluator.start()
      ejectionTimer = setInterval(() => {
        if (ejections.endRound()) evaluator.touchedAll()
      }, ejectionRoundMs)
    },

    stop() {
      clearInterval(ejectionTimer)
      evaluator.stop()
    },
  }
}

/** Stores that a known decision ended at an instant, and gives back what holds since then. */
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
  }
  history.changed(lost, { previous: before.published, reason, votes: [] })
  return lost
}
