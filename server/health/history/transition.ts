import type { Decision } from '../../../shared/health.ts'
import type { VoteObjection } from '../decide/vote.ts'

/** One verifier's vote as evidence beside a transition and in the details of a service. */
export interface VoteEvidence {
  verifierId: string
  vote: 'OK' | 'LAG' | 'BAD'
  reason: VoteObjection | null
  lagBlocks: number
  lagSec: number
  rttMs: number
  /** How old the observation was when the vote was counted. */
  ageMs: number
}

/** A change of the published decision at an instant (epoch ms), or, where `from` and `to` are the same, of its reason. */
export interface Transition {
  serviceId: string
  at: number
  from: Decision
  to: Decision
  reason: string
  votes: VoteEvidence[]
}

/** A transition as it is read: its evidence stays in the database, for a flapping service has megabytes of it. */
export type PastTransition = Omit<Transition, 'votes'>

/** Votes kept with a transition; more add nothing that a person would read. */
export const evidenceLimit = 31

/** Returns whether the decision changed, and not only its reason. */
export const isChangeOfDecision = ({ from, to }: Pick<Transition, 'from' | 'to'>): boolean => from !== to
