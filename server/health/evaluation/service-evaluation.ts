import type { Policy } from '../../../shared/health.ts'
import { minLive, snapshotOfLatest } from '../decide/snapshot.ts'
import { majorityOf } from '../../../shared/quorum.ts'
import type { ServiceSnapshot } from '../decide/snapshot.ts'
import { initial, step } from '../decide/state-machine.ts'
import type { HealthState } from '../decide/state-machine.ts'
import { vote } from '../decide/vote.ts'
import type { Report, VoteInput } from '../decide/vote.ts'
import type { SavedHealth } from '../history/store.ts'

/** The current evaluation of one service. Instants are epoch ms. */
export interface ServiceEvaluation {
  readonly state: HealthState
  readonly evaluatedAt: number | null
  /** When the quorum of the state expires; never for UNKNOWN. */
  readonly expiresAt: number
  /** Until when a restored decision is valid without any report. */
  readonly restoredUntil: number
  /** Since when an UNKNOWN service looks DOWN; null while it does not. */
  readonly failingSince: number | null
}

export const never = Number.POSITIVE_INFINITY
/** Shortest time (ms) between two evaluations of a service, however many verifiers report on it. */
export const minGapMs = 1_000
/** Longest time (ms) between two: half of an ejection round, in each of which every service must be evaluated. */
const calmGapMs = 5_000
/** An expired quorum is noticed within a tick. If it takes longer than this (ms), the machine was asleep or overloaded. */
const noticedMs = 5_000

export const notEvaluated = (now: number): ServiceEvaluation => ({
  state: initial(now),
  evaluatedAt: null,
  expiresAt: never,
  restoredUntil: 0,
  failingSince: null,
})

/** Returns the evaluation of before a restart. */
export const restoredFrom = ({ state, evaluatedAt, quorumExpiresAt }: SavedHealth): ServiceEvaluation => ({
  state,
  evaluatedAt,
  expiresAt: state.published === 'UNKNOWN' ? never : quorumExpiresAt,
  restoredUntil: quorumExpiresAt,
  failingSince: null,
})

/**
 * Returns the evaluation that follows from another snapshot of the same service. UNKNOWN becomes DOWN after the same
 * hold as UP does: the first probe of a new service, or of a server that has just started, may fail like any other.
 * `hold` is `confirmed` where the failures behind the votes have lasted long enough by themselves, so that DOWN is
 * published without the policy's hold.
 */
export function nextEvaluation(
  last: ServiceEvaluation,
  snapshot: ServiceSnapshot,
  now: number,
  policy: Policy,
  hold: 'usual' | 'confirmed' = 'usual',
): ServiceEvaluation {
  const held = hold === 'confirmed' ? { ...policy, downForMs: 0 } : policy
  const failingSince = snapshot.raw === 'DOWN' ? (last.failingSince ?? now) : null
  const isHeld =
    last.state.published === 'UNKNOWN' && failingSince !== null && now - failingSince < held.downForMs
  const state = isHeld ? last.state : step(last.state, snapshot.raw, now, held)
  const expiresAt = state.published === 'UNKNOWN' ? never : snapshot.quorumExpiresAt
  return { state, evaluatedAt: now, expiresAt, restoredUntil: 0, failingSince }
}

/** A report with what its verifier's earlier probes prove. */
export interface CountedReport extends Report {
  /** Whether the failure has lasted so long and so often that it needs no further hold. */
  readonly isConfirmed?: boolean | undefined
}

/** Returns whether the verifiers with confirmed failures are a majority of the live ones. */
export function holdOf(
  reports: readonly CountedReport[],
  { liveVerifiers }: ServiceSnapshot,
): 'usual' | 'confirmed' {
  let confirmed = 0
  for (const report of reports) if (report.isConfirmed === true && report.inconsistent !== 'lag') confirmed++
  return 2 * confirmed > liveVerifiers ? 'confirmed' : 'usual'
}

/** Returns how many verifiers must be live before anything but UNKNOWN is said. */
export const neededVerifiers = (policy: Pick<Policy, 'minLive' | 'quorum'>, assigned: number): number =>
  policy.minLive === null && policy.quorum === 'majority' ? majorityOf(assigned) : minLive(policy, assigned)

/** Returns whether nothing was evaluated when the quorum expired: then UNKNOWN must be recorded first. */
export const hasMissedExpiry = ({ expiresAt }: ServiceEvaluation, now: number): boolean =>
  now > expiresAt + noticedMs

/** Returns the empty snapshot of the instant at which the quorum expired. */
export const snapshotAtExpiry = ({ expiresAt, state }: ServiceEvaluation, policy: Policy): ServiceSnapshot =>
  snapshotOfLatest([], { now: expiresAt, policy, minLive: 1, published: state.published })

/** Returns when a change is to be evaluated (epoch ms). */
export const dueAfterChange = (last: ServiceEvaluation | undefined): number =>
  last === undefined || last.evaluatedAt === null ? 0 : last.evaluatedAt + minGapMs

/**
 * Returns how new (epoch ms) a verifier's last vote must be for its repetition to wait for the next evaluation, at
 * `dueAt`: that vote counts in this evaluation, and the quorum lasts until the next one.
 */
export const settledSince = (
  { evaluatedAt, expiresAt }: ServiceEvaluation,
  dueAt: number,
  policy: Policy,
): number => (evaluatedAt !== null && dueAt < expiresAt ? evaluatedAt - policy.freshMs : never)

/** Returns whether a new observation is the same vote as the verifier's last one. */
export function castsSameVote(
  last: VoteInput,
  seen: VoteInput,
  policy: Policy,
  evaluation: ServiceEvaluation,
): boolean {
  // Most observations repeat the last one. Comparing the two is cheaper than fetching the evaluation from far memory.
  if (isRepeated(last, seen, policy)) return true
  const { published } = evaluation.state
  return vote(last, policy, published) === vote(seen, policy, published)
}

const isRepeated = (last: VoteInput, seen: VoteInput, { maxRttMs }: Policy): boolean =>
  last.ok === seen.ok &&
  last.error === seen.error &&
  last.inconsistent === seen.inconsistent &&
  last.lagBlocks === seen.lagBlocks &&
  last.lagSec === seen.lagSec &&
  (maxRttMs === null || last.rttMs === seen.rttMs)

/** Returns the evaluation without its instants: after a clock was set back, they would delay the decision until they have come. */
export const withoutInstants = (last: ServiceEvaluation): ServiceEvaluation => ({
  ...last,
  evaluatedAt: null,
  expiresAt: never,
  restoredUntil: 0,
  failingSince: null,
})

/**
 * Returns when a service is evaluated again if nothing changes until then. A raw signal that differs from what is
 * published is evaluated soon, for it may have lasted long enough; so is one without a quorum, until its last live
 * verifier has gone. Otherwise new reports extend the quorum meanwhile, and the evaluation is a second before its end.
 */
export function nextDue({ state }: ServiceEvaluation, snapshot: ServiceSnapshot, now: number): number {
  const soon = now + minGapMs
  if (snapshot.raw !== state.published) return soon
  if (snapshot.raw === 'UNKNOWN') return snapshot.liveVerifiers > 0 ? soon : never
  if (snapshot.quorumExpiresAt <= soon) return snapshot.quorumExpiresAt + 1
  return Math.max(soon, Math.min(now + calmGapMs, snapshot.quorumExpiresAt - minGapMs))
}

/** When services are to be evaluated next, by slot. Instants are epoch ms. */
export interface EvaluationSchedule {
  isDue(slot: number, now: number): boolean
  /** Schedules the evaluation no later than `at`. */
  bringForward(slot: number, at: number): void
  /** Schedules the evaluation at `at`. Until then, a verifier whose last vote is not older than `since` may repeat it. */
  set(slot: number, at: number, since?: number): void
  isSettled(slot: number, lastAt: number): boolean
  /** Makes every service due at once. */
  reset(): void
}

export function createEvaluationSchedule(): EvaluationSchedule {
  // These are arrays of numbers because most reports need nothing else: the evaluation itself is in far memory.
  const dueAt: number[] = []
  const settled: number[] = []

  return {
    isDue: (slot, now) => (dueAt[slot] ?? 0) <= now,
    bringForward(slot, at) {
      dueAt[slot] = Math.min(dueAt[slot] ?? never, at)
    },
    set(slot, at, since = never) {
      dueAt[slot] = at
      settled[slot] = since
    },
    isSettled: (slot, lastAt) => lastAt >= (settled[slot] ?? never),
    reset() {
      dueAt.fill(0)
      settled.fill(never)
    },
  }
}
