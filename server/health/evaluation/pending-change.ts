import { assertNever } from '../../platform/fault.ts'
import type { Policy } from '../../../shared/health.ts'
import { type KnownDecision, upFor } from '../decide/state-machine.ts'
import type { ServiceEvaluation } from './service-evaluation.ts'

/** A decision that the votes ask for, and that is published when they have done so for long enough. */
export interface PendingChange {
  readonly to: KnownDecision
  /** How long (ms) the votes have asked for it, and how long they must. */
  readonly heldMs: number
  readonly neededMs: number
}

/** Returns what the service waits for: the worst change that the votes ask for; null while they say what is published. */
export function pendingChange(
  { state, failingSince }: Pick<ServiceEvaluation, 'state' | 'failingSince'>,
  now: number,
  policy: Policy,
): PendingChange | null {
  const { published, timers } = state
  const pending = (to: KnownDecision, since: number | null, neededMs: number): PendingChange | null =>
    since === null ? null : { to, heldMs: Math.min(neededMs, Math.max(0, now - since)), neededMs }

  switch (published) {
    case 'UNKNOWN':
      return pending('DOWN', failingSince, policy.downForMs)
    case 'UP':
      return (
        pending('DOWN', timers.atLeastDown, policy.downForMs) ??
        pending('LATENCY', timers.atLeastLatency, policy.latencyForMs)
      )
    case 'LATENCY':
      return (
        pending('DOWN', timers.atLeastDown, policy.downForMs) ??
        pending('UP', timers.atMostUp, upFor(state, now, policy))
      )
    case 'DOWN':
      return (
        pending('UP', timers.atMostUp, upFor(state, now, policy)) ??
        pending('LATENCY', timers.atMostLatency, upFor(state, now, policy))
      )
    default:
      return assertNever(published)
  }
}
