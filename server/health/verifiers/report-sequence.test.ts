import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { someInstant as now } from '../test-support/virtual-clock.ts'
import { type BatchClaim, type LastBatch, checkSequence, restartFloor } from './report-sequence.ts'

const last: LastBatch = { seq: 100, bodyHash: 'last' }
const claim = (changes: Partial<BatchClaim> = {}): BatchClaim => ({
  seq: 101,
  sentAt: now,
  bodyHash: 'new',
  ...changes,
})
const minute = 60_000
/** In microseconds, as sequence numbers are. */
const day = 86_400_000_000

describe('a batch', () => {
  test.each<[string, Partial<BatchClaim>, string]>([
    ['with the next number', {}, 'accepted'],
    ['with a number a day ahead', { seq: now * 1_000 + day }, 'accepted'],
    ['with a number more than a day ahead', { seq: now * 1_000 + day + 1 }, 'ahead'],
    ['with the highest number there is', { seq: 2 ** 53 - 1 }, 'ahead'],
    ['with the same number and body, its answer was lost', { seq: 100, bodyHash: 'last' }, 'duplicate'],
    ['the same after an hour', { seq: 100, bodyHash: 'last', sentAt: now - 60 * minute }, 'duplicate'],
    ['with the same number and another body', { seq: 100 }, 'replayed'],
    ['with the same body and a lower number', { seq: 99, bodyHash: 'last' }, 'replayed'],
    ['with the lowest number', { seq: 1 }, 'replayed'],
    ['from a clock a minute behind', { sentAt: now - minute }, 'accepted'],
    ['from a clock a minute ahead', { sentAt: now + minute }, 'accepted'],
    ['from a clock more than a minute behind', { sentAt: now - minute - 1 }, 'clock_skew'],
    ['from a clock more than a minute ahead', { sentAt: now + minute + 1 }, 'clock_skew'],
    ['that is both skewed and a replay', { seq: 1, sentAt: 0 }, 'replayed'],
  ])('%s', (_, changes, kind) => {
    expect(checkSequence(claim(changes), last, now)).toMatchObject({ kind })
  })

  test('that is refused as a replay is told the last number', () => {
    expect(checkSequence(claim({ seq: 3 }), last, now)).toEqual({ kind: 'replayed', lastSeq: 100 })
  })

  test('is no duplicate when nobody knows what the last one held', () => {
    expect(checkSequence(claim({ seq: 100 }), { seq: 100, bodyHash: null }, now)).toMatchObject({
      kind: 'replayed',
    })
  })
})

const seqs = fc.integer({ min: 1, max: 2 ** 53 - 1 })
const instants = fc.integer({ min: now - 5 * minute, max: now + 5 * minute })

test('of the batches of one number at most one is ever accepted, in whatever order they come', () => {
  const claims = fc.record({
    seq: fc.integer({ min: 1, max: 20 }),
    sentAt: instants,
    bodyHash: fc.constantFrom('a', 'b'),
  })
  fc.assert(
    fc.property(fc.array(claims, { maxLength: 60 }), (arrivals) => {
      const accepted: number[] = []
      let newest: LastBatch = { seq: 0, bodyHash: null }
      for (const arrival of arrivals) {
        if (checkSequence(arrival, newest, now).kind !== 'accepted') continue
        accepted.push(arrival.seq)
        newest = arrival
      }
      expect(accepted).toEqual([...new Set(accepted)].sort((left, right) => left - right))
    }),
  )
})

test('whoever adopts the number that a refusal tells is accepted next', () => {
  fc.assert(
    fc.property(seqs, fc.integer({ min: 1, max: now * 1_000 + day - 1 }), (seq, lastSeq) => {
      const refusal = checkSequence(claim({ seq }), { seq: lastSeq, bodyHash: 'last' }, now)
      if (refusal.kind !== 'replayed' && refusal.kind !== 'ahead') return
      const next = claim({ seq: refusal.lastSeq + 1 })
      expect(checkSequence(next, { seq: lastSeq, bodyHash: 'last' }, now)).toEqual({ kind: 'accepted' })
    }),
  )
})

describe('after a restart', () => {
  test('nothing is taken that was numbered before it, stored or not', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: now * 1_000 }),
        fc.integer({ min: 1, max: 10 * minute }),
        (stored, agoMs) => {
          const floor = restartFloor(stored, now)
          const before = claim({ seq: (now - agoMs) * 1_000 })
          expect(checkSequence(before, { seq: floor, bodyHash: null }, now)).toMatchObject({
            kind: 'replayed',
          })
        },
      ),
    )
  })

  test('a stored number that nobody could follow counts for nothing', () => {
    expect(restartFloor(2 ** 53 - 1, now)).toBe(now * 1_000)
  })

  test('a higher number that was stored stays, and the next millisecond is taken', () => {
    expect(restartFloor(now * 1_000 + 5, now)).toBe(now * 1_000 + 5)
    const floor = restartFloor(0, now)
    expect(checkSequence(claim({ seq: (now + 1) * 1_000 }), { seq: floor, bodyHash: null }, now)).toEqual({
      kind: 'accepted',
    })
  })
})
