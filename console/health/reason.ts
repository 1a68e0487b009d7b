import type { Decision } from '../../shared/health.ts'
import type { ServiceDetails, VoteDetails } from '../../shared/health-details.ts'
import { objectionText } from './objections.ts'
import { ago, duration } from './quantities.ts'

/** What a vote says, in the word of the decision that it speaks for. */
export const votedDecisions = { OK: 'UP', LAG: 'LATENCY', BAD: 'DOWN' } as const satisfies Record<
  VoteDetails['vote'],
  Decision
>

const severity = { OK: 0, LAG: 1, BAD: 2 } as const

/** A decision is the lower median of the votes that count, so that ties go to the milder one; null without votes. */
export function majority(votes: readonly VoteDetails[]): VoteDetails['vote'] | null {
  const sorted = votes.toSorted((left, right) => severity[left.vote] - severity[right.vote])
  return sorted[Math.floor((sorted.length - 1) / 2)]?.vote ?? null
}

export interface Reason {
  /** `2 of 3 say LATENCY: 13 blocks behind, seen 4 s ago` */
  readonly text: string
  /** When the votes say something else by now: what, and when the decision follows. */
  readonly outlook: string | null
}

type Reasoned = Pick<ServiceDetails, 'decision' | 'votes' | 'quorum' | 'thresholds'>

/** Why the decision is what it is, for people. */
export function decisionReasonOf(details: Reasoned): Reason {
  const counting = details.votes.filter(({ counts }) => counts)
  if (details.decision === 'UNKNOWN') return { text: unknownText(details, counting.length), outlook: null }
  const raw = majority(counting)
  const voted = raw === null ? null : votedDecisions[raw]
  return {
    text: agreement(counting, details.decision),
    outlook: voted === null || voted === details.decision ? null : outlookOf(details, voted),
  }
}

function unknownText({ quorum }: Reasoned, live: number): string {
  if (quorum.assigned === 0) return 'No verifier watches services of this kind.'
  return `Only ${live} of ${quorum.assigned} verifiers ${live === 1 ? 'reports' : 'report'}; ${quorum.needed} are needed for a decision.`
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

/** How long a raw signal must hold before the decision follows; recovery may take longer after repeated trouble. */
function outlookOf({ decision, thresholds }: Reasoned, voted: Decision): string {
  const { downForMs, latencyForMs, upForMs } = thresholds
  const holdMs = { DOWN: downForMs, LATENCY: decision === 'DOWN' ? upForMs : latencyForMs, UP: upForMs }
  const isRecovery = voted === 'UP' || decision === 'DOWN'
  const held = voted === 'UNKNOWN' ? 0 : holdMs[voted]
  return `Most votes say ${voted} by now. The decision follows when that has held for ${isRecovery ? 'at least ' : ''}${duration(held)}.`
}
