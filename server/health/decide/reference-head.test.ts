import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'

import {
  honestHeights,
  lyingHeight,
  lyingTimestamp,
  now,
  nowSec,
  params,
  runs,
  seen,
  shuffled,
  windowMs,
} from './test-support/arbitraries.ts'
import { measure } from './measure.ts'
import { type HeadObservation, type ReferenceHead, referenceHead } from './reference-head.ts'
import { covers } from '../../../tests/support/covers.ts'

const findReference = (observations: HeadObservation[]) => referenceHead(observations, now, windowMs, params)

function mustFind(observations: HeadObservation[]): ReferenceHead {
  const reference = findReference(observations)
  if (reference === null) throw new Error('no reference')
  return reference
}

const seenAt = (at: number) => findReference([seen(1, 1_000, { at })])
const honestAt = (heights: number[]) => heights.map((height, index) => seen(index, height))
const lies = fc.array(fc.tuple(lyingHeight, lyingTimestamp), { maxLength: 11 })

describe('liars', () => {
  test('a lying provider minority cannot push the reference above what the chain can have reached', () => {
    fc.assert(
      fc.property(honestHeights(2, 12), lies, (honest, told) => {
        const liars = told.slice(0, honest.length - 1)
        fc.pre(honest.length + liars.length >= 3)
        const lying = liars.map(([height, timestamp], index) =>
          seen(100 + index, height, { provider: `liar${index}`, timestamp }),
        )
        const reference = mustFind([...honestAt(honest), ...lying])
        const highest = Math.max(...honest)
        expect(reference.base.height).toBeLessThanOrEqual(highest)
        expect(reference.height).toBeLessThanOrEqual(highest + 1 + 2)
        for (const height of honest) {
          expect(measure({ height, timestamp: nowSec - 6 }, now - 1_000, reference, params).error).toBeNull()
        }
      }),
      runs,
    )
  })

  test('one liar (m >= 3) never lifts the reference above the highest honest head, whatever it claims', () => {
    covers('health-reference-head')
    fc.assert(
      fc.property(honestHeights(2, 10), lyingHeight, lyingTimestamp, (honest, height, timestamp) => {
        const liar = seen(100, height, { provider: 'liar', timestamp })
        const reference = findReference([...honestAt(honest), liar])
        expect(reference?.height).toBeLessThanOrEqual(Math.max(...honest))
      }),
      runs,
    )
  })

  test('the reference is unmoved by a lying verifier minority', () => {
    const claims = fc.array(fc.constantFrom(0, 31_000_000, 1e15), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(honestHeights(1, 6), fc.integer({ min: 2, max: 7 }), claims, (heights, count, claimed) => {
        const honest = heights.flatMap((height, service) =>
          Array.from({ length: count }, (_, index) => seen(service, height, { verifierId: `v${index}` })),
        )
        const lying = heights.flatMap((_, service) =>
          claimed
            .slice(0, count - 1)
            .map((height, index) => seen(service, height, { verifierId: `liar${index}` })),
        )
        expect(findReference([...honest, ...lying])?.height).toBe(mustFind(honest).height)
      }),
      runs,
    )
  })

  test('three liars of seven: one poses as the median with an old timestamp to widen the gate', () => {
    const reference = mustFind([
      seen(1, 1_000),
      seen(2, 1_000),
      seen(3, 1_000),
      seen(4, 1_002),
      seen(5, 1_001, { provider: 'l1', timestamp: nowSec - 4_000 }),
      seen(6, 1_100, { provider: 'l2', timestamp: nowSec }),
      seen(7, 1_100, { provider: 'l3', timestamp: nowSec }),
    ])
    expect(reference.height).toBeLessThanOrEqual(1_002)
  })

  test("another chain's height (+30M) with a plausible timestamp is FUTURE_HEAD and leaves the others untouched", () => {
    const reference = mustFind([seen(1, 1_000), seen(2, 1_001), seen(3, 1_001), seen(4, 31_000_000)])
    expect(reference.height).toBe(1_001)
    const foreign = { height: 31_000_000, timestamp: nowSec - 3 }
    expect(measure(foreign, now - 1_000, reference, params).error).toBe('FUTURE_HEAD')
  })

  test('one provider with 50 listings has one vote', () => {
    const listings = Array.from({ length: 50 }, (_, index) => seen(200 + index, 1_004, { provider: 'evil' }))
    const reference = mustFind([seen(1, 1_000), seen(2, 1_001), seen(3, 1_002), ...listings])
    expect(reference.providers).toBe(4)
    expect(reference.height).toBe(1_001)
  })
})

describe('which heads count', () => {
  test('a stuck majority is not the reference while two fresh providers agree, and they are not called liars', () => {
    const old = Math.floor(nowSec) - 600
    const stuck = [1, 2, 3, 4, 5].map((service) => seen(service, 1_000, { timestamp: old }))
    const reference = mustFind([...stuck, seen(6, 1_050), seen(7, 1_049)])
    expect(reference.height).toBe(1_049)
    expect(measure({ height: 1_000, timestamp: old }, now - 1_000, reference, params).lagBlocks).toBe(49)
    const fresh = measure({ height: 1_050, timestamp: nowSec - 6 }, now - 1_000, reference, params)
    expect(fresh).toEqual({ lagBlocks: 0, lagSec: 0, error: null })
  })

  test('future block timestamps are discarded', () => {
    const timestamp = nowSec + 600
    const ahead = [seen(3, 1_002, { provider: 'x', timestamp }), seen(4, 1_002, { provider: 'y', timestamp })]
    const reference = mustFind([seen(1, 1_000), seen(2, 1_000), seen(5, 1_000), ...ahead])
    expect(reference.height).toBe(1_000)
    expect(measure({ height: 1_000, timestamp }, now, reference, params).error).toBe('FUTURE_HEAD')
  })

  test('a block exactly at the tolerance is kept, one second later it is discarded', () => {
    const tolerated = nowSec - 1 + params.futureTolSec
    expect(findReference([seen(1, 1_000, { timestamp: tolerated })])).not.toBeNull()
    expect(findReference([seen(1, 1_000, { timestamp: tolerated + 1 })])).toBeNull()
  })

  test('heights that are no safe non-negative integers are discarded, and so are such timestamps', () => {
    for (const height of [-1, 0.5, 2 ** 53, Number.NaN, Infinity]) {
      expect(findReference([seen(1, height)])).toBeNull()
    }
    expect(findReference([seen(1, 1_000, { timestamp: 0.5 })])).toBeNull()
    expect(findReference([seen(1, 0)])?.height).toBe(0)
  })

  test('the window holds what is at most now and younger than windowMs', () => {
    expect(seenAt(now)).not.toBeNull()
    expect(seenAt(now + 1)).toBeNull()
    expect(seenAt(now - windowMs + 1)).not.toBeNull()
    expect(seenAt(now - windowMs)).toBeNull()
  })

  test('of one verifier about one service the newest counts', () => {
    const newer = seen(1, 1_001, { at: now - 500 })
    const older = seen(1, 1_009, { at: now - 900 })
    expect(findReference([newer, older])?.height).toBe(1_001)
    expect(findReference([older, newer])?.height).toBe(1_001)
  })

  test('of one verifier about one service at one instant the lower counts', () => {
    const [low, high] = [seen(1, 1_000), seen(1, 1_009)]
    expect(findReference([low, high])?.height).toBe(1_000)
    expect(findReference([high, low])?.height).toBe(1_000)
  })

  test('of two heads of one height the one with the older block counts as lower', () => {
    const older = { timestamp: nowSec - 90 }
    expect(findReference([seen(1, 1_000), seen(2, 1_000, older)])?.timestamp).toBe(nowSec - 90)
    expect(findReference([seen(1, 1_000, older), seen(2, 1_000)])?.timestamp).toBe(nowSec - 90)
  })

  test('of two verifiers about one service the lower counts, of two services of a provider the higher', () => {
    const byVerifiers = [seen(1, 1_000), seen(1, 1_005, { verifierId: 'v1' })]
    expect(findReference(byVerifiers)?.height).toBe(1_000)
    const ofOneProvider = [seen(1, 1_000, { provider: 'p' }), seen(2, 1_005, { provider: 'p' })]
    expect(findReference(ofOneProvider)).toMatchObject({ height: 1_005, providers: 1 })
    expect(findReference(ofOneProvider.toReversed())?.height).toBe(1_005)
  })

  test('permutation invariant, stateless', () => {
    const one = fc
      .tuple(fc.nat(6), fc.nat(4), fc.integer({ min: 990, max: 1_010 }), fc.integer({ min: 0, max: 40_000 }))
      .map(([service, verifier, height, ageMs]) =>
        seen(service, height, { verifierId: `v${verifier}`, at: now - ageMs }),
      )
    const given = fc
      .array(one, { maxLength: 40 })
      .chain((observations) => fc.tuple(fc.constant(observations), shuffled(observations)))
    fc.assert(
      fc.property(given, ([observations, other]) => {
        expect(findReference(other)).toEqual(findReference(observations))
      }),
      runs,
    )
  })
})

describe('how many providers it takes', () => {
  test('nothing seen, nothing known', () => {
    expect(findReference([])).toBeNull()
  })

  test('one or two providers: the lowest head, uncorroborated', () => {
    expect(findReference([seen(1, 1_000), seen(2, 31_000_000)])).toEqual({
      height: 1_000,
      timestamp: nowSec - 6,
      base: { height: 1_000, timestamp: nowSec - 6 },
      providers: 2,
      isCorroborated: false,
    })
  })

  test('from three on: the second-highest, corroborated', () => {
    const reference = findReference([seen(1, 1_000), seen(2, 1_001), seen(3, 1_002)])
    expect(reference).toMatchObject({
      height: 1_001,
      base: { height: 1_001 },
      providers: 3,
      isCorroborated: true,
    })
  })

  test('how many must have reached it is the chain’s choice', () => {
    const observations = [seen(1, 1_000), seen(2, 1_001), seen(3, 1_002)]
    const heightFor = (corroborate: number) =>
      referenceHead(observations, now, windowMs, { ...params, corroborate })?.height
    expect([0, 1, 2, 3, 9].map(heightFor)).toEqual([1_002, 1_002, 1_001, 1_000, 1_000])
  })

  test('eligible is what the chain can have made since the base, and two blocks', () => {
    const timestamp = nowSec - 30
    const heightWith = (claimed: number) =>
      referenceHead(
        [
          ...[1, 2, 3].map((service) => seen(service, 1_000, { timestamp })),
          seen(4, claimed, { timestamp: nowSec - 6 }),
        ],
        now,
        windowMs,
        { ...params, corroborate: 1 },
      )?.height
    expect(heightWith(1_004)).toBe(1_004) // 24 s are two blocks of 12 s
    expect(heightWith(1_005)).toBe(1_000)
  })

  test('a tolerated timestamp ahead of the observation lends no blocks', () => {
    const timestamp = nowSec - 30
    const honest = [1, 2, 3].map((service) => seen(service, 1_000, { timestamp }))
    const heightWith = (claimed: number) => {
      const liar = seen(4, claimed, { timestamp: nowSec + 14 })
      return referenceHead([...honest, liar], now, windowMs, { ...params, corroborate: 1 })?.height
    }
    expect(heightWith(1_005)).toBe(1_005) // 29 s until it was seen are three blocks of 12 s
    expect(heightWith(1_006)).toBe(1_000)
  })

  test('a fast chain may be two seconds of blocks ahead of what it can have made', () => {
    const fast = { ...params, blockMs: 250, corroborate: 1 }
    const heightWith = (claimed: number) => {
      const observations = [seen(1, 1_000), seen(2, 1_000), seen(3, 1_000), seen(4, claimed)]
      return referenceHead(observations, now, windowMs, fast)?.height
    }
    expect(heightWith(1_008)).toBe(1_008)
    expect(heightWith(1_009)).toBe(1_000)
  })
})
