import type { Ownership } from '../../platform/leases/ownership.ts'
import type { Log } from '../../platform/log.ts'
import type { FleetLink } from './fleet-link.ts'

/** Suspicions that a service has failed go to the process that probes. */
export interface Suspicions {
  /** Passes a suspicion on. What cannot be passed on is left to the next probe. */
  suspect(serviceId: string): void
  /** Calls back with each service that another process suspects. */
  onSuspect(listener: (serviceId: string) => void): void
}

interface SuspicionsOptions {
  readonly ownership: Pick<Ownership, 'owner'>
  readonly link: FleetLink | null
  readonly nodeId: string
  readonly log: Log
}

const path = '/health/suspect'
const headMs = 1_000

export function createSuspicions({ ownership, link, nodeId, log }: SuspicionsOptions): Suspicions {
  return {
    suspect(serviceId) {
      const owner = ownership.owner()
      if (link === null || owner === null || owner.holder === nodeId) return
      link
        .send(owner.holder, { path, body: serviceId, headMs })
        .then(({ body }) => body?.cancel())
        .catch((error: unknown) => log.debug('a suspicion was not passed on', { serviceId, error }))
    },
    onSuspect(listener) {
      link?.handle(path, ({ body }) => {
        listener(new TextDecoder().decode(body))
        return new Response(null, { status: 204 })
      })
    },
  }
}
