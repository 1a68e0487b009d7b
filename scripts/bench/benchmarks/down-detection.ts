import { minuteMs } from '../../../shared/durations.ts'
import { startAnvil } from '../../world/anvil.ts'
import type { Anvil } from '../../world/anvil.ts'
import { HealthResponse } from '../../../shared/health.ts'
import { atMost, benchmarkRowOf } from '../benchmark.ts'
import type { Benchmark, Row } from '../benchmark.ts'
import { startFlakyNode } from '../fixtures/flaky-node.ts'
import type { FlakyNode, Flaw } from '../fixtures/flaky-node.ts'
import { startRefusingNode } from '../fixtures/refusing-node.ts'
import type { RefusingNode } from '../fixtures/refusing-node.ts'
import { startBenchServer } from '../server/server-process.ts'

const killedCount = 12
const frozenCount = 4
/** Enough that the mean is one of the product and not of the phases in which they happened to be probed. */
const refusingCount = 36
const intervalSec = 10
/** Longer than the interval in which a node is probed, so that every phase of it is met. */
const phaseMs = 20_000
const patienceMs = 60_000
const pollMs = 50

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
    const refusing: RefusingNode[] = []
    try {
      for (let index = 0; index < killedCount + frozenCount + 1; index++) nodes.push(await startNode(index))
      const healthy = nodes.at(-1)?.url ?? ''
      for (const { share, flaw } of flaws) flaky.push(startFlakyNode(healthy, share, flaw))
      for (let index = 0; index < refusingCount; index++) refusing.push(await startRefusingNode(healthy))
      const server = await startBenchServer(fileFor(nodes, flaky, refusing))
      try {
        await server.untilDecided(nodes.length - 1 + flaky.length + refusing.length)
        const [deaths, phases, alarms] = await Promise.all([
          measureDeaths(server.url, nodes),
          measurePhases(server.url, refusing),
          watchFlaky(server.url, flaky, minutes),
        ])
        const rows = [...deaths, ...phases, ...alarms]
        return { title: 'Detecting a dead node', rows, notes: notesFor(minutes) }
      } finally {
        await server.stop()
      }
    } finally {
      for (const node of nodes) await node.stop()
      for (const node of [...flaky, ...refusing]) await node.stop()
    }
  },
}

const notesFor = (minutes: number): string[] => [
  `${killedCount} anvil nodes killed and ${frozenCount} frozen (they take connections and never answer), each at a random instant within ${phaseMs / 1000} s; beside them, for ${minutes} minutes, nodes that sometimes answer badly, and ${refusingCount} whose connections are reset from a random instant on. The built-in verifier at the default policy: probed every 10 s, and after a failure again after 1, 2 and 3 s.`,
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

/** Where the time goes. The first part is chance, with half an interval as its mean; the others are the product's. */
async function measurePhases(url: string, refusing: readonly RefusingNode[]): Promise<Row[]> {
  const parts = await Promise.all(
    refusing.map(async (node, index) => {
      await Bun.sleep(Math.random() * phaseMs)
      const startedAt = performance.now()
      node.refuse()
      await untilDown(url, refusingId(index))
      const { firstAt, lastAt } = node.refused() ?? { firstAt: startedAt, lastAt: startedAt }
      return [firstAt - startedAt, lastAt - firstAt, performance.now() - lastAt].map((ms) => ms / 1000)
    }),
  )
  const part = (index: number): number[] => parts.map((one) => one[index] ?? 0)
  const ownSec = meanOf(part(1)) + meanOf(part(2))
  return [
    benchmarkRowOf('connections reset: until the next probe', 's', part(0)),
    benchmarkRowOf('from the first failed probe to the last retest', 's', part(1)),
    benchmarkRowOf('from the last retest until GET says DOWN', 's', part(2)),
    benchmarkRowOf(
      'half an interval and the means of the last two',
      's',
      [intervalSec / 2 + ownSec],
      atMost(10),
    ),
  ]
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** Counts how often each flaky node becomes DOWN, and how often a good one is probed. */
async function watchFlaky(url: string, flaky: readonly FlakyNode[], minutes: number): Promise<Row[]> {
  const alarms = flaky.map(() => 0)
  const healthy = flaky.at(-1)
  const before = { probes: healthy?.probes() ?? 0, requests: healthy?.requests() ?? 0 }
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
  const perHour = (count: number): number => (count / minutes) * 60
  const probes = (healthy?.probes() ?? 0) - before.probes
  const requests = (healthy?.requests() ?? 0) - before.requests
  return [
    ...flaws
      .slice(0, -1)
      .map(({ name }, index) =>
        benchmarkRowOf(`false DOWN in ${minutes} minutes: ${name}`, '', [alarms[index] ?? 0], atMost(0)),
      ),
    benchmarkRowOf('probes of a node with nothing wrong', '/h', [perHour(probes)], atMost(380)),
    benchmarkRowOf('requests to it, with what finds out what it can do', '/h', [perHour(requests)]),
  ]
}

const chainId = 31_337
const nodeId = (index: number): string => `node-${index}`
const flakyId = (index: number): string => `flaky-${index}`
const refusingId = (index: number): string => `refusing-${index}`
const startNode = (index: number): Promise<Anvil> =>
  startAnvil({
    chainId: chainId + index,
    timestamp: Math.floor(Date.now() / 1000),
    blocks: { everySec: 1 },
  })

/** A chain for each node: the nodes of one chain are probed at the same time. */
function fileFor(
  nodes: readonly Anvil[],
  flaky: readonly FlakyNode[],
  refusing: readonly RefusingNode[],
): object {
  const lastId = chainId + nodes.length - 1
  const watched = [
    ...nodes.slice(0, -1).map(({ url }, index) => ({ id: nodeId(index), url, chain: chainId + index })),
    ...flaky.map(({ url }, index) => ({ id: flakyId(index), url, chain: lastId })),
    ...refusing.map(({ url }, index) => ({ id: refusingId(index), url, chain: lastId })),
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
  await untilDown(url, nodeId(index))
  return (performance.now() - endedAt) / 1000
}

async function untilDown(url: string, id: string): Promise<void> {
  const startedAt = performance.now()
  while ((await decisionOf(url, id)) !== 'DOWN') {
    if (performance.now() - startedAt > patienceMs) throw new Error(`${id} is not DOWN after a minute`)
    await Bun.sleep(pollMs)
  }
}

async function decisionOf(url: string, id: string): Promise<string> {
  const response = await fetch(`${url}/health/${id}`)
  return HealthResponse.parse(await response.json()).result.decision
}
