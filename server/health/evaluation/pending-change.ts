import { assertNever } from '../../platform/fault.ts'
import type { Policy } from '../../../shared/health.ts'
import { type FailureRun, proofFor } from '../decide/failure-run.ts'
import { type KnownDecision, upFor } from '../decide/state-machine.ts'
import type { ServiceEvaluation } from './service-evaluation.ts'

/** A decision that the votes ask for, and that is published when they have done so for long enough. */
export interface PendingChange {
  readonly to: KnownDecision
  /** Since when (epoch ms) the votes have asked for it, or since when probes have failed. */
  readonly since: number
  /** How long (ms) the votes have asked for it, and how long they must. */
  readonly heldMs: number
  readonly neededMs: number
  /** Failures in a row that there were, and that prove DOWN sooner than the hold of the policy would. */
  readonly failures?: { readonly count: number; readonly needed: number }
}

/** Failures in a row as the live verifiers saw them, and how many verifiers there are. */
export interface LiveFailures {
  readonly runs: readonly FailureRun[]
  readonly liveVerifiers: number
}

/**
 * Returns what the service waits for: the worst change that the votes ask for; null while they say what is published.
 * `failures` is only asked where they matter.
 */
export function pendingChange(
  { state, failingSince }: Pick<ServiceEvaluation, 'state' | 'failingSince'>,
  now: number,
  policy: Policy,
  failures: () => LiveFailures,
): PendingChange | null {
  const { published, timers } = state
  const pending = (to: KnownDecision, since: number | null, neededMs: number): PendingChange | null =>
    since === null ? null : { to, since, heldMs: heldFor(since, now, neededMs), neededMs }
  const down = (since: number | null): PendingChange | null => {
    const byHold = pending('DOWN', since, policy.downForMs)
    return byHold && soonerOf(byHold, provenDown(failures(), now, policy))
  }

  switch (published) {
    case 'UNKNOWN':
      return down(failingSince)
    case 'UP':
      return down(timers.atLeastDown) ?? pending('LATENCY', timers.atLeastLatency, policy.latencyForMs)
    case 'LATENCY':
      return down(timers.atLeastDown) ?? pending('UP', timers.atMostUp, upFor(state, now, policy))
    case 'DOWN':
      return (
        pending('UP', timers.atMostUp, upFor(state, now, policy)) ??
        pending('LATENCY', timers.atMostLatency, upFor(state, now, policy))
      )
    default:
      return assertNever(published)
  }
}

const heldFor = (since: number, now: number, neededMs: number): number =>
  Math.min(neededMs, Math.max(0, now - since))

const remainingMs = ({ heldMs, neededMs }: PendingChange): number => neededMs - heldMs

/** How long (ms) after its span a proof may lack failures: retests that take longer do not come, so the hold decides. */
const overdueMs = 2_000

/** Returns what is missing until failures of a majority prove DOWN; null where they will not. */
function provenDown(
  { runs, liveVerifiers }: LiveFailures,
  now: number,
  policy: Policy,
): PendingChange | null {
  const proofs = runs.flatMap((run): PendingChange[] => {
    const proof = proofFor(run, policy)
    if (proof === null) return []
    if (run.count < proof.failures && now - run.startedAt > proof.spanMs + overdueMs) return []
    const failures = { count: Math.min(run.count, proof.failures), needed: proof.failures }
    const heldMs = heldFor(run.startedAt, now, proof.spanMs)
    return [{ to: 'DOWN', since: run.startedAt, heldMs, neededMs: proof.spanMs, failures }]
  })
  const majority = Math.floor(liveVerifiers / 2)
  return proofs.sort((one, other) => remainingMs(one) - remainingMs(other))[majority] ?? null
}

const soonerOf = (byHold: PendingChange, byProof: PendingChange | null): PendingChange =>
  byProof !== null && remainingMs(byProof) < remainingMs(byHold) ? byProof : byHold
