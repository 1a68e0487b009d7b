import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import {
  createTestInstallation,
  type GatehouseProcess,
  type TestInstallation,
} from '../../scripts/world/gatehouse-process.ts'
import { hasRedis, sharedStore } from './limits/shared-store.ts'
import { covers } from '../support/covers.ts'

const store = sharedStore()
let installation: TestInstallation
let server: GatehouseProcess

beforeAll(async () => {
  if (!hasRedis) return
  installation = await createTestInstallation()
  server = await installation.start({ REDIS_URL: store.url })
}, 60_000)

afterAll(() => installation?.remove())

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

describe.skipIf(!hasRedis)('a server whose shared store goes away', () => {
  covers('threat-15')
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
