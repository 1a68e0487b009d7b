import { rmSync } from 'node:fs'

import { initial } from '../../server/health/decide/state-machine.ts'
import { bucketMs } from '../../server/health/history/recorder.ts'
import { createHistoryStore } from '../../server/health/history/store.ts'
import {
  healthOf,
  historyBatchOf,
  rollupOf,
  rttsOf,
  transitionOf,
} from '../../server/health/test-support/history-fixtures.ts'
import { writeConsoleRegistry } from '../world/console-registry.ts'
import { makeSomeQueryKeys } from '../world/console-query-keys.ts'
import { startConsole } from '../world/console-under-test.ts'
import type { ConsoleUnderTest } from '../world/console-under-test.ts'
import { testDatabase } from '../world/database.ts'
import type { TestDatabase } from '../world/database.ts'
import { connectClient } from '../world/mcp-clients.ts'
import { givePastCalls } from '../world/past-calls.ts'
import { givePast } from '../world/past-health.ts'
import { signInAt } from '../world/signed-in-client.ts'
import type { SignedInClient } from '../world/signed-in-client.ts'
import { startVerifierWith } from '../world/verifier-process.ts'
import { waitUntil } from '../world/wait-until.ts'
import { startWatchedWorld, trailedBlocks } from '../world/watched-world.ts'
import type { WatchedWorld } from '../world/watched-world.ts'
import { picturedQueryKeys, usesOf } from './keys.ts'
import { startChainDataServer } from './tool-server.ts'
import { dayMs, minuteMs } from '../../shared/durations.ts'

/** An installation with some weeks behind it, and much going on. */
export interface PictureWorld {
  readonly console: ConsoleUnderTest
  stop(): Promise<void>
}

/** The service whose page is shown: it is behind, and has a history. */
export const shownService = { id: 'eth-singapore', name: 'Ethereum Singapore' }

/** The tool server of the playground, as a service of the registry. */
export const shownToolServer = 'mcpservers:acme-chain-data'

const verifiers = [
  { name: 'frankfurt-1', region: 'eu-central' },
  { name: 'virginia-1', region: 'us-east' },
]

/** `tell` gets a sentence about each step. What was started is stopped when a later step fails. */
export async function startPictureWorld(tell: (step: string) => void): Promise<PictureWorld> {
  const started: (() => unknown)[] = []
  const stop = async (): Promise<void> => {
    for (const end of started.splice(0).toReversed()) await end()
  }
  try {
    const console = await startAll(started, tell)
    return { console, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startAll(started: (() => unknown)[], tell: (step: string) => void): Promise<ConsoleUnderTest> {
  tell('Starting nodes, a database with a past, a tool server and the server …')
  const watched = await startWatchedWorld({ freshMs: minuteMs / 4 }) // a restart takes no decision away
  started.push(() => watched.stop())
  watched.node(2).trail(trailedBlocks)
  const testing = await testDatabase()
  started.push(() => testing.drop())
  await givePast(testing.database, shownService.id, Date.now())
  await letBeUp(testing, watched.serviceIds)
  const tools = startChainDataServer()
  started.push(() => tools.stop())
  const folder = registryWith(tools.url)
  started.push(() => rmSync(folder, { recursive: true, force: true }))
  const subject = await startConsole(fileOf(watched, folder), { DATABASE_URL: testing.url })
  started.push(() => subject.stop())

  tell('Giving it keys in use, verifiers and an agent …')
  const owner = await signInAt(subject.server.url, subject.operator)
  await useKeys(subject, testing, owner)
  for (const { name, region } of verifiers) {
    const { token } = await subject.server.operator.verifiers.createToken.mutate({ label: name })
    const verifier = await startVerifierWith(subject.server, token, name, region)
    started.push(() => verifier.stop())
  }
  const agent = await connectAgent(subject, owner)
  started.push(() => agent.close())
  await watched.node(3).stop()
  await actAsOperator(owner)
  await untilDecided(subject.server.url, { 'base-archive': 'DOWN', [shownService.id]: 'LATENCY' })
  return subject
}

/** Makes services UP for days before the server starts. */
async function letBeUp({ database }: TestDatabase, serviceIds: readonly string[]): Promise<void> {
  const now = Date.now()
  const sinceOf = (place: number): number => now - (2.3 + place * 1.7) * dayMs
  const healths = serviceIds.map((id, place) =>
    healthOf(id, {
      state: { ...initial(sinceOf(place)), published: 'UP' },
      evaluatedAt: now,
      quorumExpiresAt: now + minuteMs,
    }),
  )
  const others = serviceIds.filter((id) => id !== shownService.id)
  const transitions = others.flatMap((id) => {
    const since = sinceOf(serviceIds.indexOf(id))
    return [
      transitionOf(id, now - 120 * dayMs),
      transitionOf(id, since - 9 * minuteMs, { from: 'UP', to: 'DOWN', reason: '3 of 3 say BAD: TIMEOUT' }),
      transitionOf(id, since, { from: 'DOWN', to: 'UP' }),
    ]
  })
  const rollups = others.map((id, place) =>
    rollupOf(id, Math.floor((now - bucketMs) / bucketMs) * bucketMs, {
      probes: 30,
      rtt: rttsOf(21 + place * 9),
    }),
  )
  await createHistoryStore(database).save(historyBatchOf('what was up', { healths, transitions, rollups }))
}

const registryWith = (toolServer: string): string =>
  writeConsoleRegistry({
    chain: 'base',
    mcpservers: [
      {
        slug: 'acme-chain-data',
        provider: 'Acme Chain Data',
        transportType: 'http',
        mcpEndpoint: toolServer,
        authType: 'None',
      },
    ],
  })

const fileOf = (watched: WatchedWorld, registryFolder: string) => ({
  ...watched.file,
  endpoints: [
    {
      name: 'ethereum',
      chain: 'ethereum',
      upstreams: [
        { service: 'eth-frankfurt', weight: 2 },
        { service: 'eth-virginia' },
        { service: shownService.id },
      ],
      methods: { allow: [], deny: ['debug_*', 'admin_*'] },
      credits: { eth_getLogs: 75, eth_call: 26 },
    },
    { name: 'base', chain: 'base', upstreams: [{ service: 'base-archive' }, { service: 'base-frankfurt' }] },
    {
      name: 'polygon',
      chain: 'polygon',
      upstreams: [{ service: 'polygon-osaka' }, { service: 'polygon-frankfurt' }],
    },
  ],
  queryKeyTypes: ['freeRPC', 'partner'],
  queryKeyDefaults: { rateLimit: 100, rateLimitPeriod: 'minute' },
  registry: { source: registryFolder },
})

async function useKeys(
  subject: ConsoleUnderTest,
  testing: TestDatabase,
  { accountId }: SignedInClient,
): Promise<void> {
  const stored = await makeSomeQueryKeys(subject, testing, picturedQueryKeys)
  await givePastCalls(testing.database, usesOf(stored, accountId), Date.now())
}

/** An agent with a key of its own, in a session. */
async function connectAgent({ server }: ConsoleUnderTest, owner: SignedInClient) {
  const key = { name: 'Research agent', permissions: ['gateway_use'] }
  const { value } = (await succeeding(owner, 'apiKeys.create', key)) as { value: string }
  const agent = await connectClient('v2 2025 http', server.url, { apiKey: value })
  await agent.call('search', { query: 'chain data' })
  await agent.execute('connect_mcp', {}, shownToolServer)
  return agent
}

/** What an operator does on an ordinary day; it stands in the audit log. */
async function actAsOperator(owner: SignedInClient): Promise<void> {
  const inTenDays = Date.now() + 10 * dayMs
  await succeeding(owner, 'apiKeys.create', {
    name: 'Build server',
    permissions: ['token_create'],
    expiresAt: inTenDays,
  })
  await succeeding(owner, 'endpoints.create', {
    name: 'arbitrum',
    chain: 'arbitrum',
    upstreams: [{ service: 'arbitrum-virginia', weight: 3 }, { service: 'arbitrum-oregon' }],
    methods: { allow: ['eth_*', 'net_version'], deny: [] },
    credits: { eth_call: 30 },
  })
  await succeeding(owner, 'queryKeys.create', { name: 'Block explorer', endpoint: 'arbitrum' })
}

async function succeeding(owner: SignedInClient, procedure: string, input: unknown): Promise<unknown> {
  const { data, error } = await owner.mutate(procedure, input)
  if (error !== undefined) throw new Error(`${procedure}: ${JSON.stringify(error)}`)
  return data
}

async function untilDecided(url: string, decisions: Readonly<Record<string, string>>): Promise<void> {
  for (const [id, wanted] of Object.entries(decisions)) {
    const isDecided = async (): Promise<boolean> => {
      const { result } = (await (await fetch(`${url}/health/${id}`)).json()) as {
        result: { decision: string }
      }
      return result.decision === wanted
    }
    await waitUntil(`${id} is ${wanted}`, isDecided, 60_000)
  }
}
