import type { Decision } from '../../../shared/health.ts'
import type { ServiceDetails, VoteDetails } from '../../../shared/health-details.ts'
import { type NodeCapabilities, capabilitiesOf, labelsOf } from '../../../shared/node-capabilities.ts'
import type { ServiceFacts } from '../../../shared/service-facts.ts'
import type { ChainView } from './chain-view.ts'
import type { HeadObservation } from '../decide/reference-head.ts'
import { isLower } from '../decide/low-trust.ts'
import { isFlapping } from '../decide/state-machine.ts'
import type { HealthState } from '../decide/state-machine.ts'
import type { Report } from '../decide/vote.ts'
import { decisionReason, evidenceOf, limitedText } from './evidence.ts'
import { type KnownFacts, certificateDays, expirySoonDays } from './facts.ts'
import type { RecentTries } from './recent-tries.ts'
import { neededVerifiers } from './service-evaluation.ts'
import type { PendingChange } from './pending-change.ts'
import type { Service } from '../services/service.ts'
import type { ActiveVerifier, ActiveVerifiers } from '../verifiers/active-verifiers.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import type { Evaluation } from './evaluation.ts'
import type { Services } from '../services/services.ts'

/** Everything that explains the published decision of one service. */
export interface DetailsInput {
  readonly service: Service
  /** The decision that the API returns now. */
  readonly published: Decision
  /** Null before the first evaluation. */
  readonly state: HealthState | null
  readonly pending: PendingChange | null
  readonly reports: readonly Report[]
  /** When each verifier whose rate the service limits last had a good answer. */
  readonly limited: readonly (number | null)[]
  readonly tries: RecentTries
  readonly assigned: number
  readonly view: ChainView | null
  /** Its newest heads, one of each verifier. */
  readonly heads: readonly HeadObservation[]
  readonly isInMaintenance: boolean
  /** What verifiers found out beside heads; null before any did. */
  readonly facts: KnownFacts | null
  readonly findVerifier: (id: string) => ActiveVerifier | undefined
  readonly now: number
}

export function detailsOf(input: DetailsInput): ServiceDetails {
  const { service, published, state, pending, reports, assigned, view, findVerifier, now } = input
  const votes = evidenceOf(reports, service.policy, published, now).map((evidence): VoteDetails => {
    const verifier = findVerifier(evidence.verifierId)
    return {
      ...evidence,
      region: verifier?.verifier.region ?? '',
      counts: verifier?.isEjected === false,
    }
  })
  const counted = votes.filter(({ counts }) => counts)
  const newcomers = votes.filter(({ verifierId }) => {
    const joinedAt = findVerifier(verifierId)?.joinedAt ?? 0
    return joinedAt > now - service.policy.freshMs
  })
  const reference = view?.reference ?? null
  const capabilities = capabilitiesOfService(input)
  return {
    serviceId: service.id,
    name: service.name,
    family: service.family,
    chain: service.chain,
    provider: service.provider,
    managedBy: service.managedBy,
    decision: published,
    since: Math.floor((state?.since ?? now) / 1000),
    reason:
      (pendingReason(pending, counted) ?? decisionReason(published, counted, counted.length)) +
      limitedText(input.limited, now),
    pending: pending && {
      decision: pending.to,
      heldSec: Math.floor(pending.heldMs / 1000),
      neededSec: Math.ceil(pending.neededMs / 1000),
      ...(pending.failures && { failures: pending.failures }),
    },
    quorum: { assigned, needed: neededVerifiers(service.policy, assigned) },
    expected: assigned + newcomers.length,
    votes,
    head: newestHead(
      input.heads.filter(({ verifierId }) => findVerifier(verifierId)?.isEjected === false),
      now,
    ),
    reference: reference && {
      height: reference.height,
      timestamp: reference.timestamp,
      providers: reference.providers,
      corroborated: reference.isCorroborated,
    },
    gap: gapOf(input),
    tries: input.tries,
    thresholds: service.policy,
    labels: labelsOf(capabilities, service.capabilities),
    facts: input.facts?.facts ?? null,
    factsAt: input.facts && Math.floor(input.facts.at / 1000),
    declared: service.capabilities,
    contradictions: [...capabilities.contradictions],
    advisories: advisoriesOf(input),
  }
}

function newestHead(heads: readonly HeadObservation[], now: number): ServiceDetails['head'] {
  const [newest] = heads.toSorted((one, other) => other.at - one.at)
  if (newest === undefined) return null
  const { height, timestamp, at } = newest
  return { height, timestamp, ageMs: Math.max(0, Math.round(now - at)) }
}

function gapOf({ service, view, now }: DetailsInput): ServiceDetails['gap'] {
  const gap = view?.gap ?? null
  if (gap === null || now - gap.at > service.policy.freshMs) return null
  return {
    blocks: gap.blocks,
    isBehind: isLower(service, gap),
    since: Math.floor(gap.since / 1000),
  }
}

const capabilitiesOfService = ({
  service,
  facts,
  view,
}: Pick<DetailsInput, 'service' | 'facts' | 'view'>): NodeCapabilities =>
  capabilitiesOf(service.capabilities, facts?.facts ?? null, view?.reference?.height ?? null)

/** Returns a phrase such as "3 of 3 say OK for 12 s of 30 s"; null where nothing is pending. */
function pendingReason(pending: PendingChange | null, voting: readonly VoteDetails[]): string | null {
  if (pending === null) return null
  const { to, heldMs, neededMs, failures } = pending
  const counted = failures === undefined ? '' : `, ${failures.count} of ${failures.needed} failures in a row`
  const held = `${Math.floor(heldMs / 1000)} s of ${Math.ceil(neededMs / 1000)} s${counted}`
  return `${decisionReason(to, voting, voting.length)} for ${held}`
}

/** How old (ms) the head of a chain whose sequencer pauses may be before that is worth saying. */
const oldHeadMs = 120_000

const hasOldHead = ({ chain, reference }: ChainView, now: number): boolean =>
  chain.headAge === 'idle' && reference !== null && now - reference.timestamp * 1000 > oldHeadMs

function advisoriesOf({
  service,
  state,
  view,
  reports,
  assigned,
  now,
  isInMaintenance,
  facts,
}: DetailsInput): ServiceDetails['advisories'] {
  return [
    ...(state && isFlapping(state, now, service.policy) ? (['FLAPPING'] as const) : []),
    ...(view?.isStalled ? (['CHAIN_STALLED'] as const) : []),
    ...(view && hasOldHead(view, now) ? (['HEAD_OLD'] as const) : []),
    ...(view?.reference && !view.reference.isCorroborated ? (['UNCORROBORATED'] as const) : []),
    ...(assigned === 2 && reports.length === 1 ? (['VERIFIER_SILENT'] as const) : []),
    ...(isInMaintenance ? (['MAINTENANCE'] as const) : []),
    ...(facts?.facts.isSyncing === true ? (['SYNCING'] as const) : []),
    ...(capabilitiesOfService({ service, facts, view }).contradictions.length > 0
      ? (['CAPABILITY_CONTRADICTED'] as const)
      : []),
    ...certificateAdvisories(facts?.facts ?? null, now),
  ]
}

function certificateAdvisories(facts: ServiceFacts | null, now: number): ServiceDetails['advisories'] {
  if (facts?.certificateProblem) return ['CERTIFICATE_REFUSED']
  const days = certificateDays(facts, now)
  return days !== null && days <= expirySoonDays ? ['CERTIFICATE_EXPIRES'] : []
}

interface DetailsSources {
  readonly services: Services
  readonly evaluation: Evaluation
  readonly activeVerifiers: ActiveVerifiers
  readonly clock: SteadyClock
}

/** Creates the use case that explains the decision of a service. It throws the fault `not_found`. */
export function createDetails({ services, evaluation, activeVerifiers, clock }: DetailsSources) {
  return (serviceId: string): ServiceDetails => {
    const listed = services.find(serviceId)
    const { service } = listed
    const now = clock.now()
    return detailsOf({
      service,
      published: evaluation.read(serviceId).decision,
      state: evaluation.state(listed),
      pending: evaluation.pendingChange(listed),
      reports: evaluation.reports(listed),
      limited: evaluation.limited(listed),
      tries: evaluation.tries(listed),
      assigned: activeVerifiers.assigned(service.family, now - service.policy.freshMs),
      view: service.chain === null ? null : evaluation.view(service.chain),
      heads: evaluation.heads(serviceId),
      isInMaintenance: services.maintenance(serviceId) !== null,
      facts: evaluation.facts(serviceId),
      findVerifier: activeVerifiers.find,
      now,
    })
  }
}

/**
 * Creates the use case that says what a service can be asked for: what is declared of it, completed by what verifiers
 * found out. The relay routes by it. It throws the fault `not_found`.
 */
export const createCapabilities =
  ({ services, evaluation }: Pick<DetailsSources, 'services' | 'evaluation'>) =>
  (serviceId: string): NodeCapabilities => {
    const { service } = services.find(serviceId)
    const view = service.chain === null ? null : evaluation.view(service.chain)
    return capabilitiesOfService({ service, facts: evaluation.facts(serviceId), view })
  }
