import type { AnvilChain } from '../world/anvil-chain.ts'
import { nodeNames } from './watched-nodes.ts'
import type { DemoServer } from './server.ts'

const keys = 's stop   l lag 13 blocks   z freeze   m mend   (then a, b or c)   q quit'
const colours: Readonly<Record<string, number>> = { UP: 32, LATENCY: 33, DOWN: 31, UNKNOWN: 90 }
const redrawEveryMs = 250

/** Draws the decisions and does with a node what the keys say, until `q` or Ctrl-C. */
export async function runByKeys(chain: AnvilChain, server: DemoServer): Promise<void> {
  const { promise: quit, resolve: end } = Promise.withResolvers<void>()
  let action = ''
  process.stdin.setRawMode(true)
  process.stdin.on('data', (data: Buffer) => {
    const key = data.toString()
    if (key === 'q' || key === '\u0003') end()
    else if ('slzm'.includes(key)) action = key
    else if ('abc'.includes(key)) void act(chain, action, 'abc'.indexOf(key))
  })
  process.stdout.write(`${keys}\n\n`)
  const timer = setInterval(() => void draw(server), redrawEveryMs)
  await quit
  clearInterval(timer)
  process.stdin.setRawMode(false)
  process.stdin.pause()
}

async function act({ nodes }: AnvilChain, action: string, index: number): Promise<void> {
  const node = nodes[index]
  if (!node) return
  if (action === 's') await node.stop()
  if (action === 'l') node.trail(13)
  if (action === 'z') await node.pause()
  if (action === 'm') await mend(node)
}

/** Whatever was done to it: a node that runs is only healed, one that does not is started. */
async function mend(node: AnvilChain['nodes'][number]): Promise<void> {
  node.resume()
  const answers = await fetch(node.url, { method: 'POST', body: '{}' }).then(
    () => true,
    () => false,
  )
  if (!answers) await node.start()
  await node.heal()
}

async function draw(server: DemoServer): Promise<void> {
  const healths = await Promise.all(nodeNames.map((name) => server.health(name)))
  const cells = healths.map(({ decision, avgBlocksLatency }, index) => {
    const text = `${nodeNames[index]} ${decision}${avgBlocksLatency > 0 ? ` (${avgBlocksLatency} behind)` : ''}`
    return `\u001B[${colours[decision] ?? 0}m● ${text.padEnd(28)}\u001B[0m`
  })
  process.stdout.write(`\r${cells.join('')}\u001B[K`)
}
