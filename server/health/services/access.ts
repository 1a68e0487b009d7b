import type { Catalogue } from './catalogue.ts'
import type { OperatorServices } from './operator-services.ts'
import type { FindChain, Service } from './service.ts'

/** Registered services with their addresses and headers, for those who call them. Anchors are not among them. */
export interface ServiceAccess {
  find(id: string): Service | undefined
  list(): Service[]
  /** A service of an operator as it is with the chains of a file that is not in force yet. */
  findRegistered(id: string, findChain: FindChain): Service | undefined
  /** Another one whenever a service came, went or changed. */
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
