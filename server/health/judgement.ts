import type { Policy } from '../../shared/health.ts'
import { snapshotOfLatest } from './decide/snapshot.ts'
import type { Snapshot } from './decide/snapshot.ts'
import { initial, step } from './decide/state-machine.ts'
import type { HealthState } from './decide/state-machine.ts'
import { vote } from './decide/vote.ts'
import type { Report } from './decide/vote.ts'
import type { SavedHealth } from './history/store.ts'

type Observed = Parameters<typeof vote>[0] & Pick<Report, 'at'>

/** Where the evaluation of one service stands. Instants in epoch ms. */
export interface Judgement {
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

export const notJudged = (now: number): Judgement => ({
  state: initial(now),
  evaluatedAt: null,
  expiresAt: never,
  restoredUntil: 0,
})

/** As it was before a restart. */
export const restoredFrom = ({ state, evaluatedAt, quorumExpiresAt }: SavedHealth): Judgement => ({
  state,
  evaluatedAt,
  expiresAt: state.published === 'UNKNOWN' ? never : quorumExpiresAt,
  restoredUntil: quorumExpiresAt,
})

/** With another snapshot of the same service. */
export const judgedBy = (last: Judgement, snapshot: Snapshot, now: number, policy: Policy): Judgement => ({
  state: step(last.state, snapshot.raw, now, policy),
  evaluatedAt: now,
  expiresAt: snapshot.raw === 'UNKNOWN' ? never : snapshot.quorumExpiresAt,
  restoredUntil: 0,
})

/** Whether nobody was judging when the quorum ran out: UNKNOWN since then, whatever is reported now. */
export const hasMissedExpiry = ({ expiresAt }: Judgement, now: number): boolean => now > expiresAt + noticedMs

/** What nobody says at the moment in which the quorum ran out. */
export const nobodyLeft = ({ expiresAt, state }: Judgement, policy: Policy): Snapshot =>
  snapshotOfLatest([], { now: expiresAt, policy, minLive: 1, published: state.published })

/** When something new is to be judged. */
export const soonDue = (last: Judgement | undefined): number =>
  last === undefined || last.evaluatedAt === null ? 0 : last.evaluatedAt + minGapMs

/**
 * When a verifier's observation in place of its last one is to be judged. Most of them repeat what was said: that
 * changes no decision and only puts off the end of the quorum.
 */
export function dueAfter(
  judgement: Judgement | undefined,
  last: Observed | null,
  seen: Observed,
  policy: Policy,
): number {
  const soon = soonDue(judgement)
  if (!judgement || judgement.evaluatedAt === null || last === null) return soon
  const { evaluatedAt, expiresAt, state } = judgement
  const didCount = evaluatedAt - last.at <= policy.freshMs
  if (!didCount || vote(last, policy, state.published) !== vote(seen, policy, state.published)) return soon
  return Math.max(soon, Math.min(evaluatedAt + calmGapMs, expiresAt - minGapMs))
}

/** The clock was corrected backwards: instants that lie ahead now would hold up the decision until they have come. */
export const withoutInstants = (last: Judgement): Judgement => ({
  ...last,
  evaluatedAt: null,
  expiresAt: never,
  restoredUntil: 0,
})

/**
 * A raw signal that differs from what is published is looked at again soon, for it may have held long enough; so is one
 * without a quorum, until its last live verifier has gone.
 */
export function nextDue({ state }: Judgement, snapshot: Snapshot, now: number): number {
  if (snapshot.raw !== state.published) return now + minGapMs
  if (snapshot.raw !== 'UNKNOWN') return snapshot.quorumExpiresAt + 1
  return snapshot.liveVerifiers > 0 ? now + minGapMs : never
}
