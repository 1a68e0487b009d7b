import type { Policy } from '../../../shared/health.ts'
import { snapshotOfLatest } from '../decide/snapshot.ts'
import type { ServiceSnapshot } from '../decide/snapshot.ts'
import { initial, step } from '../decide/state-machine.ts'
import type { HealthState } from '../decide/state-machine.ts'
import { vote } from '../decide/vote.ts'
import type { VoteInput } from '../decide/vote.ts'
import type { SavedHealth } from '../history/store.ts'

/** Where the evaluation of one service stands. Instants in epoch ms. */
export interface ServiceEvaluation {
  readonly state: HealthState
  readonly evaluatedAt: number | null
  /** When the quorum behind the state runs out; never for UNKNOWN. */
  readonly expiresAt: number
  /** A restored decision stands until then even without a report. */
  readonly restoredUntil: number
}

export const never = Number.POSITIVE_INFINITY
/** A service is judged at most this often, however many verifiers report on it. */
export const minGapMs = 1_000
/** Half of an ejection round, each of which wants every service judged. */
const calmGapMs = 5_000
/** A quorum that ran out is noticed within a tick. Noticed this much later, the machine was asleep or overloaded. */
const noticedMs = 5_000

export const notEvaluated = (now: number): ServiceEvaluation => ({
  state: initial(now),
  evaluatedAt: null,
  expiresAt: never,
  restoredUntil: 0,
})

/** As it was before a restart. */
export const restoredFrom = ({ state, evaluatedAt, quorumExpiresAt }: SavedHealth): ServiceEvaluation => ({
  state,
  evaluatedAt,
  expiresAt: state.published === 'UNKNOWN' ? never : quorumExpiresAt,
  restoredUntil: quorumExpiresAt,
})

/** With another snapshot of the same service. */
export const nextEvaluation = (
  last: ServiceEvaluation,
  snapshot: ServiceSnapshot,
  now: number,
  policy: Policy,
): ServiceEvaluation => ({
  state: step(last.state, snapshot.raw, now, policy),
  evaluatedAt: now,
  expiresAt: snapshot.raw === 'UNKNOWN' ? never : snapshot.quorumExpiresAt,
  restoredUntil: 0,
})

/** Whether nobody was judging when the quorum ran out: UNKNOWN since then, whatever is reported now. */
export const hasMissedExpiry = ({ expiresAt }: ServiceEvaluation, now: number): boolean =>
  now > expiresAt + noticedMs

/** What nobody says at the moment in which the quorum ran out. */
export const snapshotAtExpiry = ({ expiresAt, state }: ServiceEvaluation, policy: Policy): ServiceSnapshot =>
  snapshotOfLatest([], { now: expiresAt, policy, minLive: 1, published: state.published })

/** When something new is to be judged. */
export const dueAfterChange = (last: ServiceEvaluation | undefined): number =>
  last === undefined || last.evaluatedAt === null ? 0 : last.evaluatedAt + minGapMs

/**
 * Since when (epoch ms) a verifier's last word must be for its repetition to wait for the next look, which is at
 * `dueAt`: the last word counts in the judgement, and the quorum lasts until that look.
 */
export const settledSince = (
  { evaluatedAt, expiresAt }: ServiceEvaluation,
  dueAt: number,
  policy: Policy,
): number => (evaluatedAt !== null && dueAt < expiresAt ? evaluatedAt - policy.freshMs : never)

/** Whether what a verifier says now is the same vote as what it said last. */
export function castsSameVote(
  last: VoteInput,
  seen: VoteInput,
  policy: Policy,
  evaluation: ServiceEvaluation,
): boolean {
  // Most words are repeated. These are told by themselves: the judgement would have to be fetched from far memory.
  if (isRepeated(last, seen, policy)) return true
  const { published } = evaluation.state
  return vote(last, policy, published) === vote(seen, policy, published)
}

const isRepeated = (last: VoteInput, seen: VoteInput, { maxRttMs }: Policy): boolean =>
  last.ok === seen.ok &&
  last.error === seen.error &&
  last.lagBlocks === seen.lagBlocks &&
  last.lagSec === seen.lagSec &&
  (maxRttMs === null || last.rttMs === seen.rttMs)

/** The clock was corrected backwards: instants that lie ahead now would hold up the decision until they have come. */
export const withoutInstants = (last: ServiceEvaluation): ServiceEvaluation => ({
  ...last,
  evaluatedAt: null,
  expiresAt: never,
  restoredUntil: 0,
})

/**
 * When a judged service is looked at again, if nothing changes until then. A raw signal that differs from what is
 * published is looked at soon, for it may have held long enough; so is one without a quorum, until its last live
 * verifier has gone. Otherwise new reports put off the end of the quorum meanwhile: the look is a second before it.
 */
export function nextDue({ state }: ServiceEvaluation, snapshot: ServiceSnapshot, now: number): number {
  const soon = now + minGapMs
  if (snapshot.raw !== state.published) return soon
  if (snapshot.raw === 'UNKNOWN') return snapshot.liveVerifiers > 0 ? soon : never
  if (snapshot.quorumExpiresAt <= soon) return snapshot.quorumExpiresAt + 1
  return Math.max(soon, Math.min(now + calmGapMs, snapshot.quorumExpiresAt - minGapMs))
}

/** When services are to be judged next, by slot. Instants in epoch ms. */
export interface EvaluationSchedule {
  isDue(slot: number, now: number): boolean
  /** Not later than this. */
  bringForward(slot: number, at: number): void
  /** At this. A verifier whose last word is not older than `since` may repeat it without being looked at sooner. */
  set(slot: number, at: number, since?: number): void
  isSettled(slot: number, lastAt: number): boolean
  /** Everything is due. */
  reset(): void
}

export function createEvaluationSchedule(): EvaluationSchedule {
  // In arrays of numbers, as most reports need nothing else: the judgement itself lies in far memory.
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
