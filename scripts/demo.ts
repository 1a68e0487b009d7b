/**
 * `npm run demo`: three real nodes of one chain and a Gatehouse that watches them, query keys in use, and an agent that
 * calls a tool server; with keys to break and mend a node.
 * `npm run demo -- --tour` breaks and mends them by itself, tells what it sees, and ends.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { startProduct } from './demo/product.ts'
import { startDemoServer } from './demo/server.ts'
import { runTour } from './demo/tour.ts'
import { runByKeys } from './demo/by-keys.ts'
import { gatehouseFile, nodeNames } from './demo/watched-nodes.ts'
import { print } from './print.ts'
import { readScriptArguments } from './script-arguments.ts'
import { startAnvilChain } from './world/anvil-chain.ts'
import { findFreePort } from './world/free-port.ts'

const help = `Shows the whole product on three real nodes.

  npm run demo              break and mend nodes with keys
  npm run demo -- --tour    watch it happen by itself, one minute
  npm run demo -- --port N  the server's port (a free one otherwise)
`

const { values } = readScriptArguments(
  { name: 'demo', help },
  { options: { tour: { type: 'boolean' }, port: { type: 'string' } } },
)
const wantedPort = readPort(values.port)

/** Whoever ends it from outside, or the tour by Ctrl-C, leaves nothing running either. */
const ended = Promise.withResolvers<void>()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => ended.resolve())

const home = mkdtempSync(join(tmpdir(), 'gatehouse-demo-'))
const port = wantedPort ?? (await findFreePort())
const isTour = values.tour === true || !process.stdin.isTTY
const chain = await startAnvilChain(nodeNames.length)
const product = isTour ? null : await startProduct()
const file = join(home, 'gatehouse.yaml')
writeFileSync(
  file,
  gatehouseFile(
    chain.nodes.map(({ url }) => url),
    product?.registryFolder ?? null,
  ),
)
const server = await startDemoServer({ port, dataDir: join(home, 'data'), file })

try {
  if (product === null) {
    print(`Gatehouse watches three nodes of one chain: ${server.url}/health/node-a (and node-b, node-c)\n`)
    await Promise.race([runTour(chain, server), ended.promise])
  } else {
    await product.use(server, chain)
    await Promise.race([runByKeys(chain, server), ended.promise])
  }
} finally {
  await product?.stop()
  await server.stop()
  await chain.stop()
  rmSync(home, { recursive: true, force: true })
}
process.exit(0)

/** Looked at before anything is started. */
function readPort(text: string | undefined): number | null {
  if (text === undefined) return null
  const number = Number(text)
  if (Number.isInteger(number) && number > 0 && number < 65_536) return number
  process.stderr.write('demo: --port: expected a whole number from 1 to 65535\n')
  process.exit(1)
}
