import { createTestInstallation } from '../../world/gatehouse-process.ts'
import { makeQueryKeys } from '../../world/made-query-keys.ts'
import { signInAt } from '../../world/signed-in-client.ts'
import { waitUntil } from '../../world/wait-until.ts'
import { residentMb } from '../../world/sse-streams.ts'
import { atMost, type Benchmark, benchmarkRowOf } from '../benchmark.ts'
import { cpuMsOf } from '../process-cpu.ts'
import { startBareFanOut } from '../relay/bare-fan-out.ts'
import { type HeadNode, openSubscribers, startHeadNode } from '../relay/subscribers.ts'
import { ratios } from '../statistics.ts'

const subscriberCount = 2_000
/** A key has at most 100 WebSockets. */
const perKey = 80
/** The bare fan-out has its stream all the time. */
const bareStreams = 1
const warmUp = 30
const blocksPerRound = 50

/** Somebody who serves one stream of a node to many. */
interface Server {
  readonly pid: number
  readonly urls: readonly string[]
}

export const relaySubscribers: Benchmark = {
  name: 'relay-subscribers',
  about:
    'one stream of new blocks for 2,000 WebSockets: time to the last of them, memory, against a bare fan-out',

  async run({ rounds }) {
    const node = startHeadNode()
    const installation = await createTestInstallation(fileFor(node))
    const bare = await startBareFanOut(node.port)
    try {
      const server = await installation.start({ GATEHOUSE_LOG_LEVEL: 'error' })
      const owner = await signInAt(server.url)
      const keys = await makeQueryKeys(owner, server.url, wishes)
      const origin = server.url.replace('http', 'ws')
      const urls = Array.from({ length: subscriberCount }, (_, index) => {
        const key = keys[Math.floor(index / perKey)]?.key ?? ''
        return `${origin}/rpc/blocks/${key}`
      })
      const bareUrls = urls.map(() => `ws://127.0.0.1:${bare.port}`)
      const ours = { pid: server.pid, urls }
      await measure(ours, node) // What the process allocates once is not what a subscriber costs.
      const measured = []
      const compared = []
      for (let round = 0; round < rounds; round++) {
        measured.push(await measure(ours, node))
        compared.push(await measure({ pid: bare.pid, urls: bareUrls }, node))
      }
      return resultOf(measured, compared)
    } finally {
      await bare.stop()
      await installation.remove()
      await node.stop()
    }
  },
}

const fileFor = ({ url }: HeadNode): object => ({
  verifiers: { builtIn: false },
  chains: { blocks: { family: 'evm', chainId: 1, blockMs: 12_000 } },
  endpoints: [{ name: 'blocks', chain: 'blocks', upstreams: [{ url }] }],
})

/** Both limits are set, and far away. */
const wishes = Array.from({ length: Math.ceil(subscriberCount / perKey) }, (_, index) => ({
  name: `subscribers ${index + 1}`,
  endpoint: 'blocks',
  rateLimit: 1_000_000_000,
  rateLimitPeriod: 'minute',
  creditsLimit: 1_000_000_000_000,
  creditsLimitPeriod: 'hour',
}))

interface Measured {
  readonly medianMs: number
  readonly kilobytes: number
  /** CPU of one notification. */
  readonly microseconds: number
  readonly streams: number
}

async function measure({ pid, urls }: Server, node: HeadNode): Promise<Measured> {
  const before = residentMb(pid)
  const subscribers = await openSubscribers(urls)
  const times: number[] = []
  for (let block = 0; block < warmUp; block++) await subscribers.msToLast(node.announce)
  const cpuBefore = cpuMsOf([pid])
  for (let block = 0; block < blocksPerRound; block++) times.push(await subscribers.msToLast(node.announce))
  const microseconds = ((cpuMsOf([pid]) - cpuBefore) * 1_000) / (blocksPerRound * urls.length)
  const kilobytes = ((residentMb(pid) - before) * 1_024) / urls.length
  const streams = node.streams() - bareStreams
  subscribers.close()
  await waitUntil('their stream is closed', () => node.streams() === bareStreams)
  const medianMs = times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN
  return { medianMs, kilobytes, microseconds, streams }
}

function resultOf(ours: readonly Measured[], bare: readonly Measured[]) {
  const msOf = (all: readonly Measured[]) => all.map(({ medianMs }) => medianMs)
  return {
    title: `One stream of new blocks for ${subscriberCount.toLocaleString('en-US')} WebSockets`,
    rows: [
      benchmarkRowOf(
        'streams of the node',
        '',
        ours.map(({ streams }) => streams),
        atMost(1),
      ),
      benchmarkRowOf('from the node until the last has the block', 'ms', msOf(ours), atMost(5)),
      benchmarkRowOf('the same, bare fan-out', 'ms', msOf(bare)),
      benchmarkRowOf('ours to bare', '×', ratios(msOf(ours), msOf(bare))),
      benchmarkRowOf(
        'CPU of a notification',
        'µs',
        ours.map(({ microseconds }) => microseconds),
      ),
      benchmarkRowOf(
        'the same, bare fan-out',
        'µs',
        bare.map(({ microseconds }) => microseconds),
      ),
      benchmarkRowOf(
        'memory of a subscriber',
        'kB',
        ours.map(({ kilobytes }) => kilobytes),
        atMost(20),
      ),
    ],
    notes: [
      `Node and clients are one process, the server another. ${blocksPerRound} blocks with headers of 1.1 kB each after ${warmUp} to warm up; each subscriber is a WebSocket with a key that has both limits, and each notification is admitted, counted and charged. The bare fan-out sends each message of the node to everybody as it is. Times are medians and hold the clients' own. Memory is growth of the resident size with all subscribers, after a first round that is not counted.`,
    ],
  }
}
