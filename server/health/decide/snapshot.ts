import type { Decision, Policy } from '../../../shared/health.ts'
import { ascending, elementAt, trimmedMean } from './median.ts'
import { type Report, type Vote, hasLag, vote } from './vote.ts'
import { assertNever } from '../../platform/fault.ts'

const voteRank: Readonly<Record<Vote, number>> = { ok: 0, lag: 1, bad: 2 }

/** The parameters of a snapshot. */
export interface EvaluationParams {
  /** Epoch ms of the server. */
  readonly now: number
  readonly policy: Policy
  /** How many live verifiers a decision needs (`quorum.ts`). */
  readonly minLive: number
  /** The decision that is published now. */
  readonly published: Decision
}

/** The votes of the live verifiers about one service at one instant. */
export interface ServiceSnapshot {
  readonly raw: Decision
  readonly liveVerifiers: number
  readonly avgBlocksLatency: number
  /** The mean lag in seconds. */
  readonly avgTimeLatency: number
  readonly votes: Readonly<Record<Vote, number>>
  /** Last instant (epoch ms) at which there is a quorum if no further report comes; `now` where there is none. */
  readonly quorumExpiresAt: number
}

/**
 * Snapshot over any reports: older and repeated ones of a verifier change nothing. Reports of ejected or isolated
 * verifiers must not be handed in.
 */
export function snapshot(reports: readonly Report[], evaluation: EvaluationParams): ServiceSnapshot {
  return snapshotOfLatest(latestPerVerifier(reports, evaluation), evaluation)
}

/**
 * The same for callers that keep one report per verifier, without the cost of looking for repeated ones. The list and
 * the reports in it may be reused by the caller afterwards: no reference to them remains.
 */
export function snapshotOfLatest(reports: readonly Report[], evaluation: EvaluationParams): ServiceSnapshot {
  const { policy, published, now } = evaluation
  const votes = { ok: 0, lag: 0, bad: 0 }
  const instants: number[] = []
  const lagsBlocks: number[] = []
  const lagsSec: number[] = []
  for (const report of reports) {
    if (!isLive(report, evaluation)) continue
    instants.push(report.at)
    votes[vote(report, policy, published)]++
    if (!hasLag(report)) continue
    lagsBlocks.push(Math.max(0, report.lagBlocks))
    lagsSec.push(Math.max(0, report.lagSec))
  }

  const liveVerifiers = instants.length
  const needed = Math.max(1, evaluation.minLive)
  if (liveVerifiers < needed) {
    return {
      raw: 'UNKNOWN',
      liveVerifiers,
      avgBlocksLatency: 0,
      avgTimeLatency: 0,
      votes,
      quorumExpiresAt: now,
    }
  }
  const firstToBeMissed = elementAt(instants.sort(ascending), liveVerifiers - needed)
  return {
    raw: medianDecision(votes, liveVerifiers),
    liveVerifiers,
    avgBlocksLatency: trimmedMean(lagsBlocks),
    avgTimeLatency: trimmedMean(lagsSec),
    votes,
    quorumExpiresAt: firstToBeMissed + policy.freshMs,
  }
}

function isLive(report: Report, { now, policy }: EvaluationParams): boolean {
  return report.at <= now && now - report.at <= policy.freshMs
}

/** Returns the lower median of the votes, by counting instead of sorting: ties go to the milder decision. */
function medianDecision(votes: Readonly<Record<Vote, number>>, total: number): Decision {
  const middle = (total - 1) >> 1
  if (middle < votes.ok) return 'UP'
  if (middle < votes.ok + votes.lag) return 'LATENCY'
  return 'DOWN'
}

function latestPerVerifier(reports: readonly Report[], evaluation: EvaluationParams): Report[] {
  const latest = new Map<string, Report>()
  for (const report of reports) {
    if (!isLive(report, evaluation)) continue // a report from the future must not hide a live one
    const known = latest.get(report.verifierId)
    if (known === undefined || supersedes(report, known, evaluation)) latest.set(report.verifierId, report)
  }
  return [...latest.values()]
}

/** Returns whether a report replaces a known one: the newer does, and of two at one instant the worse, whatever their order. */
function supersedes(candidate: Report, known: Report, evaluation: EvaluationParams): boolean {
  if (candidate.at !== known.at) return candidate.at > known.at
  const rank = (report: Report): number => voteRank[vote(report, evaluation.policy, evaluation.published)]
  const worse =
    rank(candidate) - rank(known) ||
    Number(hasLag(known)) - Number(hasLag(candidate)) ||
    candidate.lagBlocks - known.lagBlocks ||
    candidate.lagSec - known.lagSec
  return worse > 0
}

/**
 * How many verifiers must be live before anything but UNKNOWN is said, of those that should report on the service.
 * Ejected verifiers stay assigned: ejecting some must not make it easier for the rest to decide.
 */
export function minLive(policy: Pick<Policy, 'minLive' | 'quorum'>, assigned: number): number {
  if (policy.minLive !== null) return policy.minLive
  switch (policy.quorum) {
    case 'majority':
      return Math.floor(assigned / 2) + 1
    case 'bft':
      return Math.ceil((2 * assigned + 1) / 3)
    default:
      return assertNever(policy.quorum)
  }
}
