import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { type MethodAccess, type MethodGroup, createMethodAccess } from './method-access.ts'

const matches = (list: string[], method: string) =>
  list.some((one) => (one.endsWith('*') ? method.startsWith(one.slice(0, -1)) : method === one))

const accessTo = (
  method: string,
  group: MethodGroup,
  rules: { allow?: string[]; deny?: string[]; unknown?: 'refuse' | 'allow' } = {},
): MethodAccess => createMethodAccess({ allow: [], deny: [], unknown: 'refuse', ...rules })(method, group)

describe('an ordinary method may be called', () => {
  test.each([
    ['where nothing is said', [], [], 'eth_call', 'allowed'],
    ['but not when it is denied by name', [], ['eth_call'], 'eth_call', 'denied'],
    ['or by its beginning', [], ['debug_*'], 'debug_traceCall', 'denied'],
    ['only when it is allowed by name', ['eth_call'], [], 'eth_chainId', 'not-listed'],
    ['or by its beginning', ['eth_*'], [], 'eth_chainId', 'allowed'],
    ['a beginning is also a method', ['eth_*'], [], 'eth_', 'allowed'],
    ['a part in the middle is not', ['eth_*'], [], 'my_eth_call', 'not-listed'],
    ['deny wins over a name', ['eth_sign'], ['eth_s*'], 'eth_sign', 'denied'],
    ['deny wins over a beginning', ['eth_*'], ['eth_sign'], 'eth_sign', 'denied'],
    ['case counts', [], ['debug_*'], 'Debug_traceCall', 'allowed'],
    ['a star alone is everything', ['eth_call'], ['*'], 'eth_call', 'denied'],
    ['no name is that of a property', ['eth_call'], [], 'constructor', 'not-listed'],
  ] as const)('%s: allow %j, deny %j, %s is %p', (_, allow, deny, method, expected) => {
    expect(accessTo(method, 'ordinary', { allow: [...allow], deny: [...deny] })).toBe(expected)
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
        expect(accessTo(method, 'ordinary', { allow, deny }) === 'allowed').toBe(expected)
      }),
    )
  })
})

describe.each(['node-control', 'key-use'] as const)('a method of the group %s', (group) => {
  test.each([
    [{}, group],
    [{ allow: ['*'] }, group],
    [{ allow: ['anvil_*'] }, group],
    [{ allow: ['anvil_min*'] }, group],
    [{ allow: ['eth_call'] }, group],
    [{ unknown: 'allow' }, group],
    [{ allow: ['anvil_*'], unknown: 'allow' }, group],
    [{ allow: ['anvil_mine'] }, 'allowed'],
    [{ allow: ['*', 'anvil_mine'] }, 'allowed'],
    [{ allow: ['anvil_mine'], deny: ['anvil_*'] }, 'denied'],
  ] as const)('with %j is %s', (rules, expected) => {
    const lists = {
      allow: [...('allow' in rules ? rules.allow : [])],
      deny: 'deny' in rules ? [...rules.deny] : [],
    }
    expect(accessTo('anvil_mine', group, { ...rules, ...lists })).toBe(expected)
  })
})

describe('a method in no table', () => {
  test.each([
    [{}, 'unknown'],
    [{ allow: ['*'] }, 'unknown'],
    [{ allow: ['own_*'] }, 'unknown'],
    [{ allow: ['own_method'] }, 'allowed'],
    [{ unknown: 'allow' }, 'allowed'],
    [{ allow: ['own_*'], unknown: 'allow' }, 'allowed'],
    [{ allow: ['eth_*'], unknown: 'allow' }, 'not-listed'],
    [{ deny: ['own_*'], unknown: 'allow' }, 'denied'],
  ] as const)('with %j is %s', (rules, expected) => {
    const lists = {
      allow: [...('allow' in rules ? rules.allow : [])],
      deny: 'deny' in rules ? [...rules.deny] : [],
    }
    expect(accessTo('own_method', 'unknown', { ...rules, ...lists })).toBe(expected)
  })
})
