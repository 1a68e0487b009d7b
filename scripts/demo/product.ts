import { rmSync } from 'node:fs'

import { writeConsoleRegistry } from '../world/console-registry.ts'
import { print } from '../print.ts'
import type { AnvilChain } from '../world/anvil-chain.ts'
import { startEverything } from '../world/everything.ts'
import type { DemoServer } from './server.ts'
import { type DemoTraffic, startTraffic } from './traffic.ts'
import { waitUntil } from '../world/wait-until.ts'

/** What the demo shows besides the nodes: keys in use, and a tool server that an agent calls. */
export interface DemoProduct {
  /** A registry in which the tool server stands. */
  readonly registryFolder: string
  /** Begins to use the server, and says where to look. */
  use(server: DemoServer, chain: AnvilChain): Promise<void>
  stop(): Promise<void>
}

export async function startProduct(): Promise<DemoProduct> {
  const everything = await startEverything('http')
  const registryFolder = writeConsoleRegistry({
    chain: 'base',
    mcpservers: [
      {
        slug: 'everything',
        provider: 'Everything',
        transportType: 'http',
        mcpEndpoint: everything.url,
        authType: 'None',
      },
    ],
  })
  let traffic: DemoTraffic | null = null
  return {
    registryFolder,
    async use(server, chain) {
      traffic = await startTraffic(server, 'mcpservers:everything')
      print(`Console        ${server.url}`)
      print(`Setup link     ${server.setupLink() ?? 'none'}`)
      print(`Health         ${server.url}/health/node-a (and node-b, node-c)`)
      print(`Status page    ${server.url}/status/demo`)
      print(`Query key      ${traffic.rpcUrl}`)
      print(`MCP            ${server.url}/mcp\n`)
      void breakOnce(server, chain)
      print(
        'Open the setup link to become the operator. Keys are in use, and an agent calls tools: break a node.\n',
      )
    },
    async stop() {
      await traffic?.stop()
      await everything.stop()
      rmSync(registryFolder, { recursive: true, force: true })
    },
  }
}

/** One incident, so that there is one to look at. What whoever sits at the keys does meanwhile makes one, too. */
async function breakOnce(server: DemoServer, { nodes }: AnvilChain): Promise<void> {
  const until = (wanted: string): Promise<unknown> =>
    waitUntil(
      `node-c is ${wanted}`,
      async () => (await server.health('node-c')).decision === wanted,
      30_000,
    ).catch(() => undefined)
  await until('UP')
  await nodes[2]?.stop()
  await until('DOWN')
  await nodes[2]?.start()
}
