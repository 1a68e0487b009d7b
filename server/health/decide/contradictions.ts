import type { Vote } from './vote.ts'

/** Who has no part in the majority now. */
interface Ejected {
  has(verifierId: string): boolean
}

export interface Ballot {
  readonly verifierId: string
  readonly vote: Vote
}

/** How often one verifier contradicted the majority in a round. */
export interface Tally {
  /** Services that the majority calls OK and that the verifier voted on. */
  judged: number
  /** Those of them that it called BAD. */
  contradicted: number
}

/**
 * Adds the ballots on one service to `tallies` (which it changes; start each round with a new map). Ejected
 * verifiers are judged like the others, or they could never come back, but have no part in the majority.
 */
export function countContradictions(
  tallies: Map<string, Tally>,
  ballots: readonly Ballot[],
  ejected: Ejected,
): void {
  if (!majorityCallsOk(ballots, ejected)) return
  for (const ballot of ballots) {
    let tally = tallies.get(ballot.verifierId)
    if (tally === undefined) tallies.set(ballot.verifierId, (tally = { judged: 0, contradicted: 0 }))
    tally.judged++
    if (ballot.vote === 'bad') tally.contradicted++
  }
}

function majorityCallsOk(ballots: readonly Ballot[], ejected: Ejected): boolean {
  let electorate = 0
  let callOk = 0
  for (const ballot of ballots) {
    if (ejected.has(ballot.verifierId)) continue
    electorate++
    if (ballot.vote === 'ok') callOk++
  }
  return 2 * callOk > electorate
}
