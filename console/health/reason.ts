import type { Decision } from '../../shared/health.ts'
import type { ServiceDetails, VoteDetails } from '../../shared/health-details.ts'
import { votedDecisions } from '../../shared/health-reasons.ts'
import { objectionText } from './objections.ts'
import { ago, duration } from './quantities.ts'

export interface Reason {
  /** `2 of 3 say LATENCY: 13 blocks behind, seen 4 s ago` */
  readonly text: string
  /** When the votes say something else by now: which decision follows, and when. */
  readonly outlook: string | null
}

type Pending = NonNullable<ServiceDetails['pending']>
type Reasoned = Pick<ServiceDetails, 'decision' | 'pending' | 'votes' | 'quorum' | 'expected'>

/** Why the decision is what it is, for people. */
export function decisionReasonOf(details: Reasoned): Reason {
  const counting = details.votes.filter(({ counts }) => counts)
  const { decision, pending } = details
  if (pending !== null)
    return { text: agreement(counting, pending.decision), outlook: outlookOf(decision, pending) }
  const text = decision === 'UNKNOWN' ? unknownText(details, counting.length) : agreement(counting, decision)
  return { text, outlook: null }
}

/** How many verifiers report, of how many, and how many must: `3 of 4 reporting, 3 needed`. */
export function reportingText({
  votes,
  expected,
  quorum,
}: Pick<Reasoned, 'votes' | 'expected' | 'quorum'>): string {
  const live = votes.filter(({ counts }) => counts).length
  return `${live} of ${expected} reporting, ${quorum.needed} needed`
}

function unknownText({ quorum, expected }: Reasoned, live: number): string {
  if (expected === 0) return 'No verifier watches services of this kind.'
  return `Only ${live} of ${expected} verifiers ${live === 1 ? 'reports' : 'report'}; ${quorum.needed} are needed for a decision.`
}

/** Returns the objections of the votes that agree with the decision, or of all votes where none does. */
function agreement(votes: readonly VoteDetails[], decision: Decision): string {
  const agreeing = votes.filter(({ vote }) => votedDecisions[vote] === decision)
  const objections = [...new Set(agreeing.map(objectionText))].filter((text) => text !== '')
  const seen = agreeing.map(({ ageMs }) => ageMs).sort((left, right) => left - right)[0]
  return [
    `${agreeing.length} of ${votes.length} ${agreeing.length === 1 ? 'says' : 'say'} ${decision}`,
    objections.length === 0 ? '' : `: ${objections.join('; ')}`,
    seen === undefined ? '' : `, seen ${ago(seen)}`,
  ].join('')
}

/** Recovery takes longer after repeated trouble, so that the needed time is told, too. */
function outlookOf(decision: Decision, { decision: next, heldSec, neededSec, failures }: Pending): string {
  const inRow = failures === undefined ? '' : `, ${failures.count} of ${failures.needed} failures in a row`
  return `${next} for ${duration(heldSec * 1_000)} of ${duration(neededSec * 1_000)}${inRow}; ${decision} until then`
}
