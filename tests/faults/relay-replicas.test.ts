import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'

import { type ReplayNode, startReplayNode } from '../../scripts/world/replay-node.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { temporaryDataDir, testDatabase, type TestDatabase } from '../support/database.ts'
import { makeQueryKeys, type QueryKeyWish } from '../support/made-query-keys.ts'
import { needs } from '../support/needs.ts'
import { callRelay, type RelayedCall, startRelayLoad } from '../support/relay-load.ts'
import { type Replicas, startReplicas } from '../support/replicas.ts'
import { type SignedInClient, signInAt } from '../support/signed-in-client.ts'
import { startStore, type TestStore } from './limits/nodes.ts'

/** Three processes of the real server on one PostgreSQL and one Redis, with callers at all of them. */

const hasRedis = needs('redis-server')
const folder = temporaryDataDir()
const replicaCount = 3
let node: ReplayNode
let store: TestStore
let database: TestDatabase
let replicas: Replicas
let owner: SignedInClient

beforeAll(async () => {
  if (!hasRedis) return
  node = startReplayNode({ eth_blockNumber: '0x10' })
  store = await startStore(folder)
  database = await testDatabase()
  replicas = await startReplicas({
    count: replicaCount,
    file: {
      verifiers: { builtIn: false },
      endpoints: [{ name: 'testnet', chain: 'ethereum', upstreams: [{ url: node.url }] }],
    },
    databaseUrl: database.url,
    redisUrl: store.url,
    environment: { GATEHOUSE_LOG_LEVEL: 'error' },
  })
  owner = await signInAt(addressOf(0))
}, 120_000)

afterAll(async () => {
  store?.resume()
  await replicas?.remove()
  await store?.kill()
  await database?.drop()
  await node?.stop()
  rmSync(folder, { recursive: true, force: true })
}, 60_000)

const addressOf = (replica: number): string => replicas.servers[replica]?.url ?? ''

interface UsedKey {
  readonly id: string
  /** Where to call with it, at each replica. */
  readonly urls: readonly string[]
}

async function makeKey(limits: Partial<QueryKeyWish> = {}): Promise<UsedKey> {
  const wish = { name: 'key', endpoint: 'testnet', ...limits }
  const [made] = await makeQueryKeys(owner, addressOf(0), [wish])
  if (made === undefined) throw new Error('no key was made')
  return { id: made.id, urls: replicas.servers.map(({ url }) => `${url}/rpc/testnet/${made.key}`) }
}

const isAccepted = ({ status }: RelayedCall): boolean => status === 200

const untilAccepted = (key: UsedKey): Promise<void> =>
  waitUntil('every replica accepts the key', async () =>
    (await Promise.all(key.urls.map((url) => callRelay(url)))).every(isAccepted),
  )

const statusesOf = (calls: readonly RelayedCall[]): number[] =>
  [...new Set(calls.map(({ status }) => status))].toSorted()

const percentile99 = (calls: readonly RelayedCall[]): number =>
  calls.map(({ tookMs }) => tookMs).toSorted((one, other) => one - other)[Math.floor(calls.length * 0.99)] ??
  0

/** Lets the load go on until so many calls have begun and ended. */
const untilCalled = (calls: readonly RelayedCall[], more: number): Promise<void> => {
  const target = calls.length + more
  return waitUntil(`${more} more calls have ended`, () => calls.length >= target, 20_000)
}

describe.skipIf(!hasRedis)('three processes of one installation', () => {
  test('0 requests are accepted that started after the disable call returned', async () => {
    const key = await makeKey()
    await untilAccepted(key)
    const load = startRelayLoad(key.urls, 4)
    const switchKey = async (isEnabled: boolean): Promise<number> => {
      const { status, data } = await owner.mutate('queryKeys.setEnabled', { id: key.id, isEnabled })
      expect({ status, propagated: (data as { propagated: boolean }).propagated }).toEqual({
        status: 200,
        propagated: true,
      })
      return performance.now()
    }
    for (let round = 0; round < 10; round++) {
      await untilCalled(load.calls, 200)
      const acceptedBefore = load.calls.filter(isAccepted).length
      const disabledAt = await switchKey(false)
      await untilCalled(load.calls, 200)
      const late = load.calls.filter(({ startedAt }) => startedAt > disabledAt)
      expect(acceptedBefore).toBeGreaterThan(round * 100)
      expect(late.length).toBeGreaterThan(100)
      expect(statusesOf(late)).toEqual([401])
      await switchKey(true)
      await untilAccepted(key)
    }
    await load.stop()
    expect(statusesOf(load.calls)).toEqual([200, 401])
  }, 60_000)

  test('64 clients at once get exactly what the limit allows (threat 14)', async () => {
    const key = await makeKey({ rateLimit: 100, rateLimitPeriod: 'hour' })
    await untilCalledOnce(key)
    const answers = await Promise.all(
      Array.from({ length: 64 }, async (_, client) => {
        const url = key.urls[client % key.urls.length] ?? ''
        const calls: RelayedCall[] = []
        for (let call = 0; call < 5; call++) calls.push(await callRelay(url))
        return calls
      }),
    )
    const calls = answers.flat()
    expect(calls.filter(isAccepted).length).toBe(100 - key.urls.length)
    expect(statusesOf(calls)).toEqual([200, 429])
    expect(
      calls.filter(({ status }) => status === 429).every(({ retryAfter }) => (retryAfter ?? 0) > 0),
    ).toBe(true)
  })

  test('with Redis gone under load callers get 503, never a false 429, and soon (threat 15)', async () => {
    const key = await makeKey({ rateLimit: 1_000_000, rateLimitPeriod: 'hour' })
    await untilAccepted(key)
    const load = startRelayLoad(key.urls, 4)
    await untilCalled(load.calls, 500)

    await expectRefusedWhile(load.calls, () => store.kill())
    await store.start()
    await untilAccepted(key)

    await expectRefusedWhile(load.calls, async () => store.pause())
    store.resume()
    await untilAccepted(key)

    await load.stop()
    expect(statusesOf(load.calls)).toEqual([200, 503])
    expect(percentile99(load.calls)).toBeLessThan(250)
  }, 90_000)
})

/** Each replica must know the key before exact numbers can be asked for; those calls count. */
const untilCalledOnce = async (key: UsedKey): Promise<void> => {
  for (const url of key.urls)
    await waitUntil('it knows the key', async () => isAccepted(await callRelay(url)))
}

/** Leases of a limit per hour last for a minute and are spent at first. */
async function expectRefusedWhile(
  calls: readonly RelayedCall[],
  breakStore: () => Promise<void>,
): Promise<void> {
  await breakStore()
  await waitUntil(
    'the leases are spent',
    () => calls.slice(-60).every(({ status }) => status === 503),
    20_000,
  )
  const refused = calls.slice(-60)
  expect(new Set(refused.map(({ reason }) => reason))).toEqual(new Set(['limits_unavailable']))
  expect(refused.every(({ retryAfter }) => retryAfter === 1)).toBe(true)
}
