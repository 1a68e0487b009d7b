import { expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { ReportBatch, protocolLimits } from '../../../shared/verifier-protocol.ts'
import { nextSeq, splitRound, writeBatch } from './batch.ts'
import { observation, round } from '../test-support/fixtures.ts'

const envelope = {
  verifierId: 'ver_1',
  seq: 1_800_000_000_000_000,
  sentAtMs: 1_800_000_000_000,
  isolated: false,
  backfill: false,
}
const manyIds = (count: number) => Array.from({ length: count }, (_, index) => `service-${index}`)

test('a sequence number is above the last one, and above what the clock says was possible before', () => {
  expect(nextSeq(0, 1_800_000_000_000)).toBe(1_800_000_000_000_000)
  expect(nextSeq(1_800_000_000_000_000, 1_800_000_000_000)).toBe(1_800_000_000_000_001)
  expect(nextSeq(1_900_000_000_000_000, 1_800_000_000_000)).toBe(1_900_000_000_000_001)
  const day = fc.integer({ min: 0, max: 4_000_000_000_000 })
  fc.assert(
    fc.property(fc.nat(2 ** 31), fc.array(day), (first, clock) => {
      let seq = first
      for (const nowMs of clock) {
        const next = nextSeq(seq, nowMs)
        expect(next).toBeGreaterThan(seq)
        expect(Number.isSafeInteger(next)).toBe(true)
        seq = next
      }
    }),
  )
})

test('a batch names each service once and points at it; ages count up to the sending', () => {
  const rounds = [
    round([observation('a'), observation('b', { ok: 0, error: 'DNS', height: null, timestamp: null })], {
      startedAt: 1_000,
      checkpoint: { height: 90, hashes: [{ serviceId: 'b', hash8: '00112233445566ff' }] },
    }),
    round([observation('b', { hash8: 'ffffffffffffffff', offsetMs: 3 })], {
      startedAt: 2_500.4,
      chainKey: null,
    }),
  ]
  const batch = writeBatch(envelope, rounds, 4_000)
  expect(ReportBatch.parse(batch)).toEqual(batch)
  expect(batch.services).toEqual(['a', 'b'])
  expect(batch.rounds).toEqual([
    {
      chain: 'testnet',
      ageMs: 3_000,
      spreadMs: 0,
      obs: [
        [0, 1, null, 100, 1_800_000_000, null, 12, 0],
        [1, 0, 'DNS', null, null, null, 12, 0],
      ],
      checkpoint: { height: 90, hashes: [[1, '00112233445566ff']] },
    },
    {
      chain: null,
      ageMs: 1_500,
      spreadMs: 0,
      obs: [[1, 1, null, 100, 1_800_000_000, 'ffffffffffffffff', 12, 3]],
    },
  ])
})

test('a round that fits is not touched; a larger one is cut, and its checkpoint goes with the first part', () => {
  const small = round([observation('a')])
  expect(splitRound(small)).toEqual([small])
  const ids = manyIds(4_500)
  const hashes = ids.map((serviceId) => ({ serviceId, hash8: '00112233445566ff' }))
  const large = round(
    ids.map((id) => observation(id)),
    { checkpoint: { height: 90, hashes } },
  )
  const parts = splitRound(large)
  expect(parts.map((part) => part.observations.length)).toEqual([2_000, 2_000, 500])
  expect(parts.flatMap((part) => part.observations)).toEqual(large.observations)
  expect(parts.map((part) => part.checkpoint?.hashes.length ?? null)).toEqual([2_000, null, null])
})

test('2,000 observations fit into the bytes of a batch, however long their values are', () => {
  const widest = Array.from({ length: protocolLimits.observationsPerBatch }, (_, index) => {
    const id = `${index}`.padEnd(128, 'x')
    const seen = observation(id, {
      ok: 0,
      error: 'BLOCKED_ADDRESS',
      height: Number.MAX_SAFE_INTEGER,
      timestamp: Number.MAX_SAFE_INTEGER,
      hash8: 'ffffffffffffffff',
      rttMs: 600_000,
      offsetMs: 600_000,
    })
    const checkpoint = {
      height: Number.MAX_SAFE_INTEGER,
      hashes: [{ serviceId: id, hash8: 'ffffffffffffffff' }],
    }
    return round([seen], { chainKey: 'c'.repeat(64), checkpoint })
  })
  const batch = writeBatch(envelope, widest, 3_600_000)
  expect(ReportBatch.safeParse(batch).success).toBe(true)
  expect(Buffer.byteLength(JSON.stringify(batch))).toBeLessThanOrEqual(protocolLimits.batchBytes)
})
