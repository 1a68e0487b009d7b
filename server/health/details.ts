import type { Decision, Policy } from '../../shared/health.ts'
import type { ServiceDetails, VoteDetails } from '../../shared/health-details.ts'
import type { ChainView } from './chain-views.ts'
import { isFlapping } from './decide/flapping.ts'
import { minLive } from './decide/quorum.ts'
import type { HealthState } from './decide/state-machine.ts'
import { objection, voteFor } from './decide/vote.ts'
import type { Report } from './decide/vote.ts'
import type { VoteEvidence } from './history/transition.ts'
import type { Service } from './services/service.ts'
import type { ListedVerifier } from './verifiers/directory.ts'

/** Everything that stands behind the published decision of one service. */
export interface DetailsInput {
  readonly service: Service
  /** As anybody is told now. */
  readonly published: Decision
  /** Null before the first evaluation. */
  readonly state: HealthState | null
  readonly reports: readonly Report[]
  readonly assigned: number
  readonly view: ChainView | null
  readonly isInMaintenance: boolean
  readonly findVerifier: (id: string) => ListedVerifier | undefined
  readonly now: number
}

const voteNames = { ok: 'OK', lag: 'LAG', bad: 'BAD' } as const

/** Evidence of the votes behind a decision, the worst first. */
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

/** One sentence that says why, for people: "2 of 3 say LAG: BLOCKS_BEHIND". */
export function reasonOf(to: Decision, evidence: readonly VoteEvidence[], live: number): string {
  if (to === 'UNKNOWN') return `no quorum: ${live} live`
  const wanted = { UP: 'OK', LATENCY: 'LAG', DOWN: 'BAD' }[to]
  const agreeing = evidence.filter(({ vote }) => vote === wanted)
  const reasons = new Set(agreeing.flatMap(({ reason }) => (reason === null ? [] : [reason])))
  const why = reasons.size > 0 ? `: ${[...reasons].join(', ')}` : ''
  return `${agreeing.length} of ${evidence.length} say ${wanted}${why}`
}

export function detailsOf(input: DetailsInput): ServiceDetails {
  const { service, published, state, reports, assigned, view, findVerifier, now } = input
  const votes = evidenceOf(reports, service.policy, published, now).map((evidence): VoteDetails => {
    const verifier = findVerifier(evidence.verifierId)
    return {
      ...evidence,
      region: verifier?.verifier.region ?? '',
      counts: verifier?.isEjected === false,
    }
  })
  const counted = votes.filter(({ counts }) => counts)
  const reference = view?.reference ?? null
  return {
    serviceId: service.id,
    name: service.name,
    family: service.family,
    chain: service.chain,
    provider: service.provider,
    managedBy: service.managedBy,
    decision: published,
    since: Math.floor((state?.since ?? now) / 1000),
    reason: reasonOf(published, counted, counted.length),
    quorum: { assigned, needed: minLive(service.policy, assigned) },
    votes,
    reference: reference && {
      height: reference.height,
      timestamp: reference.timestamp,
      providers: reference.providers,
      corroborated: reference.isCorroborated,
    },
    thresholds: service.policy,
    advisories: advisoriesOf(input),
  }
}

function advisoriesOf({
  service,
  state,
  view,
  now,
  isInMaintenance,
}: DetailsInput): ServiceDetails['advisories'] {
  return [
    ...(state && isFlapping(state, now, service.policy) ? (['FLAPPING'] as const) : []),
    ...(view?.isStalled ? (['CHAIN_STALLED'] as const) : []),
    ...(view?.reference && !view.reference.isCorroborated ? (['UNCORROBORATED'] as const) : []),
    ...(isInMaintenance ? (['MAINTENANCE'] as const) : []),
  ]
}
