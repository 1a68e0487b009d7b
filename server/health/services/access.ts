import type { Catalogue } from './catalogue.ts'
import type { OperatorServices } from './operator-services.ts'
import type { FindChain, Service } from './service.ts'

/** Registered services with their addresses and headers, for the parts that call them. Anchors are excluded. */
export interface ServiceAccess {
  find(id: string): Service | undefined
  list(): Service[]
  /** Returns an operator's service, resolved with the chains of a file that is not active yet. */
  findRegistered(id: string, findChain: FindChain): Service | undefined
  /** Returns a number that changes whenever a service is added, removed or changed. */
  version(): number
}

export const createServiceAccess = (
  catalogue: Catalogue,
  registered: Pick<OperatorServices, 'findWith'>,
): ServiceAccess => ({
  find(id) {
    const service = catalogue.find(id)?.service
    return service?.isHidden === false ? service : undefined
  },
  list: () => [...catalogue.all()].map(({ service }) => service).filter(({ isHidden }) => !isHidden),
  findRegistered: registered.findWith,
  version: () => catalogue.version,
})
