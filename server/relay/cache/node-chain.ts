import type { Endpoint } from '../../endpoints/endpoints.ts'
import type { ServiceHeads } from '../tip/service-heads.ts'
import type { CachedChain } from './endpoint-cache.ts'

/** The chain of an endpoint without a tip, as its one node and the verifiers that watch it tell. */
export function nodeChain({ upstreams }: Endpoint, serviceHeads: Pick<ServiceHeads, 'of'>): CachedChain {
  const serviceId = upstreams[0]?.serviceId ?? null
  let head: number | null = null
  return {
    lowestHead() {
      return (serviceId === null ? null : serviceHeads.of(serviceId)?.height) ?? head
    },
    view: () => null,
    told(height) {
      head = height
    },
  }
}
