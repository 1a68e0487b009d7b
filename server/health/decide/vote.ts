import type { Decision, Policy } from '../../../shared/health.ts'
import type { ProbeError } from '../../../shared/verifier-protocol.ts'

/** The latest observation of one service by one verifier. */
export interface Report {
  readonly verifierId: string
  /** When the probe ran, in epoch ms of the server. */
  readonly at: number
  /** Whether an answer arrived. */
  readonly ok: boolean
  /** Why no answer arrived, or why it is worthless (WRONG_CHAIN, WRONG_GENESIS, FUTURE_HEAD, FORKED). */
  readonly error: ProbeError | null
  /** Blocks behind the reference head of the instant `at`. */
  readonly lagBlocks: number
  readonly lagSec: number
  readonly rttMs: number
  /** The vote that the verifier's last probes justify together, where they contradict each other. */
  readonly inconsistent?: Exclude<Vote, 'ok'> | undefined
}

/** The part of a report on which the vote depends: not the verifier, and not the instant. */
export type VoteInput = Omit<Report, 'verifierId' | 'at'>

export type Vote = 'ok' | 'lag' | 'bad'

/**
 * The reason of a vote against a service. `FAILED` is a failure whose report gives no reason. `INCONSISTENT` is a service
 * that answers now this way, now that, as an endpoint does whose backends differ.
 */
export type VoteObjection =
  | ProbeError
  | 'FAILED'
  | 'INCONSISTENT'
  | 'BLOCKS_BEHIND'
  | 'SECONDS_BEHIND'
  | 'SLOW'

/**
 * Whether the report says where the service's head is. A rate-limited probe says nothing about it, even if
 * forgiven.
 */
export function hasLag(report: VoteInput): boolean {
  return report.ok && report.error === null
}

/** Returns the objection that decides the vote, or null. `published` is the decision that is published now. */
export function objection(report: VoteInput, policy: Policy, published: Decision): VoteObjection | null {
  if (report.error === 'RATE_LIMITED' && policy.rateLimitedIs === 'ok') return null
  if (report.inconsistent !== undefined) return 'INCONSISTENT'
  if (!hasLag(report)) return report.error ?? 'FAILED'
  if (isStale(report, policy)) return 'STALE'

  // Leaving a bad state takes less lag than entering it: without the gap a service at the threshold would flap.
  const isRecovering = published === 'LATENCY' || published === 'DOWN'
  const share = isRecovering ? policy.exitRatio : 1
  if (report.lagBlocks > policy.enterBlocks * share) return 'BLOCKS_BEHIND'
  if (report.lagSec > policy.enterSec * share) return 'SECONDS_BEHIND'
  if (policy.maxRttMs !== null && report.rttMs > policy.maxRttMs * share) return 'SLOW'
  return null
}

function isStale(report: VoteInput, policy: Policy): boolean {
  return (
    report.lagBlocks > policy.enterBlocks * policy.staleFactor ||
    report.lagSec > policy.enterSec * policy.staleFactor
  )
}

function voteFor(reason: VoteObjection | null): Vote {
  switch (reason) {
    case null:
      return 'ok'
    case 'BLOCKS_BEHIND':
    case 'SECONDS_BEHIND':
    case 'SLOW':
      return 'lag'
    default:
      return 'bad'
  }
}

export function vote(report: VoteInput, policy: Policy, published: Decision): Vote {
  const reason = objection(report, policy, published)
  return reason === 'INCONSISTENT' ? (report.inconsistent ?? 'bad') : voteFor(reason)
}
