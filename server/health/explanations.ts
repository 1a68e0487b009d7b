import type { ServiceDetails } from '../../shared/health-details.ts'
import type { SteadyClock } from '../platform/steady-clock.ts'
import type { Decisions } from './decisions.ts'
import { detailsOf } from './details.ts'
import type { Services } from './services/services.ts'
import type { Directory } from './verifiers/directory.ts'

interface ExplanationSources {
  readonly services: Services
  readonly decisions: Decisions
  readonly directory: Directory
  readonly clock: SteadyClock
}

/** Says of a service why its decision is what it is. Fault: `not_found`. */
export function createExplanations({ services, decisions, directory, clock }: ExplanationSources) {
  return (serviceId: string): ServiceDetails => {
    const listed = services.find(serviceId)
    const { service } = listed
    return detailsOf({
      service,
      published: decisions.read(serviceId).decision,
      state: decisions.state(listed),
      reports: decisions.reports(listed),
      assigned: directory.assigned(service.family, clock.now() - service.policy.freshMs),
      view: service.chain === null ? null : decisions.view(service.chain),
      isInMaintenance: services.maintenance(serviceId) !== null,
      findVerifier: directory.find,
      now: clock.now(),
    })
  }
}
