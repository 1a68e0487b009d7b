import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { probeErrors } from '../../../shared/verifier-protocol.ts'
import { failureKinds } from '../decide/failure-run.ts'
import { createObservationTable } from './observation-table.ts'
import { noMemory } from './latest-observation.ts'
import type { ObservationTable } from './observation-table.ts'
import type { LatestObservation, ProbeMemory } from './latest-observation.ts'

const observation: fc.Arbitrary<LatestObservation> = fc.record({
  at: fc.integer({ min: 1, max: 1_000 }),
  ok: fc.boolean(),
  error: fc.constantFrom(null, ...probeErrors),
  lagBlocks: fc.nat(1_000_000),
  lagSec: fc.nat(1_000_000),
  rttMs: fc.nat(60_000),
})

const read = (table: ObservationTable, slot: number, since = 0) => {
  const found = new Map<number, LatestObservation>()
  table.forEachFresh(slot, since, (column, seen) => found.set(column, { ...seen }))
  return found
}

const sample: LatestObservation = {
  at: 100,
  ok: true,
  error: null,
  lagBlocks: 1,
  lagSec: 2,
  rttMs: 3,
}

describe('the board', () => {
  test('agrees with a plain map, however it grows', () => {
    const write = fc.tuple(fc.nat(300), fc.nat(20), observation)
    fc.assert(
      fc.property(fc.array(write, { maxLength: 60 }), (writes) => {
        const table = createObservationTable()
        const model = new Map<number, Map<number, LatestObservation>>()
        for (const [slot, column, seen] of writes) {
          const row = model.get(slot) ?? new Map<number, LatestObservation>()
          model.set(slot, row)
          const isNewer = (row.get(column)?.at ?? 0) <= seen.at
          if (isNewer) row.set(column, seen)
          expect(table.write(slot, column, seen)).toBe(isNewer)
        }
        for (const [slot, row] of model) {
          const sorted = new Map([...row].toSorted(([left], [right]) => left - right))
          expect(read(table, slot)).toEqual(sorted)
        }
      }),
    )
  })

  test('remembers what was said of earlier probes', () => {
    const now = 1_800_000_000_000
    const mask = fc.nat(1_023)
    const memory: fc.Arbitrary<ProbeMemory> = fc.record({
      window: fc.record({ count: fc.nat(10), retried: mask, bad: mask, behind: mask }),
      run: fc.option(
        fc.record({
          kind: fc.constantFrom(...failureKinds),
          count: fc.nat(65_535),
          startedAt: fc.integer({ min: now - 2 ** 32 + 1, max: now }),
        }),
        { nil: noMemory.run },
      ),
      goodAt: fc.option(fc.integer({ min: now - 2 ** 32 + 2, max: now })),
      worstLagBlocks: fc.nat(2 ** 32 - 1),
      worstLagSec: fc.nat(2 ** 32 - 1),
      worstAge: fc.nat(10),
    })
    const flags = fc.record({
      inconsistent: fc.constantFrom(undefined, 'lag' as const, 'bad' as const),
      isConfirmed: fc.constantFrom(undefined, true),
    })
    fc.assert(
      fc.property(fc.nat(200), fc.nat(20), memory, flags, (slot, column, remembered, flagged) => {
        const table = createObservationTable()
        expect(table.memory(slot, column)).toEqual(noMemory)
        const seen = { ...sample, ...flagged, at: now }
        table.write(slot, column, seen, remembered)
        table.write(slot + 1, column, sample)
        table.write(slot, column + 1, sample)
        expect(table.memory(slot, column)).toEqual(remembered)
        expect(table.read(slot, column)).toEqual(seen)
        table.clearSlot(slot)
        expect(table.memory(slot, column)).toEqual(noMemory)
      }),
    )
  })

  test('visits only what is fresh', () => {
    const table = createObservationTable()
    table.write(0, 0, sample)
    table.write(0, 1, { ...sample, at: 200 })
    expect([...read(table, 0, 101).keys()]).toEqual([1])
    expect([...read(table, 0, 100).keys()]).toEqual([0, 1])
  })

  test('forgets a service or a verifier, and nothing beside', () => {
    const table = createObservationTable()
    for (const slot of [0, 1]) for (const column of [0, 1]) table.write(slot, column, sample)
    table.clearSlot(0)
    expect(read(table, 0).size).toBe(0)
    table.clearColumn(1)
    expect([...read(table, 1).keys()]).toEqual([0])
    table.clearSlot(999)
    table.clearColumn(999)
    expect(read(table, 999).size).toBe(0)
  })
})
