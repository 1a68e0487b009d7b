import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { temporaryDataDir } from '../support/database.ts'
import { createInstallation, type GatehouseProcess, type Installation } from '../support/gatehouse-process.ts'
import { needs } from '../support/needs.ts'
import { startStore, type TestStore } from './limits/nodes.ts'

const hasRedis = needs('redis-server')
const folder = temporaryDataDir()
let store: TestStore
let installation: Installation
let server: GatehouseProcess

beforeAll(async () => {
  if (!hasRedis) return
  store = await startStore(folder)
  installation = await createInstallation()
  server = await installation.start({ REDIS_URL: store.url })
}, 60_000)

afterAll(async () => {
  await installation?.remove()
  await store?.kill()
  rmSync(folder, { recursive: true, force: true })
})

interface Readiness {
  readonly http: number
  readonly status: string
  readonly limits: string
}

async function readiness(): Promise<Readiness> {
  const response = await fetch(`${server.url}/readyz`)
  const { status, checks } = (await response.json()) as { status: string; checks: { limits: string } }
  return { http: response.status, status, limits: checks.limits }
}

const untilLimitsAre = (state: string): Promise<void> =>
  waitUntil(`limits are ${state}`, async () => (await readiness()).limits === state)

describe.skipIf(!hasRedis)('a server whose shared store goes away (threat 15)', () => {
  test('stays ready and says that limits are degraded, until the store is back', async () => {
    await untilLimitsAre('ok')
    expect(await readiness()).toEqual({ http: 200, status: 'ready', limits: 'ok' })
    expect(await server.metric('limiter_degraded')).toBe(0)

    await store.kill()
    await untilLimitsAre('degraded')
    expect(await readiness()).toEqual({ http: 200, status: 'ready', limits: 'degraded' })
    expect(await server.metric('limiter_degraded')).toBe(1)

    await store.start()
    await untilLimitsAre('ok')
    expect(await server.metric('limiter_degraded')).toBe(0)
  })
})
