import { expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { ObservationRow, probeErrors } from '../../../shared/verifier-protocol.ts'
import { observe, toRow } from './observation.ts'

const service = { serviceId: 'a', provider: 'acme' }
const timing = { offsetMs: 4.4, rttMs: 12.6 }
const head = { height: 20_000_000, timestamp: 1_800_000_000, hash8: '0123456789abcdef' }

test('an answer becomes a row', () => {
  const seen = observe(service, { ok: true, head, error: null }, timing, null)
  expect(toRow(seen, 7)).toEqual([7, 1, null, 20_000_000, 1_800_000_000, '0123456789abcdef', 13, 4])
})

test('a failure has no head', () => {
  const seen = observe(service, { ok: false, error: 'TIMEOUT' }, timing, 'WRONG_GENESIS')
  expect(toRow(seen, 0)).toEqual([0, 0, 'TIMEOUT', null, null, null, 13, 4])
})

test('a service without a head, and one of a wrong chain', () => {
  expect(toRow(observe(service, { ok: true, head: null, error: null }, timing, null), 0).slice(1, 5)).toEqual(
    [1, null, null, null],
  )
  const wrongGenesis = observe(service, { ok: true, head, error: null }, timing, 'WRONG_GENESIS')
  expect([wrongGenesis.ok, wrongGenesis.error]).toEqual([1, 'WRONG_GENESIS'])
  const wrongChain = observe(service, { ok: true, head, error: 'WRONG_CHAIN' }, timing, 'WRONG_GENESIS')
  expect([wrongChain.ok, wrongChain.error]).toEqual([1, 'WRONG_CHAIN'])
})

test.each([
  ['a negative height', { ...head, height: -1 }],
  ['a fraction', { ...head, height: 1.5 }],
  ['2^53', { ...head, height: 2 ** 53 }],
  ['no number', { ...head, height: Number.NaN }],
  ['a negative timestamp', { ...head, timestamp: -5 }],
  ['a hash in full', { ...head, hash8: '0x0123456789abcdef' }],
])('%s is a failed probe', (_, odd) => {
  const seen = observe(service, { ok: true, head: odd, error: null }, timing, null)
  expect(toRow(seen, 0)).toEqual([0, 0, 'RPC_ERROR', null, null, null, 13, 4])
})

test('whatever a probe finds, the row fits the wire', () => {
  const number = fc.oneof(fc.double(), fc.integer(), fc.maxSafeNat())
  const anyHead = fc.record({
    height: number,
    timestamp: number,
    hash8: fc.option(fc.oneof(fc.string(), fc.constant('00ff00ff00ff00ff'))),
  })
  const millis = fc.double({ min: -1e6, max: 1e9, noNaN: true })
  const finding = fc.oneof(
    fc.record({ ok: fc.constant(true as const), head: fc.option(anyHead), error: fc.constant(null) }),
    fc.record({ ok: fc.constant(false as const), error: fc.constantFrom(...probeErrors) }),
  )
  fc.assert(
    fc.property(
      finding,
      millis,
      millis,
      fc.constantFrom(null, 'WRONG_GENESIS' as const),
      (found, offsetMs, rttMs, isWrong) => {
        const row = toRow(observe(service, found, { offsetMs, rttMs }, isWrong), 0)
        expect(ObservationRow.safeParse(row).success).toBe(true)
      },
    ),
  )
})
