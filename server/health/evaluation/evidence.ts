import type { Decision, Policy } from '../../../shared/health.ts'
import { objection, voteFor } from '../decide/vote.ts'
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
      const reason = objection(report, policy, published)
      return {
        verifierId: report.verifierId,
        vote: voteNames[voteFor(reason)],
        reason,
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
