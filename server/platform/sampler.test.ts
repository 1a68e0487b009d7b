import { expect, test } from 'bun:test'
import * as fc from 'fast-check'

import { requestLogBounds } from '../../shared/request-log.ts'
import { Sampler } from './sampler.ts'

const { wholePerSecond, oneIn } = requestLogBounds

test('a quiet second is kept whole; above that one in ten, which stands for ten', () => {
  const sampler = new Sampler(wholePerSecond.answered, oneIn)
  const weights = Array.from({ length: wholePerSecond.answered + 30 }, () => sampler.weightAt(1_000))
  expect(weights.slice(0, wholePerSecond.answered).every((weight) => weight === 1)).toBe(true)
  expect(weights.slice(wholePerSecond.answered).filter((weight) => weight > 0)).toEqual([oneIn, oneIn, oneIn])
  expect(sampler.weightAt(2_000)).toBe(1)
})

test('weights never count more than there was, and at most nine are missing', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 50 }), { maxLength: 500 }), (pauses) => {
      const sampler = new Sampler(wholePerSecond.failed, oneIn)
      let now = 0
      let sum = 0
      for (const pause of pauses) sum += sampler.weightAt((now += pause))
      expect(sum).toBeLessThanOrEqual(pauses.length)
      expect(sum).toBeGreaterThan(pauses.length - oneIn)
    }),
  )
})
