import { startAnvil } from '../../world/anvil.ts'
import type { Anvil } from '../../world/anvil.ts'
import { HealthResponse } from '../../../shared/health.ts'
import { atMost } from '../benchmark.ts'
import type { Benchmark } from '../benchmark.ts'
import { startBenchServer } from '../server/server-process.ts'
import { spreadOf } from '../statistics.ts'

const killedCount = 3
const frozenCount = 1
/** Longer than the interval in which a node is probed, so that every phase of it is met. */
const phaseMs = 10_000
const patienceMs = 60_000

export const downDetection: Benchmark = {
  name: 'down-detection',
  about: 'from the death of a real node until GET says DOWN, at default settings',

  async run() {
    const nodes: Anvil[] = []
    try {
      for (let index = 0; index < killedCount + frozenCount; index++) nodes.push(await startNode(index))
      const server = await startBenchServer(fileFor(nodes))
      try {
        await server.untilDecided(nodes.length)
        const killed = nodes
          .slice(0, killedCount)
          .map((node, index) => timeUntilDown(server.url, index, node.stop))
        const frozen = nodes
          .slice(killedCount)
          .map((node, index) => timeUntilDown(server.url, killedCount + index, async () => node.pause()))
        const [killedSec, frozenSec] = await Promise.all([Promise.all(killed), Promise.all(frozen)])
        return {
          title: 'Detecting a dead node',
          rows: [
            {
              measure: 'killed, until GET says DOWN',
              unit: 's',
              value: spreadOf(killedSec),
              bar: atMost(35),
            },
            { measure: 'frozen, until GET says DOWN', unit: 's', value: spreadOf(frozenSec), bar: null },
          ],
          notes: [
            `${killedCount} anvil nodes killed and ${frozenCount} frozen (it takes connections and never answers), each at a random instant within ${phaseMs / 1000} s; the built-in verifier, default policy: probed every 10 s, DOWN once it has held for 20 s.`,
          ],
        }
      } finally {
        await server.stop()
      }
    } finally {
      for (const node of nodes) await node.stop()
    }
  },
}

const chainId = 31_337
const serviceId = (index: number): string => `node-${index}`
const startNode = (index: number): Promise<Anvil> =>
  startAnvil({
    chainId: chainId + index,
    timestamp: Math.floor(Date.now() / 1000),
    blocks: { everySec: 1 },
  })

/** A chain for each node: the nodes of one chain are probed at the same time. */
function fileFor(nodes: readonly Anvil[]): object {
  const chains = nodes.map((_, index) => [
    `bench-${index}`,
    { family: 'evm', chainId: chainId + index, blockMs: 1000 },
  ])
  const services = nodes.map(({ url }, index) => ({
    id: serviceId(index),
    name: `Node ${index}`,
    chain: `bench-${index}`,
    provider: 'bench',
    endpoint: url,
  }))
  return { chains: Object.fromEntries(chains), services }
}

/** In seconds. */
async function timeUntilDown(url: string, index: number, end: () => Promise<void>): Promise<number> {
  await Bun.sleep(Math.random() * phaseMs)
  const endedAt = performance.now()
  await end()
  while ((await decisionOf(url, index)) !== 'DOWN') {
    if (performance.now() - endedAt > patienceMs) throw new Error(`node ${index} is not DOWN after a minute`)
    await Bun.sleep(50)
  }
  return (performance.now() - endedAt) / 1000
}

async function decisionOf(url: string, index: number): Promise<string> {
  const response = await fetch(`${url}/health/${serviceId(index)}`)
  return HealthResponse.parse(await response.json()).result.decision
}
