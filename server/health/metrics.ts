import { type Decision, decisions } from '../../shared/health.ts'
import type { VerifierSummary } from '../../shared/health-verifiers.ts'
import { type VerifierCondition, verifierState } from '../../shared/verifier-state.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { SteadyClock } from '../platform/steady-clock.ts'
import { nextTurn } from '../platform/turns.ts'
import type { ServiceFacts } from '../../shared/service-facts.ts'
import type { ChainView } from './evaluation/chain-view.ts'
import { certificateDays, expirySoonDays } from './evaluation/facts.ts'
import type { LostKind } from './history/losses.ts'
import type { Service } from './services/service.ts'
import type { ReportResult } from './verifiers/reports.ts'

const showEveryMs = 5_000
const servicesInOneTurn = 500

/** The sources of the gauges. */
interface Shown {
  readonly services: () => readonly Service[]
  readonly verifiers: () => readonly VerifierSummary[]
  readonly decisions: {
    read(serviceId: string): { decision: Decision }
    views(): Iterable<ChainView>
    facts(serviceId: string): { readonly facts: ServiceFacts } | null
  }
  readonly clock: SteadyClock
}

export type HealthMetrics = ReturnType<typeof createHealthMetrics>

/** Creates the metrics of the health domain. Labels come from small closed sets, which exclude services and verifiers. */
export function createHealthMetrics(metrics: Metrics) {
  const reports = metrics.counter(
    'health_reports_total',
    'Batches that verifiers sent, by what became of them',
    ['result'],
  )
  const transitions = metrics.counter('health_transitions_total', 'Changes of published decisions', [
    'from',
    'to',
  ])
  const lost = metrics.counter(
    'health_history_lost_total',
    'Rows that were given up because the database was away for too long',
    ['kind'],
  )
  // A series that begins with its first loss would show no increase.
  for (const kind of ['rollup', 'transition'] as const satisfies readonly LostKind[]) lost.add({ kind }, 0)
  const services = metrics.gauge('health_services', 'Registered services by published decision', ['decision'])
  const verifiers = metrics.gauge('health_verifiers', 'Enrolled verifiers by state', ['state'])
  const referenceHeight = metrics.gauge('health_reference_height', 'Reference head of a chain, in blocks', [
    'chain',
  ])
  const referenceAge = metrics.gauge('health_reference_age_seconds', 'Age of the reference head', ['chain'])

  const certificates = metrics.gauge(
    'health_certificates',
    'Services with TLS by what their certificate is',
    ['state'],
  )
  const soonestExpiry = metrics.gauge(
    'health_certificate_soonest_expiry_seconds',
    'Time until the first certificate of a service ends; 0 while none is known',
  )

  async function showServices({ services: list, decisions: current, clock }: Shown): Promise<void> {
    const byState = { valid: 0, expiring: 0, refused: 0 }
    let soonestDays = Infinity
    const byDecision = new Map<Decision, number>(decisions.map((decision) => [decision, 0]))
    for (const [index, { id }] of list().entries()) {
      if (index % servicesInOneTurn === 0) await nextTurn()
      const { decision } = current.read(id)
      byDecision.set(decision, (byDecision.get(decision) ?? 0) + 1)
      const facts = current.facts(id)?.facts ?? null
      const days = certificateDays(facts, clock.now())
      if (facts?.certificateProblem) byState.refused++
      else if (days !== null) byState[days <= expirySoonDays ? 'expiring' : 'valid']++
      soonestDays = Math.min(soonestDays, days ?? Infinity)
    }
    for (const [state, count] of Object.entries(byState)) certificates.set(count, { state })
    soonestExpiry.set(Number.isFinite(soonestDays) ? soonestDays * 86_400 : 0)
    for (const [decision, count] of byDecision) services.set(count, { decision })
  }

  function show(shown: Shown): void {
    const { verifiers: list, decisions: current, clock } = shown
    void showServices(shown)
    const states = { live: 0, silent: 0, isolated: 0, ejected: 0 }
    for (const verifier of list()) states[shownStates[verifierState(verifier, clock.now())]]++
    for (const [state, count] of Object.entries(states)) verifiers.set(count, { state })

    for (const { chain, reference } of current.views()) {
      if (reference === null) continue
      referenceHeight.set(reference.height, { chain: chain.key })
      referenceAge.set(Math.max(0, clock.now() / 1000 - reference.timestamp), { chain: chain.key })
    }
  }

  let timer: Timer | undefined
  return {
    countReport: (result: ReportResult) => reports.add({ result }),
    countTransition: (from: Decision, to: Decision) => transitions.add({ from, to }),
    countLost: (kind: LostKind, rows: number) => lost.add({ kind }, rows),
    start(shown: Shown) {
      timer = setInterval(() => show(shown), showEveryMs)
    },
    stop: () => clearInterval(timer),
  }
}

const shownStates = {
  reporting: 'live',
  stale: 'live',
  new: 'silent',
  silent: 'silent',
  'set aside': 'silent',
  isolated: 'isolated',
  ejected: 'ejected',
} as const satisfies Record<VerifierCondition, string>
