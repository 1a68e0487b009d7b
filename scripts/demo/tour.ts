import { print } from '../print.ts'
import type { AnvilChain, ChainNode } from '../world/anvil-chain.ts'
import { waitUntil } from '../world/wait-until.ts'
import type { DemoServer } from './server.ts'

const decidedWithinMs = 30_000

/** Breaks and mends node B and node C in turn, and waits each time for the decision that must follow. */
export async function runTour({ nodes }: AnvilChain, server: DemoServer): Promise<void> {
  const startedAt = performance.now()
  const node = (index: number): ChainNode => {
    const found = nodes[index]
    if (!found) throw new RangeError(`there is no node ${index}`)
    return found
  }
  async function scene(what: string, act: () => void | Promise<void>, serviceId: string, wanted: string) {
    const second = ((performance.now() - startedAt) / 1000).toFixed(0).padStart(3)
    print(`${second} s  ${what}`)
    await act()
    await waitUntil(
      `${serviceId} is ${wanted}`,
      async () => (await server.health(serviceId)).decision === wanted,
      decidedWithinMs,
    )
    const { decision, avgBlocksLatency } = await server.health(serviceId)
    const lag = decision === 'LATENCY' ? `, ${avgBlocksLatency} blocks behind` : ''
    print(`       GET /health/${serviceId} says ${decision}${lag}`)
  }

  await scene('three nodes are up', () => {}, 'node-b', 'UP')
  await scene('node B is stopped', () => node(1).stop(), 'node-b', 'DOWN')
  await scene('node B is started again', () => node(1).start(), 'node-b', 'UP')
  await scene('node C falls 13 blocks behind', () => node(2).trail(13), 'node-c', 'LATENCY')
  await scene('node C catches up', () => node(2).heal(), 'node-c', 'UP')
  print('\nThe two others were never touched by any of it:')
  const { decision } = await server.health('node-a')
  print(`       GET /health/node-a says ${decision}`)
}
