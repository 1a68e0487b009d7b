import { startAnvilChain } from '../anvil-chain.ts'
import type { AnvilChain } from '../anvil-chain.ts'
import { startFaultProxy } from '../fault-proxy.ts'
import { findCommand } from '../find-command.ts'
import { startLitecoin } from '../litecoin.ts'
import { repeat } from '../repeating.ts'
import { startReplayNode } from '../replay-node.ts'
import { startRoundRobin } from '../round-robin.ts'
import { startTcpFaultProxy } from '../tcp-fault-proxy.ts'
import {
  readFixture,
  recordedBitcoin,
  recordedFamilies,
  subgraphChanges,
  withChanges,
} from './recorded-families.ts'
import type { RecordedFamily } from './recorded-families.ts'
import { startRecordedNode } from './recorded-node.ts'
import { startSecureEndpoint } from './secure-endpoint.ts'
import { directLine, proxyLine } from './watched-service.ts'
import type { Backend, Line, WatchedService } from './watched-service.ts'

/** Sixty services of 22 families, on nodes of which each can be broken. */
export interface WatchedServices {
  readonly services: readonly WatchedService[]
  /** The chains that are not what their names say, for the declarative file. */
  readonly chains: Readonly<Record<string, object>>
  /** Which nodes are real. */
  readonly real: readonly string[]
  stop(): Promise<void>
}

const anvilCount = 7
const blockSec = 1
/** Blocks by which one of the nodes is always behind. */
export const replicaLag = 90
const litecoinBlockMs = 5_000
/** Families of which three providers are watched; of the others there are two. */
const threeProviders: ReadonlySet<string> = new Set(['solana', 'near', 'cosmos'])

type Place = Pick<WatchedService, 'family' | 'chain'> & { readonly url: string; readonly backend: Backend }
type Stop = () => Promise<void>

export async function startWatchedServices(): Promise<WatchedServices> {
  const stops: Stop[] = []
  const services: WatchedService[] = []
  const providers = new Map<string, number>()

  /**
   * A service of the chain's next provider. It has a proxy in front, at an address of its own, unless it is reached directly. The
   * first of each chain is left alone.
   */
  async function add({ url, ...place }: Place, direct?: Line): Promise<void> {
    const group = place.chain ?? place.family
    const number = (providers.get(group) ?? 0) + 1
    providers.set(group, number)
    const host = `127.0.1.${services.length + 1}`
    const way = direct ? { endpoint: url, line: direct } : await proxied(url, host, stops)
    services.push({
      ...place,
      id: `${group}-${place.family === 'subgraph' ? 'subgraph-' : ''}${number}`,
      provider: `${group} provider ${number}`,
      ...way,
      ca: place.backend.kind === 'secure' ? place.backend.endpoint.ca : null,
      isBystander: number === 1,
    })
  }

  const stop: Stop = async () => {
    for (const end of stops.toReversed()) await end()
  }
  try {
    const anvil = await startAnvilChain(anvilCount, replicaLag + 10)
    stops.push(anvil.stop)
    anvil.nodes[anvilCount - 1]?.trail(replicaLag)
    await addEvm(anvil, add, stops)
    const hasLitecoin = findCommand('litecoind') !== null
    const families = hasLitecoin ? recordedFamilies : [recordedBitcoin, ...recordedFamilies]
    if (hasLitecoin) await addLitecoin(add, stops)
    const startedAt = Date.now()
    for (const family of families) await addRecorded(family, startedAt, add, stops)
    await addChainless(add, stops)
    const real = ['anvil', ...(hasLitecoin ? ['litecoind'] : [])]
    return { services, chains: await chainsOf(families, hasLitecoin), real, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function proxied(
  target: string,
  host: string,
  stops: Stop[],
): Promise<Pick<WatchedService, 'endpoint' | 'line'>> {
  const proxy = await startFaultProxy({ target, host })
  stops.push(proxy.stop)
  return { endpoint: proxy.url, line: proxyLine(proxy) }
}

type Add = (place: Place, line?: Line) => Promise<void>

/** Thirteen services on seven real nodes, and two subgraphs that index their chain. */
async function addEvm(anvil: AnvilChain, add: Add, stops: Stop[]): Promise<void> {
  const evm = { family: 'evm', chain: 'ethereum' } as const
  const node = (index: number) => {
    const found = anvil.nodes[index]
    if (found === undefined) throw new RangeError(`there is no node ${index}`)
    return found
  }
  const shared = (index: number) => add({ ...evm, url: node(index).url, backend: { kind: 'shared' } })
  await shared(0)
  await shared(1)
  for (const index of [2, 3, 4, 5]) {
    const own = node(index)
    const line = directLine({ cut: own.stop, reconnect: own.start })
    await add({ ...evm, url: own.url, backend: { kind: 'own', node: own } }, line)
  }
  for (let count = 0; count < 2; count++) {
    const balancer = startRoundRobin([node(0).url, node(6).url])
    balancer.use(0)
    stops.push(balancer.stop)
    await add({ ...evm, url: balancer.url, backend: { kind: 'balanced', balancer } })
  }
  for (const index of [0, 1, 0, 1, 0]) await shared(index)

  const { answers } = await readFixture('subgraph')
  for (let count = 0; count < 2; count++) {
    const subgraph = startReplayNode(
      () => withChanges(answers, subgraphChanges, { height: anvil.height(), timeMs: Date.now() }),
      { remembersRequests: false },
    )
    stops.push(subgraph.stop)
    await add({ family: 'subgraph', chain: 'ethereum', url: subgraph.url, backend: { kind: 'fixed' } })
  }
}

async function addLitecoin(add: Add, stops: Stop[]): Promise<void> {
  const first = await startLitecoin()
  stops.push(first.stop)
  await first.mine(3)
  const others = [await startLitecoin({ connectTo: first }), await startLitecoin({ connectTo: first })]
  for (const { stop } of others) stops.push(stop)
  const mining = repeat(() => first.mine(1), litecoinBlockMs)
  stops.push(mining.stop)
  for (const node of [first, ...others]) {
    const { hostname: host, port } = new URL(node.url)
    const proxy = await startTcpFaultProxy({ target: { host, port: Number(port) } })
    stops.push(proxy.stop)
    const line = directLine({
      cut() {
        proxy.set({ refuse: true })
        proxy.cut()
      },
      reconnect: () => proxy.set({}),
    })
    const url = node.url.replace(`:${port}`, `:${proxy.port}`)
    await add({ family: 'bitcoin', chain: 'litecoin', url, backend: { kind: 'litecoin', node } }, line)
  }
}

async function addRecorded(
  family: RecordedFamily,
  startedAt: number,
  add: Add,
  stops: Stop[],
): Promise<void> {
  const count = threeProviders.has(family.family) || family.family === 'bitcoin' ? 3 : 2
  for (let index = 0; index < count; index++) {
    const node = await startRecordedNode(family, startedAt)
    stops.push(node.stop)
    const { family: name, chain } = family
    await add({ family: name, chain, url: node.url, backend: { kind: 'recorded', node } })
  }
}

async function addChainless(add: Add, stops: Stop[]): Promise<void> {
  const page = startReplayNode({ '/': 'ok' }, { remembersRequests: false })
  const tools = startReplayNode((await readFixture('mcp')).answers, { remembersRequests: false })
  stops.push(page.stop, tools.stop)
  const fixed = { chain: null, backend: { kind: 'fixed' } } as const
  for (let count = 0; count < 2; count++) await add({ ...fixed, family: 'http', url: `${page.url}/` })
  if (findCommand('openssl') === null) {
    await add({ ...fixed, family: 'http', url: `${page.url}/` })
  } else {
    const endpoint = await startSecureEndpoint()
    stops.push(endpoint.stop)
    const line = directLine({ cut: endpoint.cut, reconnect: endpoint.renew })
    await add({ family: 'http', chain: null, url: endpoint.url, backend: { kind: 'secure', endpoint } }, line)
  }
  for (let count = 0; count < 2; count++) await add({ ...fixed, family: 'mcp', url: `${tools.url}/` })
}

/** Chains that are built in, with the identity of what was recorded or is run here. */
async function chainsOf(
  families: readonly RecordedFamily[],
  hasLitecoin: boolean,
): Promise<Record<string, object>> {
  const chains: Record<string, object> = {
    ethereum: { chainId: 31_337, genesisHash: null, blockMs: blockSec * 1000 },
  }
  if (hasLitecoin) chains['litecoin'] = { chainId: 'regtest', genesisHash: null, blockMs: litecoinBlockMs }
  for (const { family, chain, blockMs } of families) {
    const { chainId } = await readFixture(family)
    chains[chain] = { ...(chainId === null ? {} : { chainId }), genesisHash: null, blockMs }
  }
  return chains
}
