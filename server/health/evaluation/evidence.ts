import type { Decision, Policy } from '../../../shared/health.ts'
import type { SeenCause } from '../decide/cause.ts'
import { objection, vote as voteOf } from '../decide/vote.ts'
import type { Report, VoteObjection } from '../decide/vote.ts'
import type { VoteEvidence } from '../history/transition.ts'

const voteNames = { ok: 'OK', lag: 'LAG', bad: 'BAD' } as const

/** Returns the votes behind a decision with their reasons, the worst first. */
export function evidenceOf(
  reports: readonly Report[],
  policy: Policy,
  published: Decision,
  now: number,
): VoteEvidence[] {
  const order = { BAD: 0, LAG: 1, OK: 2 }
  return reports
    .map((report): VoteEvidence => {
      return {
        verifierId: report.verifierId,
        vote: voteNames[voteOf(report, policy, published)],
        reason: objection(report, policy, published),
        lagBlocks: report.lagBlocks,
        lagSec: report.lagSec,
        rttMs: Math.round(report.rttMs),
        ageMs: Math.max(0, Math.round(now - report.at)),
      }
    })
    .sort((left, right) => order[left.vote] - order[right.vote])
}

const wantedVotes = { UP: 'OK', LATENCY: 'LAG', DOWN: 'BAD' } as const

/** Returns one phrase that explains a decision, such as "2 of 3 say LAG: BLOCKS_BEHIND". */
export function decisionReason(to: Decision, evidence: readonly VoteEvidence[], live: number): string {
  if (to === 'UNKNOWN') return `no quorum: ${live} live`
  const agreeing = evidence.filter(({ vote }) => vote === wantedVotes[to])
  const reasons = new Set(agreeing.flatMap(({ reason }) => (reason === null ? [] : [reason])))
  return phraseOf(agreeing.length, evidence.length, wantedVotes[to], [...reasons].join(', '))
}

const phraseOf = (agreeing: number, all: number, vote: string, objections: string): string =>
  `${agreeing} of ${all} say ${vote}${objections === '' ? '' : `: ${objections}`}`

/** Returns what the votes hold against a service that is LATENCY or DOWN, without the cost of evidence. */
export function seenCause(
  reports: readonly Report[],
  policy: Policy,
  published: 'LATENCY' | 'DOWN',
): SeenCause {
  const found = new Set<VoteObjection>()
  let agreeing = 0
  for (const report of reports) {
    if (voteNames[voteOf(report, policy, published)] !== wantedVotes[published]) continue
    agreeing++
    const reason = objection(report, policy, published)
    if (reason !== null) found.add(reason)
  }
  const objections = [...found].sort().join(', ')
  return { objections, reason: phraseOf(agreeing, reports.length, wantedVotes[published], objections) }
}

/** Returns what to add to a reason while verifiers are refused for their rate; '' where none is. Instants are epoch ms. */
export function limitedText(goodAts: readonly (number | null)[], now: number): string {
  if (goodAts.length === 0) return ''
  const known = goodAts.filter((at) => at !== null)
  if (known.length === 0) return '; limited, no good answer yet'
  const agoSec = Math.max(0, Math.round((now - Math.max(...known)) / 1000))
  return `; limited, last good answer ${agoSec} s ago`
}
