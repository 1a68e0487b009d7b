import type { Decision, Policy } from '../../../shared/health.ts'
import { objection, vote as voteOf } from '../decide/vote.ts'
import type { Report } from '../decide/vote.ts'
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

/** Returns one phrase that explains a decision, such as "2 of 3 say LAG: BLOCKS_BEHIND". */
export function decisionReason(to: Decision, evidence: readonly VoteEvidence[], live: number): string {
  if (to === 'UNKNOWN') return `no quorum: ${live} live`
  const wanted = { UP: 'OK', LATENCY: 'LAG', DOWN: 'BAD' }[to]
  const agreeing = evidence.filter(({ vote }) => vote === wanted)
  const reasons = new Set(agreeing.flatMap(({ reason }) => (reason === null ? [] : [reason])))
  const why = reasons.size > 0 ? `: ${[...reasons].join(', ')}` : ''
  return `${agreeing.length} of ${evidence.length} say ${wanted}${why}`
}

/** Returns what to add to a reason while verifiers are refused for their rate; '' where none is. Instants are epoch ms. */
export function limitedText(goodAts: readonly (number | null)[], now: number): string {
  if (goodAts.length === 0) return ''
  const known = goodAts.filter((at) => at !== null)
  if (known.length === 0) return '; limited, no good answer yet'
  const agoSec = Math.max(0, Math.round((now - Math.max(...known)) / 1000))
  return `; limited, last good answer ${agoSec} s ago`
}
