import { expect, test } from 'bun:test'

import type { Family } from '../../../shared/chains.ts'
import { isNodeError, parseProbeAnswer, resultOf } from './answer.ts'

const errorOf = (code: number) => ({ jsonrpc: '2.0', id: 1, error: { code, message: 'no' } })

test.each([
  [-32005, 'evm', 'RATE_LIMITED'],
  [-32005, 'solana', 'RPC_ERROR'], // "node is behind"
  [-32007, 'evm', 'RATE_LIMITED'],
  [-32007, 'solana', 'RPC_ERROR'], // "slot was skipped"
  [429, 'solana', 'RATE_LIMITED'],
  [-32429, 'near', 'RATE_LIMITED'],
  [-32000, 'evm', 'RPC_ERROR'],
] satisfies [number, Family, string][])('error %d of %s is %s', (code, family, error) => {
  expect(() => resultOf(errorOf(code), family)).toThrow(error)
})

test('a result may be null, but must be there', () => {
  expect(resultOf({ id: 1, result: null }, 'evm')).toBeNull()
  expect(resultOf({ id: 1, result: 5, error: null }, 'bitcoin')).toBe(5)
  for (const answer of [
    { id: 1 },
    [],
    null,
    'text',
    { result: 1, error: 'text' },
    { result: 1, error: {} },
  ]) {
    expect(() => resultOf(answer, 'evm')).toThrow('RPC_ERROR')
  }
})

test("only a node's own error counts beside a bad status", () => {
  expect(isNodeError(errorOf(-28))).toBe(true)
  for (const body of [errorOf(503), { error: 'unauthorized' }, { result: 1 }, [errorOf(-28)], null]) {
    expect(isNodeError(body)).toBe(false)
  }
})

test('no text is no JSON', () => {
  for (const text of ['', '<html>', '{"a":']) expect(() => parseProbeAnswer(text)).toThrow('NOT_JSON')
})
