import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import type { ProbeError } from '../../../shared/verifier-protocol.ts'
import { effectiveObservation } from './effective-observation.ts'
import type { SeenObservation } from './effective-observation.ts'
import { createObservationTable } from './observation-table.ts'
import type { LatestObservation } from './latest-observation.ts'
import { serviceOf } from '../test-support/fixtures.ts'
import { someInstant } from '../test-support/virtual-clock.ts'

const { policy } = serviceOf('a')
const good = { ok: true, error: null, lagBlocks: 0, lagSec: 0, rttMs: 5, firstError: null }
const failed = (error: ProbeError) => ({ ...good, ok: false, error })
const behind = (lagBlocks: number) => ({ ...good, lagBlocks, lagSec: lagBlocks })
const paused = failed('PAUSED')
const refused = failed('RATE_LIMITED')
const tooFar = policy.enterBlocks + 1

type Seen = Omit<SeenObservation, 'at'>

/** One verifier's observations of one service, through the table; instants are seconds. */
function observer(used = policy) {
  const table = createObservationTable()
  return {
    table,
    see(atSec: number, seen: Seen): LatestObservation | null {
      const at = someInstant + atSec * 1_000
      const next = effectiveObservation(table.read(0, 0), table.memory(0, 0), { ...seen, at }, used)
      if (next) table.write(0, 0, next.observation, next.memory)
      const stored = table.read(0, 0)
      return stored && { ...stored, at: stored.at - someInstant }
    },
  }
}

describe('a limited rate', () => {
  test('repeats the last vote, with a new age, while nothing is probed and while a refusal is the first', () => {
    const { see } = observer()
    see(0, behind(7))
    expect(see(10, refused)).toMatchObject({ at: 10_000, ok: true, error: null, lagBlocks: 7 })
    expect(see(20, paused)).toMatchObject({ at: 20_000, ok: true, error: null, lagBlocks: 7 })
    expect(see(30, good)).toMatchObject({ at: 30_000, ok: true, lagBlocks: 0 })
  })

  test('repeats a bad vote as well', () => {
    const { see } = observer()
    see(0, failed('TIMEOUT'))
    expect(see(10, refused)).toMatchObject({ at: 10_000, ok: false, error: 'TIMEOUT' })
    expect(see(20, paused)).toMatchObject({ at: 20_000, ok: false, error: 'TIMEOUT' })
  })

  test('is a bad vote after three refusals in a row over the hold, and needs no further hold then', () => {
    const { see } = observer()
    see(0, good)
    see(10, refused)
    see(20, paused)
    expect(see(30, refused)).toMatchObject({ ok: true })
    see(40, paused)
    expect(see(50, refused)).toMatchObject({ ok: false, error: 'RATE_LIMITED', isConfirmed: true })
    expect(see(60, paused)).toMatchObject({ at: 60_000, error: 'RATE_LIMITED', isConfirmed: true })
    expect(see(70, good)).toMatchObject({ ok: true, error: null, isConfirmed: undefined })
  })

  test('is no bad vote while an answer comes in between', () => {
    const { see } = observer()
    for (let second = 0; second < 600; second += 20) {
      expect(see(second, good)).toMatchObject({ ok: true, error: null })
      expect(see(second + 10, refused)).toMatchObject({ ok: true, error: null })
    }
  })

  test('from the beginning is no vote until it is confirmed', () => {
    const { see } = observer()
    expect(see(0, refused)?.error).toBe('PAUSED')
    expect(see(10, paused)?.error).toBe('PAUSED')
    expect(see(20, refused)?.error).toBe('PAUSED')
    expect(see(40, refused)).toMatchObject({ error: 'RATE_LIMITED', isConfirmed: true })
  })

  test('does not revive a vote that did not count any more', () => {
    const { see } = observer()
    see(0, good)
    expect(see(policy.freshMs / 1_000 + 1, paused)?.error).toBe('PAUSED')
  })

  test('counts at once where the policy forgives it', () => {
    const { see } = observer({ ...policy, rateLimitedIs: 'ok' })
    expect(see(0, refused)).toMatchObject({ ok: false, error: 'RATE_LIMITED' })
  })

  test('keeps in mind when the last good answer came', () => {
    const { see, table } = observer()
    see(0, good)
    see(10, refused)
    see(50, paused)
    expect(table.memory(0, 0)).toMatchObject({ goodAt: someInstant, run: { kind: 'refused', count: 1 } })
  })
})

describe('failures in a row', () => {
  test('that are hard are confirmed by the retests, and an answer ends them', () => {
    const { see } = observer()
    see(0, good)
    expect([10, 11, 12, 13].map((at) => see(at, failed('CONNECT'))?.isConfirmed)).toEqual([
      undefined,
      undefined,
      undefined,
      true,
    ])
    expect(see(20, good)?.isConfirmed).toBeUndefined()
    expect(see(30, failed('CONNECT'))?.isConfirmed).toBeUndefined()
  })

  test('are counted when the first of them is reported last', () => {
    const { see } = observer()
    see(0, good)
    for (const at of [11, 12, 13]) see(at, failed('CONNECT'))
    expect(see(10, failed('CONNECT'))).toMatchObject({ at: 13_000, error: 'CONNECT', isConfirmed: true })
  })

  test('are ended by an answer that was overtaken', () => {
    const { see } = observer()
    for (const at of [10, 11, 13]) see(at, failed('CONNECT'))
    see(12, good)
    expect(see(14, failed('CONNECT'))?.isConfirmed).toBeUndefined()
  })

  test('do not begin before the last good answer', () => {
    const { see } = observer()
    see(10, good)
    for (const at of [11, 12, 13]) see(at, failed('CONNECT'))
    expect(see(9, failed('CONNECT'))?.isConfirmed).toBeUndefined()
  })
})

describe('answers that contradict each other', () => {
  test('are late with the worst lag of the window, also when the last probe was good or failed', () => {
    const { see } = observer()
    let second = 0
    for (const seen of [behind(tooFar), good, behind(tooFar + 3), good, behind(tooFar)])
      see((second += 10), seen)
    const worst = { ok: true, error: null, lagBlocks: tooFar + 3, lagSec: tooFar + 3, inconsistent: 'lag' }
    expect(see((second += 10), good)).toMatchObject(worst)
    expect(see((second += 10), { ...failed('CONNECT'), firstError: 'CONNECT' })).toMatchObject(worst)
  })

  test('forget a lag that has left the window', () => {
    const { see } = observer()
    let second = 0
    see((second += 10), behind(tooFar + 90))
    let last: LatestObservation | null = null
    for (let probe = 0; probe < 10; probe++)
      last = see((second += 10), probe % 2 === 0 ? good : behind(tooFar))
    expect(last).toMatchObject({ inconsistent: 'lag', lagBlocks: tooFar })
  })

  test('are seen in first tries that fail, although each probe ends well', () => {
    const { see } = observer()
    const retried = { ...good, firstError: 'HTTP_5XX' as const }
    const seen = Array.from({ length: 10 }, (_, probe) => see(probe * 10, probe % 2 === 0 ? good : retried))
    expect(seen.at(-1)).toMatchObject({ ok: true, inconsistent: 'lag' })
  })

  test('are bad when seven of ten fail, whatever the last says', () => {
    const { see } = observer()
    const pattern = 'xx.xxx.xx.'
    const seen = [...pattern].map((probe, index) =>
      see(index * 10, probe === 'x' ? failed('HTTP_5XX') : good),
    )
    expect(seen.at(-1)).toMatchObject({ ok: true, inconsistent: 'bad' })
  })
})

test('an answer that only we called too large changes nothing', () => {
  const { see } = observer()
  see(0, good)
  expect(see(10, failed('TOO_LARGE'))).toMatchObject({ at: 0, ok: true })
})

test('good answers that are stored without looking back are remembered as the others are', () => {
  const kinds = [good, good, good, good, behind(tooFar), failed('CONNECT'), refused, paused] as const
  const retried: Seen = { ...good, firstError: 'TIMEOUT' }
  const probe = fc.tuple(fc.constantFrom<Seen>(...kinds, retried), fc.integer({ min: -1, max: 15 }))
  fc.assert(
    fc.property(fc.array(probe, { maxLength: 40 }), (probes) => {
      const slow = observer()
      const quick = createObservationTable()
      let second = 100
      for (const [seen, later] of probes) {
        second += later
        slow.see(second, seen)
        const observation = { ...seen, at: someInstant + second * 1_000 }
        if (seen === good && quick.writeGood(0, 0, observation)) continue
        const next = effectiveObservation(quick.read(0, 0), quick.memory(0, 0), observation, policy)
        if (next) quick.write(0, 0, next.observation, next.memory)
      }
      expect(quick.read(0, 0)).toEqual(slow.table.read(0, 0))
      expect(quick.memory(0, 0)).toEqual(slow.table.memory(0, 0))
    }),
    { numRuns: 1_000 },
  )
})
