import { rmSync } from 'node:fs'

import { temporaryDataDir, testDatabase } from '../database.ts'
import { type EventChain, eventChainId, startEventChain } from '../event-chain.ts'
import { createTestInstallation } from '../gatehouse-process.ts'
import { startStore, type TestStore } from '../limit-nodes/nodes.ts'
import { makeQueryKeys } from '../made-query-keys.ts'
import { startReplicas } from '../replicas.ts'
import { signInAt } from '../signed-in-client.ts'
import { createWorkers } from '../workers-under-test.ts'

/** One endpoint of a running server before three real nodes of one chain, of which some may get their blocks late. */
export interface OneChainWorld {
  readonly chain: EventChain
  /** The address of the endpoint with a key, at each process. */
  readonly urls: readonly string[]
  stop(): Promise<void>
}

const blockMs = 60
const nodes = 3

const fileFor = (chain: EventChain): object => ({
  verifiers: { builtIn: false },
  chains: { testnet: { family: 'evm', chainId: eventChainId, blockMs } },
  endpoints: [{ name: 'testnet', chain: 'testnet', upstreams: chain.urls.map((url) => ({ url })) }],
})

async function addressesAt(servers: readonly string[]): Promise<string[]> {
  const [first = ''] = servers
  const [made] = await makeQueryKeys(await signInAt(first), first, [{ name: 'app', endpoint: 'testnet' }])
  return servers.map((url) => `${url}/rpc/testnet/${made?.key}`)
}

/** Stops the last thing that was started first. */
async function stopAll(stops: (() => unknown)[]): Promise<void> {
  for (const stop of stops.toReversed()) await stop()
}

export async function startOneProcess(): Promise<OneChainWorld> {
  const chain = await startEventChain({ nodes, blockMs })
  const installation = await createTestInstallation(fileFor(chain))
  const stop = () => stopAll([chain.stop, installation.remove])
  try {
    return { chain, urls: await addressesAt([(await installation.start()).url]), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Two workers of one machine, without Redis: each new connection is dealt to one of them. */
export async function startTwoWorkers(): Promise<OneChainWorld> {
  const chain = await startEventChain({ nodes, blockMs })
  const workers = await createWorkers(2, fileFor(chain))
  const stop = () => stopAll([chain.stop, workers.remove])
  try {
    return { chain, urls: await addressesAt([(await workers.startAll()).url]), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Two processes that share PostgreSQL and Redis (Debian package `redis-server`). */
export async function startTwoProcesses(): Promise<OneChainWorld & { readonly store: TestStore }> {
  const folder = temporaryDataDir()
  const stops: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
  const stop = () => stopAll(stops)
  try {
    const database = await testDatabase()
    stops.push(database.drop)
    const store = await startStore(folder)
    stops.push(store.kill)
    const chain = await startEventChain({ nodes, blockMs })
    stops.push(chain.stop)
    const replicas = await startReplicas({
      count: 2,
      file: fileFor(chain),
      databaseUrl: database.url,
      redisUrl: store.url,
      environment: { GATEHOUSE_LOG_LEVEL: 'error' },
    })
    stops.push(replicas.remove)
    return { chain, store, urls: await addressesAt(replicas.servers.map(({ url }) => url)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}
