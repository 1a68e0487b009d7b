import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { createAuthority } from '../../scripts/world/certificates.ts'
import { silentLog, temporaryDataDir } from '../../scripts/world/database.ts'
import { findFreePort } from '../../scripts/world/free-port.ts'
import {
  intervalsAbove,
  merge,
  startLimitNodes,
  untilAllAdmit,
} from '../../scripts/world/limit-nodes/nodes.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import type { LimitedCall } from '../../server/limits/limit-decision.ts'
import { createSharedLimits, type SharedLimits } from '../../server/limits/shared-store/shared-limits.ts'
import { createLimitKeys } from '../../server/limits/shared-store/store-keys.ts'
import { systemClock } from '../../server/platform/clock.ts'
import type { Limit } from '../../shared/limits.ts'
import { covers } from '../support/covers.ts'
import { needs } from '../support/needs.ts'
import { pass } from './limits/passing.ts'
import {
  type RedisServer,
  startCluster,
  startRedis,
  startSentinels,
  startTlsRedis,
} from '../../scripts/world/redis-modes.ts'
import { hasRedis } from './limits/shared-store.ts'

/** Redis as it is run: a password or an ACL user, TLS, sentinels, a cluster; and set up in ways in which nothing can be counted. */

const folder = temporaryDataDir()
const prefix = 'gatehouse:test'
const servers: { stop(): Promise<void> }[] = []
const opened: SharedLimits[] = []

afterEach(async () => {
  for (const limits of opened.splice(0)) limits.close()
  for (const server of servers.splice(0)) await server.stop()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function redis(...settings: string[]): Promise<RedisServer> {
  const server = await startRedis(folder, ...settings)
  servers.push(server)
  return server
}

function open(url: string, own = prefix): SharedLimits {
  const options = { clock: systemClock, log: silentLog, whenStoreLost: 'closed', maxKeys: 10 } as const
  const limits = createSharedLimits({ store: { url, prefix: own }, ...options })
  opened.push(limits)
  return limits
}

const tenPerHour: LimitedCall = {
  keyId: 'key',
  rate: { units: 10, period: 'hour' },
  credits: null,
  calls: 1,
  cost: 0,
}

const admits = async (limits: SharedLimits, calls = 1): Promise<boolean> =>
  (await limits.admit({ ...tenPerHour, calls })).kind === 'admitted'

const untilAdmitted = (limits: SharedLimits): Promise<void> =>
  waitUntil('it is admitted', () => admits(limits), 20_000)

const urlWith = async (...settings: string[]): Promise<string> =>
  `redis://127.0.0.1:${(await redis(...settings)).port}`

const untold = new Set(['it was not answered yet', 'closed'])

/** What operators read, which repeats neither address nor password. */
async function reasonOf(url: string): Promise<string> {
  const limits = open(url)
  await waitUntil('there is a reason', () => !untold.has(limits.storeFailure()?.reason ?? 'closed'))
  const reason = limits.storeFailure()?.reason ?? ''
  expect(reason).not.toContain('127.0.0.1')
  expect(reason).not.toContain('hunter2')
  return reason
}

describe.skipIf(!hasRedis)('a store in which nothing can be counted says why:', () => {
  test('a password is missing, or wrong, or the user may not', async () => {
    const { port, cli } = await redis('--requirepass', 'secret')
    expect(await reasonOf(`redis://127.0.0.1:${port}`)).toBe(
      'it wants a password: put user and password into REDIS_URL',
    )
    const refused = 'it does not accept the user or the password of REDIS_URL'
    expect(await reasonOf(`redis://:hunter2@127.0.0.1:${port}`)).toBe(refused)
    expect(await reasonOf(`redis://somebody:hunter2@127.0.0.1:${port}`)).toBe(refused)
    cli('-a', 'secret', 'ACL', 'SETUSER', 'reader', 'on', '>hunter2', '~*', '+@read', '+@connection', '+info')
    expect(await reasonOf(`redis://reader:hunter2@127.0.0.1:${port}`)).toStartWith(
      'the user of REDIS_URL may not do what is needed: give it +@read +@write +@scripting',
    )
  }, 30_000)

  test('it is a replica, or a node of a cluster, or none', async () => {
    const primary = await redis()
    const replica = await redis('--replicaof', '127.0.0.1', String(primary.port))
    expect(await reasonOf(`redis://127.0.0.1:${replica.port}`)).toBe(
      'it is a replica, which can only be read: REDIS_URL must name the primary',
    )
    const node = await redis('--cluster-enabled', 'yes', '--cluster-config-file', 'alone.conf')
    expect(await reasonOf(`redis://127.0.0.1:${node.port}`)).toBe(
      'it is a node of a cluster: REDIS_URL must begin with redis+cluster:// or rediss+cluster://',
    )
    expect(await reasonOf(`redis+cluster://127.0.0.1:${node.port}`)).toBe(
      'its cluster does not serve all keys',
    )
    expect(await reasonOf(`redis+cluster://127.0.0.1:${primary.port}`)).toBe(
      'it is no cluster: REDIS_URL must begin with redis:// or rediss://',
    )
    expect(await reasonOf(`redis+sentinel://127.0.0.1:${primary.port}?primary=counts`)).toBe(
      'it is no sentinel: REDIS_URL names sentinels behind +sentinel',
    )
  }, 30_000)

  test('nobody is there', async () => {
    expect(await reasonOf(`redis://127.0.0.1:${await findFreePort()}`)).toBe('nobody listens at its address')
    expect(await reasonOf('redis://no-such-host.invalid')).toBe('its host name is not known')
  })

  test('a primary that is made a replica is noticed by the answers, and counts again when it is one', async () => {
    const [other, server] = [await redis(), await redis()]
    const limits = open(`redis://127.0.0.1:${server.port}`)
    await untilAdmitted(limits)
    server.cli('REPLICAOF', '127.0.0.1', String(other.port))
    await waitUntil('it is noticed', () => limits.storeFailure() !== null)
    expect(limits.storeFailure()?.reason).toContain('it is a replica')
    server.cli('REPLICAOF', 'NO', 'ONE')
    await untilAdmitted(limits)
  }, 30_000)

  test('it evicts what it counts', async () => {
    const evicting = open(await urlWith('--maxmemory', '50mb', '--maxmemory-policy', 'allkeys-lru'))
    await untilAdmitted(evicting)
    expect(evicting.storeWarning()).toBe(
      'it forgets counts when its memory is full (maxmemory-policy allkeys-lru): set maxmemory-policy noeviction',
    )
    const unbounded = open(await urlWith('--maxmemory-policy', 'allkeys-lru'))
    await untilAdmitted(unbounded)
    expect(unbounded.storeWarning()).toBeNull()
  }, 30_000)
})

describe.skipIf(!hasRedis || !needs('openssl'))('a store that speaks TLS', () => {
  test('counts with the authority that REDIS_URL names, and says what is wrong with a certificate', async () => {
    const authority = createAuthority()
    const ca = join(folder, 'ca.pem')
    writeFileSync(ca, authority.ca)
    const start = async (...args: Parameters<typeof authority.issue>): Promise<number> => {
      const server = await startTlsRedis(folder, authority.issue(...args))
      servers.push(server)
      return server.port
    }
    const good = await start(['IP:127.0.0.1'])
    await untilAdmitted(open(`rediss://127.0.0.1:${good}?ca=${encodeURIComponent(ca)}`))
    expect(await reasonOf(`rediss://127.0.0.1:${good}`)).toBe(
      'its certificate is signed by an authority that is not known here: name its file in REDIS_URL, ?ca=FILE',
    )
    expect(await reasonOf(`rediss://127.0.0.1:${good}?ca=/no/such/file`)).toBe(
      'the file that REDIS_URL names by ?ca cannot be read',
    )
    const other = await start(['DNS:other.example'])
    expect(await reasonOf(`rediss://127.0.0.1:${other}?ca=${ca}`)).toBe(
      'its certificate is for another name than that in REDIS_URL',
    )
    const expired = await start(['IP:127.0.0.1'], { expired: true })
    expect(await reasonOf(`rediss://127.0.0.1:${expired}?ca=${ca}`)).toBe('its certificate has expired')
    expect(await reasonOf(`redis://127.0.0.1:${good}`)).toContain('does it speak TLS as REDIS_URL says?')
  }, 60_000)
})

describe.skipIf(!hasRedis)('one store', () => {
  test('two installations do not see each other in it, and an ACL user with the documented rules is enough', async () => {
    const { port, cli } = await redis()
    const rules = '+@read +@write +@scripting +@connection +time +info'.split(' ')
    cli('ACL', 'SETUSER', 'app', 'on', '>hunter2', '~{gatehouse:*', ...rules)
    cli('ACL', 'SETUSER', 'default', 'off')
    const url = `redis://app:hunter2@127.0.0.1:${port}`
    const [one, twin, other] = [open(url), open(url), open(url, 'gatehouse:other')]
    for (const limits of [one, twin, other]) await waitUntil('it grants', () => limits.isStoreReady(), 20_000)
    expect([one.processes(), other.processes()]).toEqual([2, 1])
    expect(await admits(one, 6)).toBe(true)
    expect(await admits(twin, 4)).toBe(true)
    expect([await admits(one), await admits(twin)]).toEqual([false, false])
    expect(await admits(other, 10)).toBe(true)
    expect(await admits(other)).toBe(false)
  }, 30_000)
})

const perSecond: Limit = { units: 200, period: 'second' }
const perMinute: Limit = { units: 150, period: 'minute' }
const keys = [
  { rate: perSecond, credits: null, cost: 0 },
  { rate: perMinute, credits: null, cost: 0 },
]

/** Two processes under load while the primary of the counts is killed: never too much, and it goes on with another one. */
async function failOver(url: string, kill: () => Promise<void>): Promise<void> {
  const place = temporaryDataDir()
  const nodes = startLimitNodes(2, place, { url, keys, callsPerSecond: 400, whenStoreLost: 'closed' })
  try {
    await untilAllAdmit(nodes)
    await pass(1_500)
    await kill()
    const killedAt = await pass(500)
    const admittedSince = () =>
      nodes.map((node) => node.admitted().filter(({ key, at }) => key === 0 && at > killedAt).length)
    await waitUntil('both go on', () => admittedSince().every((count) => count > 100), 30_000)
    await pass(2_000)
    await Promise.all(nodes.map((node) => node.stop()))
    expect(intervalsAbove(merge(nodes), 0, 'calls', perSecond)).toBe(0)
    expect(intervalsAbove(merge(nodes), 1, 'calls', perMinute)).toBe(0)
  } finally {
    await Promise.all(nodes.map((node) => node.kill9()))
    rmSync(place, { recursive: true, force: true })
  }
}

describe.skipIf(!hasRedis)(
  '0 intervals above the limits, and limits go on, when the primary is killed',
  () => {
    covers('rate-limit-enforced')

    test('behind three sentinels', async () => {
      const world = await startSentinels(folder)
      servers.push(world)
      await failOver(`redis+sentinel://${world.hosts}/0?primary=counts`, () => world.primary.stop())
      expect(await reasonOf(`redis+sentinel://${world.hosts}?primary=nobody`)).toBe(
        'its sentinels know no primary of the name in REDIS_URL',
      )
    }, 90_000)

    test('in a cluster of three primaries, whichever nodes REDIS_URL names', async () => {
      const world = await startCluster(folder)
      servers.push(world)
      const owner = world.ownerOf(createLimitKeys({ prefix }).epoch)
      const named = world.nodes.filter((node) => node !== owner).slice(0, 2)
      const hosts = [owner, ...named].map(({ port }) => `127.0.0.1:${port}`).join(',')
      await failOver(`redis+cluster://${hosts}`, () => owner.stop())
    }, 120_000)
  },
)
