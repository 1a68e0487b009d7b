import { beforeAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'

import type { Limit } from '../../shared/limits.ts'
import { temporaryDataDir } from '../../scripts/world/database.ts'
import type { LoggedDecision } from '../../scripts/world/limit-nodes/decision-file.ts'
import {
  intervalsAbove,
  merge,
  startLimitNodes,
  startStore,
  type TestStore,
  untilAllAdmit,
} from '../../scripts/world/limit-nodes/nodes.ts'
import type { LimitedKey } from '../../scripts/world/limit-nodes/order.ts'
import { pass } from './limits/passing.ts'
import { hasRedis } from './limits/shared-store.ts'
import { covers } from '../support/covers.ts'

const perSecond: Limit = { units: 400, period: 'second' }
const perMinute: Limit = { units: 200, period: 'minute' }
const creditsPerMinute: Limit = { units: 7_000, period: 'minute' }
const keys: LimitedKey[] = [
  { rate: perSecond, credits: null, cost: 0 },
  { rate: perMinute, credits: null, cost: 0 },
  { rate: perSecond, credits: creditsPerMinute, cost: 7 },
]
const nodeCount = 4

/** The order in which a process is killed and the store loses its data, until it is back. */
type Breaking = (store: TestStore, killOne: () => Promise<void>) => Promise<void>

const orders = {
  'a process is killed, and later the store': async (store, killOne) => {
    await killOne()
    await pass(3_500)
    await store.kill()
    await store.start()
  },
  'a process is killed, and at once the store': async (store, killOne) => {
    await killOne()
    await store.kill()
    await store.start()
  },
  'a process is killed while the store is gone': async (store, killOne) => {
    store.pause()
    await pass(1_000)
    store.resume()
    await store.kill()
    await killOne()
    await store.start()
  },
  'the store is killed, and a process as soon as it is back': async (store, killOne) => {
    await store.kill()
    await store.start()
    await killOne()
  },
} satisfies Record<string, Breaking>
type Order = keyof typeof orders
const orderNames = Object.keys(orders) as Order[]

/** Longer than anybody might wait for a process that does not come back. */
const afterwardsMs = 11_500

interface Attack {
  readonly admissions: readonly LoggedDecision[]
  readonly backAt: number
}

const attacks = new Map<Order, Attack>()

beforeAll(async () => {
  if (!hasRedis) return
  await Promise.all(orderNames.map(async (order) => attacks.set(order, await attack(orders[order]))))
}, 60_000)

async function attack(breakBoth: Breaking): Promise<Attack> {
  const folder = temporaryDataDir()
  const store = await startStore(folder)
  const order = { url: store.url, keys, callsPerSecond: 500, whenStoreLost: 'closed' } as const
  const nodes = startLimitNodes(nodeCount, folder, order)
  try {
    await untilAllAdmit(nodes)
    await pass(1_500)
    await breakBoth(store, async () => nodes[0]?.kill9())
    const backAt = await pass(0)
    await pass(afterwardsMs)
    await Promise.all(nodes.slice(1).map((node) => node.stop()))
    return { admissions: merge(nodes), backAt }
  } finally {
    await Promise.all(nodes.map((node) => node.kill9()))
    await store.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

describe.skipIf(!hasRedis)('limits of processes whose store comes back empty', () => {
  covers('rate-limit-enforced')
  test.each(orderNames)('0 intervals above the limits: %s', (order) => {
    const { admissions, backAt } = attacks.get(order) ?? { admissions: [], backAt: 0 }
    expect(intervalsAbove(admissions, 0, 'calls', perSecond)).toBe(0)
    expect(intervalsAbove(admissions, 1, 'calls', perMinute)).toBe(0)
    expect(intervalsAbove(admissions, 2, 'calls', perSecond)).toBe(0)
    expect(intervalsAbove(admissions, 2, 'credits', creditsPerMinute)).toBe(0)
    // What the killed one was granted has soon left the second.
    const admittedAfter = admissions.filter(({ key, at }) => key === 0 && at >= backAt)
    expect(admittedAfter.length).toBeGreaterThan(2 * perSecond.units)
  })
})
