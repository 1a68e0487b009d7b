import { expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { protocolLimits } from '../../../shared/verifier-protocol.ts'
import type { PendingRound } from './batch.ts'
import { createRoundBuffer } from './buffer.ts'
import { observation, round } from '../test-support/fixtures.ts'

const pending = (planKey: string, finishedAt: number, count = 1, isolated = false): PendingRound => ({
  ...round(
    Array.from({ length: count }, (_, index) => observation(`${planKey}-${index}`)),
    { planKey, finishedAt },
  ),
  isolated,
})

const arbitraryRounds = fc
  .array(
    fc.record({
      planKey: fc.constantFrom('a', 'b', 'c'),
      gapMs: fc.nat(20_000),
      count: fc.integer({ min: 1, max: protocolLimits.observationsPerBatch }),
      isolated: fc.boolean(),
    }),
    { maxLength: 25 },
  )
  .map((list) => {
    let now = 0
    return list.map(({ planKey, gapMs, count, isolated }) => {
      now += gapMs
      return pending(planKey, now, count, isolated)
    })
  })

test('everything leaves once, in batches that fit, the newest of each plan first and live', () => {
  fc.assert(
    fc.property(arbitraryRounds, (rounds) => {
      const buffer = createRoundBuffer()
      for (const one of rounds) buffer.add(one, one.finishedAt)
      const now = rounds.at(-1)?.finishedAt ?? 0
      const sent: PendingRound[] = []
      let sawBackfill = false
      for (let next = buffer.next(now); next; next = buffer.next(now)) {
        const { backfill, isolated } = next
        expect(next.rounds.length).toBeGreaterThan(0)
        const count = next.rounds.reduce((sum, { observations }) => sum + observations.length, 0)
        const most =
          next.rounds.length > 1 ? protocolLimits.observationsShared : protocolLimits.observationsPerBatch
        expect(count).toBeLessThanOrEqual(most)
        expect(sawBackfill && !backfill).toBe(false)
        sawBackfill ||= backfill
        for (const one of next.rounds) {
          const newest = rounds.findLast(({ planKey }) => planKey === one.planKey)
          expect(backfill).toBe(one.finishedAt < (newest?.finishedAt ?? 0) - 1_000)
          expect(one.isolated).toBe(isolated)
        }
        const times = next.rounds.map(({ finishedAt }) => finishedAt)
        expect(times).toEqual(times.toSorted((left, right) => left - right))
        sent.push(...next.rounds)
        buffer.remove(next.rounds)
      }
      expect(new Set(sent)).toEqual(new Set(rounds))
      expect(sent).toHaveLength(rounds.length)
      expect([buffer.bytes, buffer.droppedRounds]).toEqual([0, 0])
    }),
  )
})

test('it never holds more than its bounds, and drops the oldest', () => {
  const bounds = fc.record({ bytes: fc.nat(1_000_000), ageMs: fc.nat(100_000) })
  fc.assert(
    fc.property(bounds, arbitraryRounds, (limit, rounds) => {
      const buffer = createRoundBuffer(limit)
      for (const one of rounds) {
        buffer.add(one, one.finishedAt)
        expect(buffer.bytes).toBeLessThanOrEqual(limit.bytes)
      }
      const now = rounds.at(-1)?.finishedAt ?? 0
      const kept: PendingRound[] = []
      for (let next = buffer.next(now); next; next = buffer.next(now)) {
        kept.push(...next.rounds)
        buffer.remove(next.rounds)
      }
      expect(new Set(kept)).toEqual(new Set(rounds.slice(rounds.length - kept.length)))
      expect(buffer.droppedRounds).toBe(rounds.length - kept.length)
      for (const one of kept) expect(now - one.finishedAt).toBeLessThanOrEqual(limit.ageMs)
    }),
  )
})

test('an hour offline is kept, more is not', () => {
  const buffer = createRoundBuffer()
  buffer.add(pending('a', 0), 0)
  expect(buffer.next(3_600_000)?.rounds).toHaveLength(1)
  expect(buffer.next(3_600_001)).toBeNull()
  expect(buffer.droppedRounds).toBe(1)
})

test('what is asked for again is the same until it is removed, and newcomers go in front', () => {
  const buffer = createRoundBuffer()
  const [first, second] = [pending('a', 0), pending('a', 10_000)]
  buffer.add(first, 0)
  expect(buffer.next(0)).toEqual(buffer.next(0))
  buffer.add(second, 10_000)
  expect(buffer.next(10_000)).toEqual({ rounds: [second], isolated: false, backfill: false })
  buffer.remove([second])
  expect(buffer.next(10_000)).toEqual({ rounds: [first], isolated: false, backfill: true })
  buffer.remove([first])
  buffer.remove([first])
  expect(buffer.next(10_000)).toBeNull()
  expect(buffer.bytes).toBe(0)
})

test('the bytes are about those of the wire', () => {
  const buffer = createRoundBuffer()
  const full = pending('a-chain', 0, 1_000)
  buffer.add(full, 0)
  const ids = full.observations.map(({ serviceId }) => serviceId)
  const row = [999, 1, null, 20_000_000, 1_800_000_000, '0123456789abcdef', 123, 1_234]
  const wireBytes = JSON.stringify([ids, ids.map(() => row)]).length
  expect(buffer.bytes / wireBytes).toBeGreaterThan(0.9)
  expect(buffer.bytes / wireBytes).toBeLessThan(2)
})
