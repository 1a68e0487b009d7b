import type { Chain } from '../../shared/chains.ts'
import type { ServiceLine, ServiceState } from '../../shared/health-services.ts'
import type { Decisions } from './decisions.ts'
import type { ListedService } from './services/catalogue.ts'
import type { Services } from './services/services.ts'

interface LineSources {
  readonly services: Pick<Services, 'catalogue' | 'maintenance'>
  readonly decisions: Pick<Decisions, 'numbers' | 'state'>
  readonly findChain: (key: string) => Chain | undefined
}

/** Services as people see them, read from memory. */
export function createServiceLines({ services, decisions, findChain }: LineSources) {
  function stateOf(listed: ListedService): ServiceState {
    const { id } = listed.service
    const { decision, evaluatedAt, ...numbers } = decisions.numbers(id)
    const state = decisions.state(listed)
    const isSettled = state !== null && state.published === decision // not so in the moment after a quorum is lost
    return {
      id,
      decision,
      decisionSince: isSettled ? Math.floor(state.since / 1000) : null,
      liveVerifiers: numbers.liveVerifiers,
      avgBlocksLatency: numbers.avgBlocksLatency,
      avgTimeLatency: numbers.avgTimeLatency,
      timestamp: Math.floor(evaluatedAt / 1000),
      maintenance: services.maintenance(id),
    }
  }

  function lineOf(listed: ListedService): ServiceLine {
    const { name, family, chain, provider, managedBy } = listed.service
    const chainName = chain === null ? null : { key: chain, name: findChain(chain)?.name ?? chain }
    return { ...stateOf(listed), name, family, chain: chainName, provider, managedBy }
  }

  function* visible(): Generator<ListedService> {
    for (const listed of services.catalogue.all()) if (!listed.service.isHidden) yield listed
  }

  return {
    of: lineOf,
    all: (): ServiceLine[] => [...visible()].map(lineOf),
    *states(): Generator<ServiceState> {
      for (const listed of visible()) yield stateOf(listed)
    },
  }
}
