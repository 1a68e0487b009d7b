import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { createMethodFilter } from './methods.ts'

const matches = (list: string[], method: string) =>
  list.some((one) => (one.endsWith('*') ? method.startsWith(one.slice(0, -1)) : method === one))

describe('which methods may be called', () => {
  test.each([
    ['all where nothing is said', [], [], 'eth_call', true],
    ['but those that are denied by name', [], ['eth_call'], 'eth_call', false],
    ['or by their beginning', [], ['debug_*'], 'debug_traceCall', false],
    ['only those that are allowed by name', ['eth_call'], [], 'eth_chainId', false],
    ['or by their beginning', ['eth_*'], [], 'eth_chainId', true],
    ['a beginning is also a method', ['eth_*'], [], 'eth_', true],
    ['a part in the middle is not', ['eth_*'], [], 'my_eth_call', false],
    ['deny wins over a name', ['eth_sign'], ['eth_s*'], 'eth_sign', false],
    ['deny wins over a beginning', ['eth_*'], ['eth_sign'], 'eth_sign', false],
    ['case counts', [], ['debug_*'], 'Debug_traceCall', true],
    ['a star alone is everything', ['eth_call'], ['*'], 'eth_call', false],
    ['no name is that of a property', ['eth_call'], [], 'constructor', false],
  ])('%s: allow %j, deny %j, %s is %p', (_, allow, deny, method, expected) => {
    expect(createMethodFilter({ allow, deny })(method)).toBe(expected)
  })

  test('as if each pattern were tried in turn', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', '_'), maxLength: 4 })
    const pattern = fc
      .tuple(name, fc.boolean())
      .map(([text, isBeginning]) => (isBeginning ? `${text}*` : text))
    const patterns = fc.array(pattern, { maxLength: 4 })
    fc.assert(
      fc.property(patterns, patterns, name, (allow, deny, method) => {
        const expected = (allow.length === 0 || matches(allow, method)) && !matches(deny, method)
        expect(createMethodFilter({ allow, deny })(method)).toBe(expected)
      }),
    )
  })
})
