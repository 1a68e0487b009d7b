import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'

import { type ToolServer, startToolServer } from '../../server/connections/test-support/tool-server.ts'
import { temporaryDataDir, testDatabase, type TestDatabase } from '../support/database.ts'
import { type GatewayKey, makeGatewayKey } from '../support/gateway-keys.ts'
import { type ClientKind, connectClient } from '../support/mcp-clients.ts'
import { needs } from '../support/needs.ts'
import { untilListed, writeRegistry } from '../support/registry-folder.ts'
import { type Replicas, startReplicas } from '../support/replicas.ts'
import { type RoundRobin, startRoundRobin } from '../support/round-robin.ts'
import { startStore, type TestStore } from './limits/nodes.ts'

/** Sessions of agents at two processes behind one address, whose requests go to either in turns. */

const hasRedis = needs('redis-server')
const secret = 'canary-secret-of-the-vault'
const folder = temporaryDataDir()
let vault: ToolServer
let store: TestStore
let database: TestDatabase
let replicas: Replicas
let front: RoundRobin
let key: GatewayKey

beforeAll(async () => {
  if (!hasRedis) return
  vault = await startToolServer({ wants: { header: 'authorization', value: `Bearer ${secret}` } })
  const source = writeRegistry([
    { slug: 'vault', provider: 'Vault', url: vault.url, auth: 'API Key', credentialKey: 'vault', chains: ['base'] },
  ])
  store = await startStore(folder)
  database = await testDatabase()
  replicas = await startReplicas({
    count: 2,
    file: { verifiers: { builtIn: false }, registry: { source } },
    databaseUrl: database.url,
    redisUrl: store.url,
  })
  front = startRoundRobin(replicas.servers.map(({ url }) => url))
  for (const { url } of replicas.servers) await untilListed(url, 'mcpservers:vault')
  const [first] = replicas.servers
  key = await makeGatewayKey(first?.url ?? '')
}, 120_000)

afterAll(async () => {
  await front?.stop()
  await replicas?.remove()
  await store?.kill()
  await database?.drop()
  await vault?.stop()
  rmSync(folder, { recursive: true, force: true })
}, 60_000)

beforeEach(() => front?.use(0, 1))

const kinds: readonly ClientKind[] = ['v1 http', 'v1 sse', 'v2 2025 http', 'v2 2026 http', 'v2 sse']

describe.skipIf(!hasRedis)('requests go to either process in turns', () => {
  describe.each(kinds)('%s', (kind) => {
    test.each(['without a key', 'with a key'])('initialize, list, bind, private calls %s', async (who) => {
      front.went.splice(0)
      const client = await connectClient(kind, front.url, who === 'with a key' ? { apiKey: key.value } : {})
      try {
        expect(await client.toolNames()).toHaveLength(5)
        const bound = await client.call('bind_credentials_bag', { credentials_bag: { Vault: secret } })
        expect(bound.value).toMatchObject({ bound: ['vault'] })
        const connected = await client.execute('connect_mcp', {}, 'mcpservers:vault')
        expect(connected.value).toMatchObject({ auth_source: 'session_bag', status: 'connected' })
        const { connection_id } = connected.value
        for (let count = 0; count < 6; count++) {
          const echo = { connection_id, tool_name: 'echo', arguments: { message: `hi ${count}` } }
          const said = await client.execute('call_mcp_tool', echo)
          expect(said.content).toEqual([{ type: 'text', text: `hi ${count}` }])
        }
      } finally {
        await client.close()
      }
      expect(new Set(front.went)).toEqual(new Set([0, 1]))
    })
  })
})
