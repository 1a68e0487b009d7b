import { describe, expect, test } from 'bun:test'

import type { VirtualMember } from '../../shared/virtual-servers.ts'
import { exposeTools, withoutArguments } from './expose-tools.ts'

const member = (parts: Partial<VirtualMember>): VirtualMember => ({
  service: 'mcpservers:one',
  prefix: '',
  others: 'allow',
  tools: [],
  ...parts,
})

const listing = (...names: string[]) => ({
  away: null,
  source: null,
  tools: names.map((name) => ({
    definition: { name: name.replace('!', '') },
    changed: name.endsWith('!'), // not the one that was accepted
    warnings: [],
    findings: [],
    refusal: null,
  })),
})

const namesOf = (members: readonly VirtualMember[], ...lists: ReturnType<typeof listing>[]): string[] =>
  exposeTools({ name: 'set', mode: 'all', members: [...members] }, lists).tools.map(
    ({ definition }) => definition.name,
  )

describe('two tools never share a name', () => {
  const both = [member({}), member({})]

  test('the first member keeps it, and the other gets its number', () => {
    expect(namesOf(both, listing('echo', 'a'), listing('echo'))).toEqual(['echo', 'a', 'echo_2'])
  })
  test('a tool that was accepted keeps it from one that came later, whatever their order', () => {
    expect(namesOf(both, listing('send!'), listing('send'))).toEqual(['send_1', 'send'])
  })
  test('a name that a rule gives comes before all', () => {
    const renamed = member({ tools: [{ tool: 'mine', allow: true, rename: 'send' }] })
    expect(namesOf([member({}), renamed], listing('send'), listing('mine!'))).toEqual(['send_1', 'send'])
  })
  test('a name with a number that is taken, too, is left out', () => {
    expect(namesOf(both, listing('echo', 'echo_2'), listing('echo'))).toEqual(['echo', 'echo_2'])
  })
})

test('what clients cannot read in a name becomes an underscore', () => {
  expect(namesOf([member({ prefix: 'x.' })], listing('a b/ü'))).toEqual(['x.a_b__'])
})

test('fixed arguments are in no schema, and nothing else of it changes', () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'string' }, b: {} },
    required: ['a', 'b'],
    additionalProperties: false,
  }
  expect(withoutArguments(schema, { a: 1 })).toEqual({
    type: 'object',
    properties: { b: {} },
    required: ['b'],
    additionalProperties: false,
  })
  expect(withoutArguments(schema, {})).toBe(schema)
  expect(withoutArguments(undefined, { a: 1 })).toBeUndefined()
})
