import type { Decision } from '../../shared/health.ts'
import { decisions } from '../../shared/health.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { ReportResult } from './verifiers/reports.ts'

/** The domain's metrics. Labels come from small closed sets: neither services nor verifiers are among them. */
export function createHealthMetrics(metrics: Metrics) {
  const reports = metrics.counter('health_reports_total', 'Batches that verifiers sent, by what became of them', ['result'])
  const transitions = metrics.counter('health_transitions_total', 'Changes of published decisions', ['from', 'to'])
  const services = metrics.gauge('health_services', 'Registered services by published decision', ['decision'])
  const verifiers = metrics.gauge('health_verifiers', 'Enrolled verifiers by state', ['state'])
  const referenceHeight = metrics.gauge('health_reference_height', 'Reference head of a chain, in blocks', ['chain'])
  const referenceAge = metrics.gauge('health_reference_age_seconds', 'Age of the reference head', ['chain'])

  return {
    countReport: (result: ReportResult) => reports.add({ result }),
    countTransition: (from: Decision, to: Decision) => transitions.add({ from, to }),
    showServices(counts: Readonly<Record<Decision, number>>) {
      for (const decision of decisions) services.set(counts[decision], { decision })
    },
    showVerifiers(counts: Readonly<Record<'live' | 'silent' | 'isolated' | 'ejected', number>>) {
      for (const [state, count] of Object.entries(counts)) verifiers.set(count, { state })
    },
    showReference(chain: string, height: number, ageSec: number) {
      referenceHeight.set(height, { chain })
      referenceAge.set(ageSec, { chain })
    },
  }
}
