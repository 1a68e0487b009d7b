import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { createAuthority } from '../../scripts/world/certificates.ts'
import { silentLog, temporaryDataDir } from '../../scripts/world/database.ts'
import { startCluster, startSentinels, withTls } from '../../scripts/world/redis-modes.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import type { LimitedCall } from '../../server/limits/limit-decision.ts'
import { createSharedLimits, type SharedLimits } from '../../server/limits/shared-store/shared-limits.ts'
import { createLimitKeys } from '../../server/limits/shared-store/store-keys.ts'
import { systemClock } from '../../server/platform/clock.ts'
import { needs } from '../support/needs.ts'
import { hasRedis } from './limits/shared-store.ts'

/** Sentinels and clusters that speak TLS only, with clients and among each other, under an authority of their own. */

const folder = temporaryDataDir()
const prefix = 'gatehouse:test'
const stops: (() => unknown)[] = []

afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function open(url: string): SharedLimits {
  const options = { clock: systemClock, log: silentLog, whenStoreLost: 'closed', maxKeys: 10 } as const
  const limits = createSharedLimits({ store: { url, prefix }, ...options })
  stops.push(limits.close)
  return limits
}

const perHour: LimitedCall = {
  keyId: 'key',
  rate: { units: 1_000, period: 'hour' },
  credits: null,
  calls: 1,
  cost: 0,
}

const untilAdmitted = (limits: SharedLimits): Promise<void> =>
  waitUntil('it is admitted', async () => (await limits.admit(perHour)).kind === 'admitted', 30_000)

/** Counts, goes on when the primary is killed, and is refused where the authority is not known. */
async function expectToCount(url: string, kill: () => Promise<void>): Promise<void> {
  const ca = join(folder, 'authority.pem')
  const parameter = `${url.includes('?') ? '&' : '?'}ca=${encodeURIComponent(ca)}`
  const limits = open(`${url}${parameter}`)
  await untilAdmitted(limits)
  const stranger = open(url)
  await waitUntil('its certificate is refused', () =>
    (stranger.storeFailure()?.reason ?? '').includes('signed by an authority that is not known here'),
  )
  await kill()
  await waitUntil(
    'the loss is noticed',
    async () => (await limits.admit(perHour)).kind === 'unavailable',
    20_000,
  )
  await untilAdmitted(limits)
  expect(limits.storeFailure()).toBeNull()
}

function speech() {
  const authority = createAuthority()
  writeFileSync(join(folder, 'authority.pem'), authority.ca)
  return withTls(folder, { ca: authority.ca, ...authority.issue(['IP:127.0.0.1']) })
}

describe.skipIf(!hasRedis || !needs('openssl'))('TLS', () => {
  test('behind three sentinels', async () => {
    const world = await startSentinels(folder, speech())
    stops.push(world.stop)
    await expectToCount(`rediss+sentinel://${world.hosts}/0?primary=counts`, () => world.primary.stop())
  }, 120_000)

  test('in a cluster of three primaries', async () => {
    const world = await startCluster(folder, speech())
    stops.push(world.stop)
    const hosts = world.nodes.slice(0, 3).map(({ port }) => `127.0.0.1:${port}`)
    const owner = world.ownerOf(createLimitKeys({ prefix }).epoch)
    await expectToCount(`rediss+cluster://${hosts.join(',')}`, () => owner.stop())
  }, 120_000)
})
