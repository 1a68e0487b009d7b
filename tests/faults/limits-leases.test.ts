// Mostly waits: for leases to end.
import { afterEach, describe, expect, test } from 'bun:test'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import type { LimitDecision, LimitedCall, LimitedCost } from '../../server/limits/limit-decision.ts'
import { createStoreConnection } from '../../server/platform/shared-store/store-connection.ts'
import { StoreLost } from '../../server/platform/shared-store/store-failure.ts'
import { addGrant, newLeasedLimit } from '../../server/limits/shared-store/lease.ts'
import { createLeasedKeys } from '../../server/limits/shared-store/leased-keys.ts'
import { createLeaseLedger } from '../../server/limits/shared-store/lease-ledger.ts'
import { joinScript } from '../../server/limits/shared-store/membership-scripts.ts'
import { readJoined, type MemberList } from '../../server/limits/shared-store/member-list.ts'
import { createSharedLimits, type SharedLimits } from '../../server/limits/shared-store/shared-limits.ts'
import { createLimitStore } from '../../server/limits/shared-store/store-calls.ts'
import { createLimitKeys } from '../../server/limits/shared-store/store-keys.ts'
import { createDecisionLog } from '../../server/limits/test-support/decision-log.ts'
import { systemClock } from '../../server/platform/clock.ts'
import type { Limit, LimitName } from '../../shared/limits.ts'
import { silentLog } from '../../scripts/world/database.ts'
import { hasRedis, sharedStore } from './limits/shared-store.ts'

const store = sharedStore()
const prefix = 'gatehouse:test'
const limitKeys = createLimitKeys({ prefix })
const { nodes, expected, posted, departed } = limitKeys
const closing: { close(): void }[] = []

afterEach(() => {
  for (const open of closing.splice(0)) open.close()
  if (hasRedis) store.resume()
})

const now = (): number => systemClock.monotonic()

async function connect() {
  let runId: string | null = null
  const connection = createStoreConnection({
    url: store.url,
    key: limitKeys.epoch,
    deadlineMs: 200,
    onConnected: (id) => {
      runId = id
    },
    onLost: () => {
      runId = null
    },
  })
  closing.push(connection)
  await waitUntil('connected', () => runId !== null)
  return { connection, runId: () => runId }
}

/** Nodes that earlier tests have closed are given up first. */
async function waitForSeat(join: () => Promise<unknown>): Promise<MemberList> {
  let joined = readJoined(await join())
  await waitUntil('the node has a seat', async () => {
    joined = readJoined(await join())
    return joined.isConfirmed
  })
  return joined.members
}

/** An open epoch: the first asker after a start would otherwise be told to wait until all have settled. */
async function openEpoch() {
  const { connection, runId } = await connect()
  const keys = [limitKeys.epoch, nodes, expected, posted, departed, limitKeys.held('tester')]
  const { epoch } = await waitForSeat(() =>
    connection.run(joinScript, keys, [runId() ?? '', 'tester', 1_000_000, '', 0]),
  )
  const calls = createLimitStore(
    connection,
    limitKeys,
    createLeaseLedger(connection, limitKeys, systemClock),
    'tester',
  )
  const probe = leasedLimit('probe', 'rate', { units: 1, period: 'second' })
  await waitUntil('the epoch is open', async () => {
    const answer = await calls.requestLeases(epoch, [{ leased: probe, need: 0, want: 0 }], now())
    return answer.kind === 'granted'
  })
  return { connection, calls, epoch }
}

/** The store loses what it knows of a key. */
async function forget(keyId: string): Promise<void> {
  const { connection } = await connect()
  const text = `for _, key in ipairs(redis.call('KEYS', '*${keyId}*')) do redis.call('DEL', key) end`
  await connection.run({ name: 'forget', text }, [], [])
}

async function start(whenStoreLost: 'closed' | 'share' = 'closed'): Promise<SharedLimits> {
  const limits = createSharedLimits({
    store: { url: store.url, prefix },
    clock: systemClock,
    log: silentLog,
    whenStoreLost,
    maxKeys: 3,
  })
  closing.push(limits)
  const probe = callOf(`probe-${closing.length}-${now()}`)
  await waitUntil('the store grants', async () => (await limits.admit(probe)).kind !== 'unavailable')
  return limits
}

const callOf = (keyId: string, given: Partial<LimitedCall> = {}): LimitedCall => ({
  keyId,
  rate: { units: 3, period: 'hour' },
  credits: null,
  calls: 1,
  cost: 0,
  ...given,
})

const leasedLimit = (ownerId: string, name: LimitName, limit: Limit) =>
  newLeasedLimit({ ownerId, scope: 'key', name, limit }, now())

const creditsOfADay = (units: number): LimitedCost => ({
  ownerId: 'changed',
  scope: 'key',
  name: 'credits',
  limit: { units, period: 'day' },
  cost: 1,
})

const kindOf = async (admission: LimitDecision | Promise<LimitDecision>): Promise<string> =>
  (await admission).kind

/**
 * Spends until nothing is left, and asks once more while that holds. On a machine that stands still for a second, the
 * next one begins before the refusal arrives: then again.
 */
async function refusedBy(limits: SharedLimits, call: LimitedCall) {
  for (;;) {
    const refused = await limits.admit(call)
    if (refused.kind !== 'refused') continue
    const until = now() + refused.retryAfterMs
    const again = limits.admit(call)
    if (now() < until || !(again instanceof Promise))
      return { until, isFromMemory: !(again instanceof Promise) }
    await again
  }
}

describe.skipIf(!hasRedis)('leases of a store', () => {
  test('units spent as late, then as early as a lease allows never make an interval above the limit', async () => {
    const { calls, epoch } = await openEpoch()
    const limit: Limit = { units: 100, period: 'second' }
    const leaseMs = 1_000 / 60
    const leased = leasedLimit('late', 'rate', limit)
    const spent: { at: number; units: number }[] = []
    const endsAt = now() + 5_000
    while (now() < endsAt) {
      const askedAt = now()
      const isLate = Math.floor(spent.reduce((sum, { units }) => sum + units, 0) / limit.units) % 2 === 0
      const answer = await calls.requestLeases(epoch, [{ leased, need: 1, want: 25 }], askedAt)
      if (answer.kind === 'refused') {
        const wait = (answer.refusals[0]?.waitMicros ?? 0) / 1_000
        const until = now() + wait
        await waitUntil('the refusal is over', () => now() >= until)
      } else if (answer.kind === 'granted') {
        const [grant] = answer.grants
        if (grant) addGrant(leased, grant, askedAt, now())
        spent.push({ at: isLate ? askedAt + leaseMs : now(), units: grant?.units ?? 0 })
      } else {
        // After a stall its record may remember what the store rightly forgot.
        expect(answer.kind).toBe('behind')
        await calls.post(epoch, leased, now())
      }
    }
    const log = createDecisionLog()
    for (const { at, units } of spent.toSorted((one, other) => one.at - other.at)) log.add(at, units)
    expect(log.mostIn(1_000)).toBe(100)
    expect(spent.length).toBeGreaterThan(12)
  })

  test('what the store forgot is posted once, however often it is posted', async () => {
    const { calls, epoch } = await openEpoch()
    const limit: Limit = { units: 50, period: 'day' }
    const leased = leasedLimit('forgotten', 'credits', limit)
    const ask = (need: number) => calls.requestLeases(epoch, [{ leased, need, want: need }], now())
    const granted = await ask(30)
    if (granted.kind !== 'granted' || granted.grants[0] === undefined) throw new Error(granted.kind)
    addGrant(leased, granted.grants[0], now(), now())
    await forget('forgotten')
    expect(await ask(1)).toEqual({ kind: 'behind' })
    await calls.post(epoch, leased, now())
    await calls.post(epoch, leased, now())
    expect(await ask(21)).toMatchObject({ kind: 'refused', refusals: [{ remaining: 20 }] })
    expect(await ask(20)).toMatchObject({
      kind: 'granted',
      grants: [{ units: 20, remaining: 0, granted: 50 }],
    })
  })

  test('of a limit whose units were changed, what the store forgot is posted all the same', async () => {
    const { calls, epoch } = await openEpoch()
    const keys = createLeasedKeys(10)
    const leasedWith = (units: number) => {
      const leased = keys.find('changed', [creditsOfADay(units)], now())?.limits[0]
      if (leased === undefined) throw new Error('there is no room')
      return leased
    }
    const before = leasedWith(50)
    const granted = await calls.requestLeases(epoch, [{ leased: before, need: 30, want: 30 }], now())
    if (granted.kind !== 'granted' || granted.grants[0] === undefined) throw new Error(granted.kind)
    addGrant(before, granted.grants[0], now(), now())
    await forget('changed')
    const after = leasedWith(40)
    expect(await calls.requestLeases(epoch, [{ leased: after, need: 1, want: 1 }], now())).toEqual({
      kind: 'behind',
    })
    await calls.post(epoch, after, now())
    expect(await calls.requestLeases(epoch, [{ leased: after, need: 11, want: 11 }], now())).toMatchObject({
      kind: 'refused',
      refusals: [{ remaining: 10 }],
    })
  })

  test('both limits are granted, or neither', async () => {
    const { calls, epoch } = await openEpoch()
    const rate = leasedLimit('joint', 'rate', { units: 10, period: 'hour' })
    const credits = leasedLimit('joint', 'credits', { units: 100, period: 'hour' })
    const ask = (units: number, cost: number) =>
      calls.requestLeases(
        epoch,
        [
          { leased: rate, need: units, want: units },
          { leased: credits, need: cost, want: cost },
        ],
        now(),
      )
    expect(await ask(5, 101)).toMatchObject({ kind: 'refused', refusals: [{ waitMicros: 0 }, {}] })
    expect(await ask(11, 1)).toMatchObject({ kind: 'refused', refusals: [{}, { waitMicros: 0 }] })
    expect(await ask(10, 100)).toMatchObject({
      kind: 'granted',
      grants: [{ remaining: 0 }, { remaining: 0 }],
    })
  })
})

describe.skipIf(!hasRedis)('limits shared by processes', () => {
  test('refuse exactly at their number, for all nodes together, a batch whole or not at all', async () => {
    const [one, other] = [await start(), await start()]
    const batch = callOf('exact', { calls: 2 })
    expect(await kindOf(one.admit(batch))).toBe('admitted')
    expect(await kindOf(other.admit(batch))).toBe('refused')
    expect(await kindOf(other.admit(callOf('exact')))).toBe('admitted')
    expect(await one.admit(callOf('exact'))).toMatchObject({
      kind: 'refused',
      limit: 'rate',
      quotas: [{ remaining: 0 }],
    })
    expect(await kindOf(one.admit(callOf('exact', { calls: 4 })))).toBe('oversized')
  })

  test('are admitted in full by one of three that a balancer sends everything to, and not a call more', async () => {
    const [busy] = [await start(), await start(), await start()]
    await waitUntil('all are known', () => busy.processes() === 3)
    const call = callOf('one-sided', { rate: { units: 200, period: 'hour' } })
    const kinds = new Map<string, number>()
    for (let count = 0; count < 250; count++) {
      const kind = await kindOf(busy.admit(call))
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    }
    expect(kinds).toEqual(new Map([['admitted', 200], ['refused', 50]])) // prettier-ignore
  })

  test('a refusal stands without asking the store; waiting as told and asking again succeeds', async () => {
    const limits = await start()
    const call = callOf('wait', { rate: { units: 2, period: 'second' }, calls: 2 })
    // A lease that is over before this process, on a busy machine, has read of it counts as granted, and is asked for again.
    await waitUntil('the store answers in time', async () => {
      const { until, isFromMemory } = await refusedBy(limits, call)
      expect(isFromMemory).toBe(true)
      await waitUntil('the wait is over', () => now() >= until)
      return (await kindOf(limits.admit(call))) === 'admitted'
    })
  })

  test('credits given back may be spent by another node', async () => {
    const [one, other] = [await start(), await start()]
    const call = callOf('back', { rate: null, credits: { units: 10, period: 'hour' }, cost: 10 })
    const admission = await one.admit(call)
    if (admission.kind !== 'admitted') throw new Error(admission.kind)
    expect(await kindOf(other.admit({ ...call, keyId: 'back' }))).toBe('refused')
    const third = await start()
    expect(admission.quotas).toMatchObject([{ remaining: 0 }])
    admission.giveBack(10)
    admission.giveBack(10)
    expect(admission.quotas).toMatchObject([{ remaining: 10, resetMs: null }])
    await waitUntil(
      'they are back',
      async () => (await third.admit({ ...call, cost: 4 })).kind === 'admitted',
    )
    expect(await kindOf(third.admit({ ...call, cost: 7 }))).toBe('refused')
  })

  test('what a key has used is told by every node, and looking takes nothing', async () => {
    const [one, other] = [await start(), await start()]
    const limits = [
      { units: 3, period: 'hour' },
      { units: 100, period: 'minute' },
    ] as const
    expect(await other.peek('peeked', ...limits)).toEqual({ rateUsed: 0, creditsUsed: 0 })
    await one.admit(callOf('peeked', { rate: limits[0], credits: limits[1], calls: 2, cost: 30 }))
    for (let look = 0; look < 5; look++) {
      expect(await other.peek('peeked', ...limits)).toEqual({ rateUsed: 2, creditsUsed: 30 })
    }
    expect(await other.peek('peeked', null, limits[1])).toEqual({ rateUsed: null, creditsUsed: 30 })
    expect(await other.peek('peeked', null, null)).toEqual({ rateUsed: null, creditsUsed: null })
    expect(await kindOf(other.admit(callOf('peeked')))).toBe('admitted')
    expect(await kindOf(other.admit(callOf('peeked')))).toBe('refused')
  })

  test('nobody waits long to be told that the store does not say', async () => {
    const limits = await start()
    store.pause()
    const askedAt = now()
    const perHour: Limit = { units: 3, period: 'hour' }
    expect(await limits.peek('frozen', perHour, null)).toBeNull()
    expect(now() - askedAt).toBeLessThan(1_000)
    store.resume()
  })

  test('more keys than there is room for get no admission', async () => {
    const limits = await start()
    expect(await kindOf(limits.admit(callOf('room-1')))).toBe('admitted')
    expect(await kindOf(limits.admit(callOf('room-2')))).toBe('admitted')
    expect(await kindOf(limits.admit(callOf('room-3')))).toBe('unavailable')
  })

  test('while the store is frozen every caller gets an answer in time, and none is admitted', async () => {
    const limits = await start()
    const rate: Limit = { units: 10_000, period: 'second' }
    store.pause()
    const askedAt = now()
    const kinds = await Promise.all(
      Array.from({ length: 50 }, () => kindOf(limits.admit(callOf('frozen', { rate })))),
    )
    expect(new Set(kinds)).toEqual(new Set(['unavailable']))
    expect(now() - askedAt).toBeLessThan(1_000)
    expect(limits.isStoreReady()).toBe(false)
    expect(limits.admit(callOf('frozen', { rate }))).toEqual({ kind: 'unavailable', retryAfterMs: 1_000 })
    store.resume()
    await waitUntil(
      'it admits again',
      async () => (await limits.admit(callOf('frozen', { rate }))).kind === 'admitted',
    )
  })

  test('a store that was never reached opens nothing, in no mode', async () => {
    for (const whenStoreLost of ['closed', 'share'] as const) {
      const limits = createSharedLimits({
        store: { url: 'redis://127.0.0.1:1', prefix },
        clock: systemClock,
        log: silentLog,
        whenStoreLost,
        maxKeys: 3,
      })
      closing.push(limits)
      expect(await kindOf(limits.admit(callOf('never')))).toBe('unavailable')
    }
  })

  test('a command that the store itself refuses keeps the connection', async () => {
    const { connection, runId } = await connect()
    const before = runId()
    const wrong = { name: 'wrong', text: `return redis.call('NO-SUCH-COMMAND')` }
    const asked = connection.run(wrong, [], [])
    await expect(asked).rejects.toBeInstanceOf(StoreLost)
    expect(runId()).toBe(before)
    expect(await connection.run({ name: 'right', text: 'return 7' }, [], [])).toBe(7)
  })
})
