import { startStore } from '../../world/limit-nodes/nodes.ts'
import { startTestServer, temporaryDataDir } from '../../world/database.ts'
import { createTestInstallation, type GatehouseProcess } from '../../world/gatehouse-process.ts'
import { makeQueryKeys } from '../../world/made-query-keys.ts'
import { startReplicas } from '../../world/replicas.ts'
import { signInAt } from '../../world/signed-in-client.ts'
import type { Arm } from './loaded.ts'
import type { NodeKind, Nodes } from './nginx.ts'

/** This server with a query key for each kind of node. */
export interface RelayUnderTest {
  armFor(kind: NodeKind): Arm
  stop(): Promise<void>
}

const kinds = ['small', 'large', 'batches'] as const satisfies readonly NodeKind[]
const environment = { GATEHOUSE_LOG_LEVEL: 'error' }

/** A monitored service is the upstream, so that its health decision is asked for at every call; nobody probes it. */
const fileFor = (nodes: Nodes): object => ({
  services: kinds.map((kind) => ({
    id: `${kind}-node`,
    name: `${kind} node`,
    chain: 'ethereum',
    provider: 'bench',
    endpoint: nodes[kind].url,
  })),
  verifiers: { builtIn: false },
  endpoints: kinds.map((name) => ({
    name,
    chain: 'ethereum',
    upstreams: [{ service: `${name}-node` }],
    methods: { deny: ['debug_*', 'personal_*'] },
  })),
  creditPrices: { default: 20, eth_getBalance: 19, eth_call: 26 },
})

/** Both limits are set, and far away: all of the work is done, and nothing is refused. */
const farLimits = {
  rateLimit: 1_000_000_000,
  rateLimitPeriod: 'minute',
  creditsLimit: 1_000_000_000_000,
  creditsLimitPeriod: 'hour',
}

/** One process with an embedded PostgreSQL, or what `settings` make of it. */
export async function startRelay(
  nodes: Nodes,
  settings: Record<string, string> = {},
): Promise<RelayUnderTest> {
  const installation = await createTestInstallation(fileFor(nodes))
  try {
    const server = await installation.start({ ...environment, ...settings })
    return await underTest([server], () => installation.remove())
  } catch (error) {
    await installation.remove()
    throw error
  }
}

/** Two processes that share PostgreSQL and Redis, whose own work is not counted. */
export async function startTwoRelays(nodes: Nodes): Promise<RelayUnderTest> {
  const database = await startTestServer()
  const store = await startStore(temporaryDataDir())
  const replicas = await startReplicas({
    count: 2,
    file: fileFor(nodes),
    databaseUrl: database.url,
    redisUrl: store.url,
    environment,
  })
  return underTest(replicas.servers, async () => {
    await replicas.remove()
    await store.kill()
    await database.stop()
  })
}

async function underTest(
  servers: readonly GatehouseProcess[],
  stop: () => Promise<void>,
): Promise<RelayUnderTest> {
  const [first] = servers
  if (first === undefined) throw new Error('no server was started')
  const owner = await signInAt(first.url)
  const wishes = kinds.map((kind) => ({ name: kind, endpoint: kind, ...farLimits }))
  const keys = await makeQueryKeys(owner, first.url, wishes)
  return {
    armFor: (kind) => ({
      pids: servers.map(({ pid }) => pid),
      urls: servers.map(({ url }) => `${url}/rpc/${kind}/${keys[kinds.indexOf(kind)]?.key ?? ''}`),
    }),
    stop,
  }
}
