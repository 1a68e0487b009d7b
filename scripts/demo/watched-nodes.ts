import { stringify } from 'yaml'

export const nodeNames = ['node-a', 'node-b', 'node-c'] as const

/** Short holds, so that nobody waits half a minute for a decision; the defaults are for real chains. */
const policy = {
  intervalMs: 1_000,
  freshMs: 30_000,
  enterBlocks: 5,
  enterSec: 5,
  downForMs: 3_000,
  latencyForMs: 3_000,
  upForMs: 3_000,
  maxUpForMs: 6_000,
}

/**
 * The declarative file of the demo: three nodes of one chain, each run by somebody else, a way to call them, and a page for
 * everybody.
 */
export function gatehouseFile(urls: readonly string[], registryFolder: string | null): string {
  const services = nodeNames.map((name, index) => ({
    id: name,
    name: `Node ${name.slice(-1).toUpperCase()}`,
    chain: 'testnet',
    provider: `provider-${name.slice(-1)}`,
    endpoint: urls[index],
    policy,
  }))
  const shown = nodeNames.map((id) => ({ id }))
  const upstreams = nodeNames.map((name) => ({ service: name }))
  return stringify({
    chains: { testnet: { family: 'evm', chainId: 31337, blockMs: 1_000 } },
    services,
    endpoints: [{ name: 'testnet', chain: 'testnet', upstreams }],
    status: [{ page: 'demo', title: 'Nodes of the demo', groups: [{ name: 'Testnet', services: shown }] }],
    ...(registryFolder !== null && { registry: { source: registryFolder } }),
  })
}
