import type { Decision, Policy } from '../../../shared/health.ts'
import type { ProbeError } from '../../../shared/verifier-protocol.ts'

/** Latest word of one verifier on one service. */
export interface Report {
  readonly verifierId: string
  /** When the probe happened, epoch ms of the server. */
  readonly at: number
  /** Whether an answer came. */
  readonly ok: boolean
  /** Why none came, or why the one that came is worthless (WRONG_CHAIN, WRONG_GENESIS, FUTURE_HEAD, FORKED). */
  readonly error: ProbeError | null
  /** Lag against the reference of the moment `at`. */
  readonly lagBlocks: number
  readonly lagSec: number
  readonly rttMs: number
}

/** What a vote depends on; whose report it is and from when makes no difference. */
export type VoteInput = Omit<Report, 'verifierId' | 'at'>

export type Vote = 'ok' | 'lag' | 'bad'

/** What a verifier holds against a service. `FAILED` is a failure whose report gives no reason. */
export type Objection = ProbeError | 'FAILED' | 'BLOCKS_BEHIND' | 'SECONDS_BEHIND' | 'SLOW'

/**
 * Whether the report says where the service's head is. A rate-limited probe says nothing about it, even if
 * forgiven.
 */
export function hasLag(report: VoteInput): boolean {
  return report.ok && report.error === null
}

/** The objection that decides the vote, or null. `published` is what the service is known as now. */
export function objection(report: VoteInput, policy: Policy, published: Decision): Objection | null {
  if (report.error === 'RATE_LIMITED' && policy.rateLimitedIs === 'ok') return null
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

export function voteFor(reason: Objection | null): Vote {
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
  return voteFor(objection(report, policy, published))
}
