import { expect, test } from 'bun:test'

import { hourMs } from '../../../shared/durations.ts'
import { MethodSupport } from './method-support.ts'

const call = (method: string) => [{ method }]

test('a node that does not offer a method is remembered for an hour, or until it answers', () => {
  const methods = new MethodSupport()
  expect(methods.isEmpty).toBe(true)
  methods.recordUnsupported('trace_block', 2, 0)
  methods.recordUnsupported('trace_block', 0, 10)
  expect(methods.unsupported(call('trace_block'), hourMs - 1)).toBe(0b101)
  expect(methods.unsupported(call('eth_call'), 0)).toBe(0)
  expect(methods.unsupported([...call('eth_call'), ...call('trace_block')], hourMs)).toBe(0b001)
  methods.recordAnswer('trace_block', 0)
  methods.recordAnswer('trace_block', 2)
  expect(methods.isEmpty).toBe(true)
})

test('three calls without use in a row are a reason to go elsewhere, for a second, two, four …', () => {
  const methods = new MethodSupport()
  const useless = (now: number) => methods.useless(call('eth_getProof'), now)
  methods.recordUseless('eth_getProof', 1, 0)
  methods.recordUseless('eth_getProof', 1, 0)
  expect(useless(0)).toBe(0)
  for (let n = 0; n < 5; n++) methods.recordUseless('eth_getProof', 1, 0)
  expect([useless(999), useless(1_000)]).toEqual([0b10, 0])
  methods.recordUseless('eth_getProof', 1, 1_000)
  expect([useless(2_999), useless(3_000)]).toEqual([0b10, 0])
  methods.recordAnswer('eth_getProof', 1)
  methods.recordUseless('eth_getProof', 1, 4_000)
  expect(useless(4_000)).toBe(0)
})

test('methods without end are forgotten, the oldest first', () => {
  const methods = new MethodSupport()
  for (let n = 0; n < 2_000; n++) methods.recordUnsupported(`method_${n}`, 0, 0)
  const known = Array.from({ length: 2_000 }, (_, n) => methods.unsupported(call(`method_${n}`), 1))
  expect(known.indexOf(1)).toBe(1_500)
  expect(known.filter((set) => set === 1)).toHaveLength(500)
})
