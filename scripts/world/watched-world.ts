import { startAnvilChain } from './anvil-chain.ts'
import type { AnvilChain, ChainNode } from './anvil-chain.ts'

/** Short holds, so that nobody waits half a minute for a decision. */
export const quickPolicy = {
  intervalMs: 1_000,
  freshMs: 5_000,
  enterBlocks: 5,
  enterSec: 5,
  downForMs: 1_000,
  latencyForMs: 1_000,
  upForMs: 1_000,
  maxUpForMs: 2_000,
}

/** How many blocks the third node is behind once it trails. */
export const trailedBlocks = 13

/** Real nodes, and services on them that look like those of a real installation. */
export interface WatchedWorld {
  readonly chain: AnvilChain
  /** Follows, follows, trails when told to, can be stopped. */
  node(index: 0 | 1 | 2 | 3): ChainNode
  /** For the declarative file. */
  readonly file: object
  readonly serviceIds: readonly string[]
  stop(): Promise<void>
}

interface Entry {
  readonly id: string
  readonly name: string
  readonly chain: string
  readonly provider: string
  readonly node: 0 | 1 | 2 | 3
  readonly policy?: object
}

const onChain = (
  id: string,
  name: string,
  chain: string,
  provider: string,
  node: Entry['node'],
  policy = {},
): Entry => ({ id, name, chain, provider, node, policy })

const entries: readonly Entry[] = [
  onChain('eth-frankfurt', 'Ethereum Frankfurt', 'ethereum', 'Northwind', 0),
  onChain('eth-virginia', 'Ethereum Virginia', 'ethereum', 'Cascade Labs', 1),
  onChain('eth-singapore', 'Ethereum Singapore', 'ethereum', 'Lumen', 2),
  onChain('base-frankfurt', 'Base Frankfurt', 'base', 'Northwind', 0),
  onChain('base-virginia', 'Base Virginia', 'base', 'Cascade Labs', 1),
  onChain('base-archive', 'Base archive', 'base', 'Blue Harbor', 3),
  onChain('polygon-frankfurt', 'Polygon Frankfurt', 'polygon', 'Northwind', 0),
  onChain('polygon-osaka', 'Polygon Osaka', 'polygon', 'Lumen', 1),
  onChain('polygon-saopaulo', 'Polygon São Paulo', 'polygon', 'Cascade Labs', 1, { minLive: 2 }),
  onChain('arbitrum-virginia', 'Arbitrum Virginia', 'arbitrum', 'Cascade Labs', 1),
  onChain('arbitrum-oregon', 'Arbitrum Oregon', 'arbitrum', 'Blue Harbor', 0),
]

/** The chains that one real chain stands for: their nodes answer as that does. */
const chains = Object.fromEntries(
  ['ethereum', 'base', 'polygon', 'arbitrum'].map((key) => [
    key,
    { chainId: 31337, genesisHash: null, blockMs: 1_000 },
  ]),
)

/** `policy` goes before the quick one, for all services. */
export async function startWatchedWorld(policyOfAll: object = {}): Promise<WatchedWorld> {
  const chain = await startAnvilChain(4)
  const node = (index: Entry['node']): ChainNode => {
    const found = chain.nodes[index]
    if (found === undefined) throw new RangeError(`there is no node ${index}`)
    return found
  }
  const services = entries.map(({ node: index, policy, ...entry }) => ({
    ...entry,
    endpoint: node(index).url,
    policy: { ...quickPolicy, ...policyOfAll, ...policy },
  }))
  return {
    chain,
    node,
    file: { chains, services },
    serviceIds: services.map(({ id }) => id),
    stop: () => chain.stop(),
  }
}
