import type { Vote } from './vote.ts'

/** The ejected verifiers, which do not count for the majority. */
interface Ejected {
  has(verifierId: string): boolean
}

export interface Ballot {
  readonly verifierId: string
  readonly vote: Vote
}

/** How often one verifier contradicted the majority in a round. */
export interface ContradictionTally {
  /** Services that the majority calls OK and that the verifier voted on. */
  judged: number
  /** Those of them that it called BAD. */
  contradicted: number
}

/**
 * Adds the ballots on one service to `tallies` (which it changes; start each round with a new map). Ejected
 * verifiers are counted like the others, or they could never return, but do not take part in the majority.
 */
export function countContradictions(
  tallies: Map<string, ContradictionTally>,
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

/**
 * Ejected verifiers and the clean rounds of each since then. Earlier entries keep their place when fewer
 * may be ejected.
 */
export type EjectionState = ReadonlyMap<string, number>

/**
 * The verifiers that are ejected from now on, and what changed: one event for a verifier, not one for each
 * service.
 */
export interface EjectionStep {
  readonly state: EjectionState
  readonly ejected: readonly string[]
  readonly reinstated: readonly string[]
}

const minContradictions = 5
const minContradictedShare = 0.5
const cleanRoundsToReturn = 2

export const noneEjected: EjectionState = new Map()

/**
 * One round of the rule that keeps a verifier with a broken view from voting: it is ejected when it calls
 * BAD at least half, and at least five, of the services that the majority calls OK. At most ⌊(n−1)/3⌋ of
 * the n reporting verifiers are ejected at a time, so that no wrong majority can throw out the rest. Two
 * clean rounds bring a verifier back.
 *
 * @param verifierIds every enrolled verifier. One that is missing is forgotten; one without a tally is
 *   silent: that is neither a clean round nor a bad one, it stays as it is and takes no one's place among
 *   the ejected.
 */
export function stepEjection(
  previous: EjectionState,
  verifierIds: readonly string[],
  tallies: ReadonlyMap<string, ContradictionTally>,
): EjectionStep {
  const reporting = verifierIds.filter((id) => tallies.has(id))
  const limit = Math.max(0, Math.floor((reporting.length - 1) / 3))

  const silent = new Map([...previous].filter(([id]) => verifierIds.includes(id) && !tallies.has(id)))
  const staying = stillEjected(previous, new Set(reporting), tallies)
  const newcomers = outliers(reporting, tallies).filter((id) => !previous.has(id))
  const judged = [...staying, ...newcomers.map((id): [string, number] => [id, 0])].slice(0, limit)

  const state = new Map([...silent, ...judged])
  return {
    state,
    ejected: newcomers.filter((id) => state.has(id)),
    reinstated: reporting.filter((id) => previous.has(id) && !state.has(id)),
  }
}

function stillEjected(
  previous: EjectionState,
  reporting: ReadonlySet<string>,
  tallies: ReadonlyMap<string, ContradictionTally>,
): [string, number][] {
  const staying: [string, number][] = []
  for (const [id, cleanBefore] of previous) {
    if (!reporting.has(id)) continue
    const cleanRounds = isOutlier(tallies.get(id)) ? 0 : cleanBefore + 1
    if (cleanRounds < cleanRoundsToReturn) staying.push([id, cleanRounds])
  }
  return staying
}

/** Worst first; the id decides between equals, so that the order of the verifiers does not. */
function outliers(reporting: readonly string[], tallies: ReadonlyMap<string, ContradictionTally>): string[] {
  const byShare = (a: string, b: string): number =>
    contradictedShare(tallies.get(b)) - contradictedShare(tallies.get(a)) || (a < b ? -1 : 1)
  return reporting.filter((id) => isOutlier(tallies.get(id))).sort(byShare)
}

function isOutlier(tally: ContradictionTally | undefined): boolean {
  if (tally === undefined || tally.contradicted < minContradictions) return false
  return contradictedShare(tally) >= minContradictedShare
}

function contradictedShare(tally: ContradictionTally | undefined): number {
  return tally === undefined || tally.judged === 0 ? 0 : tally.contradicted / tally.judged
}
