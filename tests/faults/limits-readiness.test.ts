import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { createAuthority } from '../../scripts/world/certificates.ts'
import { startChild } from '../../scripts/world/child-process.ts'
import { temporaryDataDir, testDatabase, type TestDatabase } from '../../scripts/world/database.ts'
import { findFreePort } from '../../scripts/world/free-port.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import {
  createTestInstallation,
  type GatehouseProcess,
  type TestInstallation,
} from '../../scripts/world/gatehouse-process.ts'
import { hasRedis, sharedStore } from './limits/shared-store.ts'
import { covers } from '../support/covers.ts'
import { needs } from '../support/needs.ts'

const store = sharedStore()
let installation: TestInstallation
let server: GatehouseProcess

beforeAll(async () => {
  if (!hasRedis) return
  installation = await createTestInstallation()
  server = await installation.start({ REDIS_URL: store.url })
}, 60_000)

afterAll(() => installation?.remove())

interface StoreReadiness {
  readonly http: number
  readonly status: string
  readonly limits: string
}

async function readiness(): Promise<StoreReadiness> {
  const response = await fetch(`${server.url}/readyz`)
  const { status, checks } = (await response.json()) as { status: string; checks: { limits: string } }
  return { http: response.status, status, limits: checks.limits }
}

const untilLimitsAre = (state: string): Promise<void> =>
  waitUntil(`limits are ${state}`, async () => (await readiness()).limits === state)

describe.skipIf(!hasRedis)('a server whose shared store goes away', () => {
  covers('threat-15')
  test('stays ready and says that limits are degraded, until the store is back', async () => {
    await untilLimitsAre('ok')
    expect(await readiness()).toEqual({ http: 200, status: 'ready', limits: 'ok' })
    expect(await server.metric('limiter_degraded')).toBe(0)

    await store.kill()
    await untilLimitsAre('degraded')
    expect(await readiness()).toEqual({ http: 200, status: 'degraded', limits: 'degraded' })
    expect(await server.metric('limiter_degraded')).toBe(1)

    await store.start()
    await untilLimitsAre('ok')
    expect(await server.metric('limiter_degraded')).toBe(0)
  })
})

describe.skipIf(!hasRedis || !needs('openssl'))('a store that nothing can be counted in', () => {
  const folder = temporaryDataDir()
  let database: TestDatabase
  let apart: TestInstallation
  beforeAll(async () => {
    database = await testDatabase()
    apart = await createTestInstallation()
  })
  afterAll(async () => {
    await apart?.remove()
    await database?.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** The process starts and answers, but no balancer sends it anything, and its log says why. */
  async function expectRefused(url: string, reason: RegExp, logged: string): Promise<void> {
    const program = apart.launch({ DATABASE_URL: database.url, REDIS_URL: url })
    try {
      const ask = () => fetch(`${apart.url}/readyz`).catch(() => null)
      await waitUntil('it listens', async () => (await ask()) !== null, 30_000)
      await waitUntil('it says why', async () => reason.test((await (await ask())?.text()) ?? ''))
      const refusal = await ask()
      expect(refusal?.status).toBe(503)
      expect(await refusal?.json()).toMatchObject({ status: 'not_ready', checks: { limits: 'failed' } })
      expect(program.output()).toContain(logged)
      expect((await fetch(`${apart.url}/healthz`)).status).toBe(200)
    } finally {
      await program.kill()
    }
  }

  const settings = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder]
  const startRedis = async (...more: string[]) => {
    const redis = startChild(['redis-server', ...settings, ...more])
    await waitUntil('redis answers', () => redis.output().includes('Ready to accept connections'))
    return redis
  }

  test('because nobody listens there', async () => {
    await expectRefused(
      `redis://127.0.0.1:${await findFreePort()}`,
      /never reached: nobody listens at its address/,
      'is unreached',
    )
  }, 60_000)

  test('because it is one node of a cluster', async () => {
    const port = await findFreePort()
    // The usual port of the bus, 10,000 above, may be taken by somebody's connection.
    const bus = await findFreePort()
    const redis = await startRedis(
      '--port',
      String(port),
      '--cluster-enabled',
      'yes',
      '--cluster-port',
      String(bus),
    )
    await expectRefused(
      `redis://127.0.0.1:${port}`,
      /cannot be used: it is a node of a cluster/,
      'is refusing',
    )
    await redis.stop()
  }, 60_000)

  test('because its certificate is for another name', async () => {
    const port = await findFreePort()
    const authority = createAuthority()
    const { cert, key } = authority.issue(['DNS:other.example'])
    const authorityPath = join(folder, 'ca.pem')
    writeFileSync(authorityPath, authority.ca)
    const [certPath, keyPath] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
    writeFileSync(certPath, cert)
    writeFileSync(keyPath, key)
    const files = ['--tls-cert-file', certPath, '--tls-key-file', keyPath, '--tls-ca-cert-file', certPath]
    const tls = ['--tls-port', String(port), '--tls-auth-clients', 'no', ...files]
    const redis = await startRedis('--port', '0', ...tls)
    await expectRefused(
      `rediss://127.0.0.1:${port}?ca=${authorityPath}`,
      /cannot be used: its certificate is for another name/,
      'is refusing',
    )
    await redis.stop()
  }, 60_000)
})
