import { describe, expect, test } from 'bun:test'

import type { Limit } from '../../shared/limits.ts'
import type { LimitedCall } from './limit-decision.ts'
import { createLimits } from './limits.ts'
import { createLocalLimits } from './local.ts'
import { createMemoryWindowStorage, type WindowStorage } from './window/window-storage.ts'
import { createMetrics } from '../platform/metrics.ts'
import { silentLog } from '../../scripts/world/database.ts'
import { covers } from '../../tests/support/covers.ts'

const perMinute = (units: number): Limit => ({ units, period: 'minute' })

const callOf = (keyId: string, given: Partial<LimitedCall> = {}): LimitedCall => ({
  keyId,
  rate: perMinute(2),
  credits: null,
  calls: 1,
  cost: 20,
  ...given,
})

function start(storage: WindowStorage = createMemoryWindowStorage(10_000)) {
  const time = { ms: 0 }
  const clock = { now: () => 0, monotonic: () => time.ms }
  return { time, limits: createLocalLimits({ clock, storage }) }
}

const anyCredits = { rate: null, credits: perMinute(1_000) }

describe('the limits of one process', () => {
  test('the rate limit refuses exactly at its number, key by key', () => {
    covers('rate-limit-enforced')
    const { time, limits } = start()
    expect([1, 2, 3].map(() => limits.admit(callOf('a')).kind)).toEqual(['admitted', 'admitted', 'refused'])
    expect(limits.admit(callOf('b')).kind).toBe('admitted')
    time.ms = 60_000
    expect(limits.admit(callOf('a'))).toMatchObject({ kind: 'refused', limit: 'rate', retryAfterMs: 1 })
    time.ms = 60_001
    expect(limits.admit(callOf('a')).kind).toBe('admitted')
  })

  test('the credits limit refuses exactly at its number', () => {
    covers('credits-limit-enforced')
    const { limits } = start()
    const call = callOf('a', { ...anyCredits, cost: 26 })
    const kinds = Array.from({ length: 39 }, () => limits.admit(call).kind)
    expect(kinds.indexOf('refused')).toBe(38)
    expect(limits.admit({ ...call, cost: 12 }).kind).toBe('admitted')
    expect(limits.admit({ ...call, cost: 1 })).toMatchObject({ kind: 'refused', limit: 'credits' })
  })

  test('credits of a call that nobody answered are free again, once, and its request stays counted', () => {
    const { limits } = start()
    const call = callOf('a', { rate: perMinute(3), credits: perMinute(50), cost: 50 })
    const admission = limits.admit(call)
    if (admission.kind !== 'admitted') throw new Error(admission.kind)
    expect(limits.admit(call).kind).toBe('refused')
    expect(admission.quotas).toMatchObject([{ remaining: 2 }, { remaining: 0, resetMs: 60_001 }])
    admission.giveBack(20)
    expect(admission.quotas).toMatchObject([{ remaining: 2 }, { remaining: 20, resetMs: 60_001 }])
    admission.giveBack(50)
    expect(admission.quotas).toMatchObject([{ remaining: 2 }, { remaining: 50, resetMs: null }])
    expect(limits.admit(call)).toMatchObject({
      kind: 'admitted',
      quotas: [{ remaining: 1 }, { remaining: 0 }],
    })
    expect(() => admission.giveBack(-1)).toThrow(RangeError)
  })

  test('a changed limit holds from the next call on, and forgets nothing of its period', () => {
    const { time, limits } = start()
    const of = (rate: Limit) => limits.admit(callOf('a', { rate })).kind
    for (let call = 0; call < 4; call++) expect(of(perMinute(4))).toBe('admitted')
    expect([perMinute(3), perMinute(4), perMinute(3)].map(of)).toEqual(['refused', 'admitted', 'refused'])
    expect(of({ units: 3, period: 'hour' })).toBe('admitted')
    time.ms = 60_001
    expect(of(perMinute(3))).toBe('admitted')
  })

  test('storage that is full is logged once, and told until no call was refused for a minute', () => {
    const time = { ms: 0 }
    const clock = { now: () => 0, monotonic: () => time.ms }
    const logged: string[] = []
    const log = { ...silentLog, error: (message: string) => void logged.push(message) }
    const counting = { kind: 'alone', storage: createMemoryWindowStorage(3) } as const
    const limits = createLimits({ clock, log, metrics: createMetrics(), counting })
    expect(limits.admit(callOf('a'))).toMatchObject({ kind: 'admitted' })
    expect(limits.storeWarning()).toBeNull()
    for (let call = 0; call < 3; call++)
      expect(limits.admit(callOf('b'))).toMatchObject({ kind: 'unavailable' })
    expect(limits.storeWarning()).toContain('full')
    expect(logged).toHaveLength(1)
    time.ms = 60_001
    expect(limits.admit(callOf('b'))).toMatchObject({ kind: 'admitted' })
    expect(limits.storeWarning()).toBeNull()
  })
})

const shared = (rate: Limit | null, credits: Limit | null = null) =>
  ({ id: 'acc', scope: 'account', rate, credits }) as const

describe('limits that keys of an account share', () => {
  test('a call is charged to its key and to the account, or to neither; the refusal says whose limit it is', () => {
    const { limits } = start()
    const further = [shared(perMinute(3), perMinute(100))]
    const kindsOf = (keyId: string, times: number) =>
      Array.from({ length: times }, () => limits.admit(callOf(keyId, { further })))
    expect(kindsOf('a', 3).at(-1)).toMatchObject({ kind: 'refused', limit: 'rate', scope: 'key' })
    expect(kindsOf('b', 2).at(-1)).toMatchObject({ kind: 'refused', limit: 'rate', scope: 'account' })
    expect(limits.peek('acc', perMinute(3), perMinute(100))).toEqual({ rateUsed: 3, creditsUsed: 60 })
    expect(limits.peek('b', perMinute(2), null).rateUsed).toBe(1)
    expect(limits.admit(callOf('c', { further, calls: 4, rate: null }))).toMatchObject({
      kind: 'oversized',
      scope: 'account',
    })
  })

  test('credits that are given back are free for all keys again', () => {
    const { limits } = start()
    const further = [shared(null, perMinute(20))]
    const admission = limits.admit(callOf('a', { ...anyCredits, further }))
    if (admission.kind !== 'admitted') throw new Error(admission.kind)
    expect(limits.admit(callOf('b', { further })).kind).toBe('refused')
    admission.giveBack(20)
    admission.giveBack(20)
    expect(limits.peek('a', null, anyCredits.credits).creditsUsed).toBe(0)
    expect(limits.admit(callOf('b', { further })).kind).toBe('admitted')
  })
})

describe('what a key has used', () => {
  const both = [perMinute(3), perMinute(1_000)] as const

  test('is told for each limit, and looking takes nothing', () => {
    const { time, limits: counted } = start()
    expect(counted.peek('a', ...both)).toEqual({ rateUsed: 0, creditsUsed: 0 })
    counted.admit(callOf('a', { rate: both[0], credits: both[1], calls: 2, cost: 45 }))
    for (let look = 0; look < 5; look++) {
      expect(counted.peek('a', ...both)).toEqual({ rateUsed: 2, creditsUsed: 45 })
    }
    expect(counted.peek('a', null, both[1])).toEqual({ rateUsed: null, creditsUsed: 45 })
    expect(counted.admit(callOf('a', { rate: both[0] }))).toMatchObject({ quotas: [{ remaining: 0 }] })
    time.ms = 60_001
    expect(counted.peek('a', both[0], null)).toEqual({ rateUsed: 0, creditsUsed: null })
  })

  test('looking with a limit that was just edited shows what counts for it, and leaves the window as it is', () => {
    const { limits: counted } = start()
    counted.admit(callOf('a'))
    counted.admit(callOf('a'))
    expect(counted.peek('a', perMinute(5), null)).toEqual({ rateUsed: 2, creditsUsed: null })
    expect(counted.peek('a', perMinute(1), null)).toEqual({ rateUsed: 1, creditsUsed: null })
    expect(counted.peek('a', { units: 5, period: 'hour' }, null)).toEqual({ rateUsed: 0, creditsUsed: null })
    expect(counted.admit(callOf('a')).kind).toBe('refused')
  })

  test('looking at keys that nobody uses takes no room from those that are used', () => {
    const { limits: counted } = start(createMemoryWindowStorage(2 * 3))
    for (let key = 0; key < 50; key++) counted.peek(`unused-${key}`, perMinute(2), null)
    expect(counted.admit(callOf('a')).kind).toBe('admitted')
    expect(counted.admit(callOf('b')).kind).toBe('admitted')
    expect(counted.peek('unused-1', perMinute(2), null)).toEqual({ rateUsed: 0, creditsUsed: null })
  })
})

describe('bounded memory', () => {
  test('a new key takes the place of one whose window is empty, never of one that still counts', () => {
    const cellsOfTwo = 2 * 3
    const { time, limits } = start(createMemoryWindowStorage(cellsOfTwo))
    limits.admit(callOf('a'))
    time.ms = 30_000
    limits.admit(callOf('b'))
    expect(limits.admit(callOf('c'))).toEqual({ kind: 'unavailable', retryAfterMs: 1_000 })
    expect(limits.admit(callOf('b')).kind).toBe('admitted')
    time.ms = 60_002
    expect(limits.admit(callOf('c')).kind).toBe('admitted')
    expect(limits.admit(callOf('b')).kind).toBe('refused')
    expect(limits.admit(callOf('a')).kind).toBe('unavailable')
  })

  test('credits given back after the window went to another key change nothing there', () => {
    const { time, limits } = start(createMemoryWindowStorage(63))
    const call = callOf('a', { rate: null, credits: perMinute(5_000) })
    const admission = limits.admit(call)
    if (admission.kind !== 'admitted') throw new Error(admission.kind)
    time.ms = 120_000
    limits.admit({ ...call, keyId: 'b' })
    admission.giveBack(20)
    expect(limits.admit({ ...call, keyId: 'b' })).toMatchObject({ quotas: [{ remaining: 4_960 }] })
  })

  test('a storage that outlives the process carries the limit over a restart', () => {
    const stored = new Map<string, Float64Array>()
    const storage: WindowStorage = {
      originMicros: 0,
      allocate(key, cells) {
        const own = stored.get(JSON.stringify(key)) ?? new Float64Array(cells)
        stored.set(JSON.stringify(key), own)
        return own
      },
      release: () => undefined,
    }
    const before = start(storage)
    before.time.ms = 5_000
    before.limits.admit(callOf('a'))
    before.limits.admit(callOf('a'))
    const after = start({ ...storage, originMicros: 5_000_000 })
    expect(after.limits.peek('a', perMinute(2), null)).toEqual({ rateUsed: 2, creditsUsed: null })
    expect(after.limits.admit(callOf('a'))).toMatchObject({ kind: 'refused', retryAfterMs: 60_001 })
    after.time.ms = 60_001
    expect(after.limits.admit(callOf('a')).kind).toBe('admitted')
  })
})
