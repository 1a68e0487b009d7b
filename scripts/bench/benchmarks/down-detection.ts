import { startAnvil } from '../../world/anvil.ts'
import type { Anvil } from '../../world/anvil.ts'
import { HealthResponse } from '../../../shared/health.ts'
import { atMost, benchmarkRowOf } from '../benchmark.ts'
import type { Benchmark, Row } from '../benchmark.ts'
import { startFlakyNode } from '../fixtures/flaky-node.ts'
import type { FlakyNode, Flaw } from '../fixtures/flaky-node.ts'
import { startBenchServer } from '../server/server-process.ts'

const killedCount = 12
const frozenCount = 4
/** Longer than the interval in which a node is probed, so that every phase of it is met. */
const phaseMs = 20_000
const patienceMs = 60_000
const pollMs = 50
const minuteMs = 60_000

/** Nodes that sometimes answer badly, and are never down. */
const flaws: readonly { name: string; share: number; flaw: Flaw }[] = [
  { name: 'random 502, a tenth of all requests', share: 0.1, flaw: { status: 502 } },
  { name: 'no answer, to a twentieth of all requests', share: 0.05, flaw: 'hang' },
  { name: 'single 429s, a tenth of all requests', share: 0.1, flaw: { status: 429 } },
  { name: 'nothing wrong', share: 0, flaw: { status: 500 } },
]

export const downDetection: Benchmark = {
  name: 'down-detection',
  about:
    'from the death of a real node until GET says DOWN, and false alarms of flaky ones, at default settings',

  async run({ minutes }) {
    const nodes: Anvil[] = []
    const flaky: FlakyNode[] = []
    try {
      for (let index = 0; index < killedCount + frozenCount + 1; index++) nodes.push(await startNode(index))
      const healthy = nodes.at(-1)?.url ?? ''
      for (const { share, flaw } of flaws) flaky.push(startFlakyNode(healthy, share, flaw))
      const server = await startBenchServer(fileFor(nodes, flaky))
      try {
        await server.untilDecided(nodes.length - 1 + flaky.length)
        const [deaths, alarms] = await Promise.all([
          measureDeaths(server.url, nodes),
          watchFlaky(server.url, flaky, minutes),
        ])
        return { title: 'Detecting a dead node', rows: [...deaths, ...alarms], notes: notesFor(minutes) }
      } finally {
        await server.stop()
      }
    } finally {
      for (const node of nodes) await node.stop()
      for (const node of flaky) await node.stop()
    }
  },
}

const notesFor = (minutes: number): string[] => [
  `${killedCount} anvil nodes killed and ${frozenCount} frozen (they take connections and never answer), each at a random instant within ${phaseMs / 1000} s; beside them, for ${minutes} minutes, nodes that sometimes answer badly. The built-in verifier at the default policy: probed every 10 s, and after a failure again after 1, 2 and 3 s.`,
]

async function measureDeaths(url: string, nodes: readonly Anvil[]): Promise<Row[]> {
  const timesOf = (from: number, to: number, end: (node: Anvil) => unknown): Promise<number[]> =>
    Promise.all(nodes.slice(from, to).map((node, place) => timeUntilDown(url, from + place, () => end(node))))
  const [killed, frozen] = await Promise.all([
    timesOf(0, killedCount, (node) => node.stop()),
    timesOf(killedCount, killedCount + frozenCount, (node) => node.pause()),
  ])
  return [
    benchmarkRowOf('killed, until GET says DOWN: mean', 's', [meanOf(killed)], atMost(10)),
    benchmarkRowOf('killed, each', 's', killed),
    benchmarkRowOf('killed, the longest', 's', [Math.max(...killed)], atMost(15)),
    benchmarkRowOf('frozen, until GET says DOWN: mean', 's', [meanOf(frozen)]),
    benchmarkRowOf('frozen, each', 's', frozen),
    benchmarkRowOf('frozen, the longest', 's', [Math.max(...frozen)], atMost(25)),
  ]
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** Counts how often each flaky node becomes DOWN, and how often a good one is probed. */
async function watchFlaky(url: string, flaky: readonly FlakyNode[], minutes: number): Promise<Row[]> {
  const alarms = flaky.map(() => 0)
  const before = flaky.map((node) => node.requests())
  const last = flaky.map(() => '')
  const endsAt = performance.now() + minutes * minuteMs
  while (performance.now() < endsAt) {
    for (const index of flaky.keys()) {
      const decision = await decisionOf(url, flakyId(index))
      if (decision === 'DOWN' && last[index] !== 'DOWN') alarms[index] = (alarms[index] ?? 0) + 1
      last[index] = decision
    }
    await Bun.sleep(4 * pollMs)
  }
  const wellProbed = (flaky.at(-1)?.requests() ?? 0) - (before.at(-1) ?? 0)
  return [
    ...flaws
      .slice(0, -1)
      .map(({ name }, index) =>
        benchmarkRowOf(`false DOWN in ${minutes} minutes: ${name}`, '', [alarms[index] ?? 0], atMost(0)),
      ),
    benchmarkRowOf('probes of a node with nothing wrong', '/h', [(wellProbed / minutes) * 60], atMost(380)),
  ]
}

const chainId = 31_337
const nodeId = (index: number): string => `node-${index}`
const flakyId = (index: number): string => `flaky-${index}`
const startNode = (index: number): Promise<Anvil> =>
  startAnvil({
    chainId: chainId + index,
    timestamp: Math.floor(Date.now() / 1000),
    blocks: { everySec: 1 },
  })

/** A chain for each node: the nodes of one chain are probed at the same time. */
function fileFor(nodes: readonly Anvil[], flaky: readonly FlakyNode[]): object {
  const lastId = chainId + nodes.length - 1
  const watched = [
    ...nodes.slice(0, -1).map(({ url }, index) => ({ id: nodeId(index), url, chain: chainId + index })),
    ...flaky.map(({ url }, index) => ({ id: flakyId(index), url, chain: lastId })),
  ]
  const chains = watched.map(({ id, chain }) => [id, { family: 'evm', chainId: chain, blockMs: 1000 }])
  const services = watched.map(({ id, url }) => ({
    id,
    name: id,
    chain: id,
    provider: 'bench',
    endpoint: url,
  }))
  return { chains: Object.fromEntries(chains), services }
}

/** In seconds. */
async function timeUntilDown(url: string, index: number, end: () => unknown): Promise<number> {
  await Bun.sleep(Math.random() * phaseMs)
  const endedAt = performance.now()
  await end()
  while ((await decisionOf(url, nodeId(index))) !== 'DOWN') {
    if (performance.now() - endedAt > patienceMs) throw new Error(`node ${index} is not DOWN after a minute`)
    await Bun.sleep(pollMs)
  }
  return (performance.now() - endedAt) / 1000
}

async function decisionOf(url: string, id: string): Promise<string> {
  const response = await fetch(`${url}/health/${id}`)
  return HealthResponse.parse(await response.json()).result.decision
}
