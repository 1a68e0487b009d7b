import { isChainless } from '../../shared/chains.ts'
import type { SteadyClock } from '../platform/steady-clock.ts'
import type { Evaluation } from './evaluation/evaluation.ts'
import { type ServiceSample, medianResponse, renderServiceMetrics } from './service-metrics.ts'
import type { ListedService } from './services/catalogue.ts'
import type { ServiceList } from './services/list-services.ts'
import type { ActiveVerifiers } from './verifiers/active-verifiers.ts'

interface SampleSources {
  readonly list: Pick<ServiceList, 'visible' | 'stateOf'>
  readonly evaluation: Pick<Evaluation, 'reports' | 'facts'>
  readonly activeVerifiers: Pick<ActiveVerifiers, 'find'>
  readonly clock: SteadyClock
}

/** Creates the use case that renders the metrics of every service that is not hidden. Everything is read from memory. */
export function createServiceMetrics({ list, evaluation, activeVerifiers, clock }: SampleSources) {
  function sampleOf(listed: ListedService): ServiceSample {
    const { service } = listed
    const { decision, decisionSince, liveVerifiers, avgBlocksLatency, avgTimeLatency } = list.stateOf(listed)
    const hasLag = decision !== 'UNKNOWN' && !isChainless(service.family)
    return {
      service,
      decision,
      lagBlocks: hasLag ? avgBlocksLatency : null,
      lagSec: hasLag ? avgTimeLatency : null,
      liveVerifiers,
      changedAt: decisionSince,
      certificateExpiresAt: evaluation.facts(service.id)?.facts.certificateExpiresAt ?? null,
      responseMs: medianResponse(
        evaluation
          .reports(listed)
          .filter(({ verifierId }) => activeVerifiers.find(verifierId)?.isEjected === false),
      ),
    }
  }
  return () => renderServiceMetrics([...list.visible()], sampleOf, clock.now)
}
