import { isChainless } from '../../shared/chains.ts'
import type { ServiceSummary } from '../../shared/health-services.ts'

type Offered = Pick<ServiceSummary, 'id' | 'name' | 'chain' | 'family' | 'decision'>

/** Services that can stand behind an endpoint of a chain, by name; one that is chosen stays to be seen. */
export function serviceOptions(
  services: readonly Offered[],
  chain: string,
  chosen: string,
): readonly { readonly value: string; readonly label: string }[] {
  const ofChain = services
    .filter((service) => service.chain?.key === chain && !isChainless(service.family))
    .filter(({ family }) => family !== 'subgraph')
    .map(({ id, name, decision }) => ({ value: id, label: `${name} (${id}), ${decision}` }))
    .sort((one, other) => one.label.localeCompare(other.label))
  const isOffered = chosen === '' || ofChain.some(({ value }) => value === chosen)
  return [
    { value: '', label: firstLabel(chain, ofChain.length) },
    ...(isOffered ? [] : [{ value: chosen, label: `${chosen}, not of this chain` }]),
    ...ofChain,
  ]
}

function firstLabel(chain: string, count: number): string {
  if (chain === '') return 'Choose the chain first'
  return count === 0 ? 'No service of this chain' : 'Choose a service'
}
