import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'

import { now, nowSec, params, runs } from './test-support/arbitraries.ts'
import { measure } from './measure.ts'
import type { ReferenceHead } from './reference-head.ts'

const at = now - 1_000

/** Three providers at height 1000, whose block is six seconds old. */
const corroborated: ReferenceHead = {
  height: 1_000,
  timestamp: nowSec - 6,
  base: { height: 1_000, timestamp: nowSec - 6 },
  providers: 3,
  isCorroborated: true,
}
const uncorroborated: ReferenceHead = { ...corroborated, providers: 2, isCorroborated: false }

const lag = (lagBlocks: number, lagSec: number) => ({ lagBlocks, lagSec, error: null })
const futureHead = { lagBlocks: 0, lagSec: 0, error: 'FUTURE_HEAD' as const }

/** Lag of a height whose block is as old as its distance says. */
const lagAt = (claimed: number) => {
  const timestamp = nowSec - 6 - Math.max(0, 1_000 - claimed) * 12
  return measure({ height: claimed, timestamp }, at, corroborated, params).lagBlocks
}

const headOfAge = (ageSec: number) => ({ height: 1_000, timestamp: nowSec - 1 - ageSec })

describe('against a corroborated reference', () => {
  test('lag is monotone in the service head', () => {
    const height = fc.integer({ min: 0, max: 2_000 })
    fc.assert(
      fc.property(height, height, (a, b) => {
        expect(lagAt(Math.min(a, b))).toBeGreaterThanOrEqual(lagAt(Math.max(a, b)))
      }),
      runs,
    )
  })

  test('seconds are the distance of the two block timestamps', () => {
    const head = { height: 990, timestamp: nowSec - 6 - 120 }
    expect(measure(head, at, corroborated, params)).toEqual(lag(10, 120))
    expect(measure(head, at + 500_000, corroborated, params)).toEqual(lag(10, 120))
  })

  test('a reference from the near future lends no seconds', () => {
    const early = { ...corroborated, timestamp: nowSec + 10 }
    expect(measure({ height: 999, timestamp: nowSec - 20 }, at, early, params)).toEqual(lag(1, 19))
  })

  test('a lower head with a newer timestamp is behind in blocks only', () => {
    expect(measure({ height: 999, timestamp: nowSec - 1 }, at, corroborated, params)).toEqual(lag(1, 0))
  })

  test('no block lag means no time lag (a competing block at the same height has another timestamp)', () => {
    expect(measure({ height: 1_000, timestamp: nowSec - 500 }, at, corroborated, params)).toEqual(lag(0, 0))
    expect(measure({ height: 1_001, timestamp: nowSec - 500 }, at, corroborated, params)).toEqual(lag(0, 0))
  })

  test('a head that the chain cannot have reached is FUTURE_HEAD, with room for doubt', () => {
    const seenAt = (height: number) =>
      measure({ height, timestamp: corroborated.timestamp }, at, corroborated, params)
    expect(seenAt(1_100)).toEqual(lag(0, 0))
    expect(seenAt(1_101)).toEqual(futureHead)
    const laterBlock = { height: 1_102, timestamp: nowSec - 1 } // five seconds are one block, counted twice
    expect(measure(laterBlock, at, corroborated, params)).toEqual(lag(0, 0))
    expect(measure({ ...laterBlock, height: 1_103 }, at, corroborated, params)).toEqual(futureHead)
  })

  test('a fast chain is given ten minutes of blocks', () => {
    const fast = { ...params, blockMs: 1_000 }
    const head = { height: 1_600, timestamp: corroborated.timestamp }
    expect(measure(head, at, corroborated, fast)).toEqual(lag(0, 0))
    expect(measure({ ...head, height: 1_601 }, at, corroborated, fast)).toEqual(futureHead)
  })

  test('a timestamp beyond the tolerance is FUTURE_HEAD', () => {
    const tolerated = nowSec - 1 + params.futureTolSec
    expect(measure({ height: 1_000, timestamp: tolerated }, at, corroborated, params)).toEqual(lag(0, 0))
    expect(measure({ height: 1_000, timestamp: tolerated + 1 }, at, corroborated, params)).toEqual(futureHead)
    expect(measure({ height: 1_000, timestamp: tolerated + 1 }, at, uncorroborated, params)).toEqual(
      futureHead,
    )
  })
})

describe('one or two providers', () => {
  test('only head age speaks', () => {
    expect(measure(headOfAge(5), at, uncorroborated, params)).toEqual(lag(0, 0))
    expect(measure(headOfAge(60), at, uncorroborated, params)).toEqual(lag(0, 0))
    expect(measure(headOfAge(61), at, uncorroborated, params)).toEqual(lag(0, 1))
    expect(measure(headOfAge(360), at, uncorroborated, params)).toEqual(lag(25, 300))
  })

  test('on-demand chains never lag alone', () => {
    const onDemand = { ...params, headAgeGraceSec: null }
    const head = { height: 1_000, timestamp: nowSec - 99_999 }
    expect(measure(head, at, uncorroborated, onDemand)).toEqual(lag(0, 0))
    expect(measure({ ...head, height: 995 }, at, corroborated, onDemand).lagBlocks).toBe(5)
  })

  test('a height far above the other is not called a lie: nobody can tell which is', () => {
    const head = { height: 31_000_000, timestamp: nowSec - 6 }
    expect(measure(head, at, uncorroborated, params)).toEqual(lag(0, 0))
  })
})
