import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'

import { temporaryDataDir, testDatabase, type TestDatabase } from '../../scripts/world/database.ts'
import { startStore, type TestStore } from '../../scripts/world/limit-nodes/nodes.ts'
import { type Replicas, startReplicas } from '../../scripts/world/replicas.ts'
import { healthClient } from '../support/health-client.ts'
import { needs } from '../support/needs.ts'

/** Two processes behind a balancer that looks at `/readyz`: it must not send questions to one that knows nothing yet. */

const hasRedis = needs('redis-server')
const folder = temporaryDataDir()
const website = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('fine') })
let store: TestStore
let database: TestDatabase
let replicas: Replicas

beforeAll(async () => {
  if (!hasRedis) return
  store = await startStore(folder)
  database = await testDatabase()
  replicas = await startReplicas({
    count: 1,
    file: {
      services: [
        {
          id: 'site',
          name: 'Site',
          family: 'http',
          provider: 'acme',
          endpoint: website.url.href,
          policy: { intervalMs: 1_000 },
        },
      ],
    },
    databaseUrl: database.url,
    redisUrl: store.url,
  })
}, 60_000)
afterAll(async () => {
  await replicas?.remove()
  await database?.drop()
  await store?.kill()
  await website.stop(true)
  rmSync(folder, { recursive: true, force: true })
}, 30_000)

describe.skipIf(!hasRedis)('a process that starts beside another one', () => {
  test('is ready when it knows the decisions', async () => {
    const [first] = replicas.servers
    if (!first) throw new Error('there is no first process')
    await healthClient(first.url).until({ site: 'UP' })
    const second = await replicas.add() // resolves when `/readyz` says ready
    expect(await healthClient(second.url).read('site')).toMatchObject({ decision: 'UP' })
  }, 60_000)
})
