import type { History } from '../history/history.ts'
import type { SavedHealth } from '../history/store.ts'
import { evidenceLimit } from '../history/transition.ts'
import type { HealthMetrics } from '../metrics.ts'
import type { Causes } from './causes.ts'
import { decisionReason, evidenceOf } from './evidence.ts'
import type { EvaluationResult } from './evaluator.ts'

interface RecordingPlaces {
  readonly history: Pick<History, 'recorder' | 'refresh' | 'changed' | 'reasonChanged'>
  readonly metrics: Pick<HealthMetrics, 'countTransition'>
  readonly causes: Causes
  /** Tells the other processes; null where there are none. */
  readonly decided: ((health: SavedHealth) => void) | null
}

/**
 * Creates the function that records one evaluation in history: a changed decision or reason with its evidence, an
 * unchanged one with its numbers.
 */
export function createRecordEvaluation({ history, metrics, causes, decided }: RecordingPlaces) {
  return ({ service, at, previousAt, previous, state, snapshot, reports }: EvaluationResult): void => {
    const { id: serviceId, policy } = service.service
    // After a longer gap nothing was evaluated in between, so that time counts as UNKNOWN.
    if (previousAt !== null && at - previousAt <= 2 * policy.freshMs) {
      history.recorder.lasted(service, previous.published, snapshot.liveVerifiers, previousAt, at)
    }
    const { liveVerifiers, avgBlocksLatency, avgTimeLatency, quorumExpiresAt } = snapshot
    const numbers = { liveVerifiers, avgBlocksLatency, avgTimeLatency, quorumExpiresAt }
    const { published } = state
    const saved = { serviceId, published, state, evaluatedAt: at, ...numbers }
    const evaluated = { published, snapshot, reports, policy, at }
    const evidence = () => evidenceOf(reports, policy, previous.published, at)
    if (published === previous.published) {
      const { cause, changedAt } = causes.follow(service.slot, evaluated)
      const health: SavedHealth = { ...saved, cause }
      decided?.(health)
      if (changedAt === null) history.refresh(health)
      else history.reasonChanged(health, { at: changedAt, votes: evidence().slice(0, evidenceLimit) })
      return
    }
    const votes = evidence()
    const reason = decisionReason(published, votes, liveVerifiers)
    const health: SavedHealth = { ...saved, cause: causes.begin(service.slot, evaluated) }
    decided?.(health)
    history.changed(health, { previous: previous.published, reason, votes: votes.slice(0, evidenceLimit) })
    metrics.countTransition(previous.published, published)
  }
}
