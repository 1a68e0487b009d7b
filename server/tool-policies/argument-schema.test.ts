import { expect, test } from 'bun:test'

import { compileArgumentSchema, requireArgumentSchema } from './argument-schema.ts'

test.each([
  ['a reference', { $ref: '#' }, 'keyword that is not taken'],
  ['a format', { properties: { at: { format: 'email' } } }, 'keyword that is not taken'],
  ['a comparison of everything with everything', { uniqueItems: true }, 'keyword that is not taken'],
  ['a look-around', { properties: { at: { pattern: '(?=a)' } } }, 'has a pattern that is not taken'],
  [
    'a pattern that is much',
    { properties: { at: { pattern: '(a{100}){100}' } } },
    'has a pattern that is not taken',
  ],
  ['a type that there is not', { type: 'text' }, 'is no valid JSON Schema'],
  ['a list where a schema belongs', { not: [] }, 'no schema where one is expected'],
  ['too much', { enum: ['x'.repeat(9_000)] }, 'is larger than 8192 bytes'],
  [
    'too deep',
    [...Array(20)].reduce<Record<string, unknown>>((inner) => ({ not: inner }), {}),
    'is nested more than 12 deep',
  ],
])('%s is no schema of arguments', (_, schema, message) => {
  expect(() => requireArgumentSchema(schema)).toThrow(message)
})

test('no words of the schema become code', () => {
  const name = '`+process.exit(9)+`"];}process.exit(9);//'
  const check = compileArgumentSchema({
    properties: { [name]: { const: name, title: name } },
    required: [name],
  })
  expect(check({ [name]: name })).toBeNull()
  expect(check({})).not.toBeNull()
})

test.each<[string, object, object, boolean]>([
  ['a member beside it in another case', { properties: { path: {} } }, { path: '/a', Path: '/b' }, false],
  ['a member in another case alone', { properties: { path: {} } }, { PATH: '/b' }, false],
  ['a member with a long s', { properties: { paths: {} } }, { 'path\u017f': '/b' }, false],
  [
    'one further in',
    { allOf: [{ properties: { at: { items: { properties: { path: {} } } } } }] },
    { at: [{ Path: '/b' }] },
    false,
  ],
  ['a name that must not be there', { not: { required: ['force'] } }, { Force: true }, false],
  [
    'a name that is not among those it may have',
    { propertyNames: { not: { const: 'force' } } },
    { Force: 1 },
    false,
  ],
  [
    'a name of a list that it must not have',
    { propertyNames: { not: { enum: ['force'] } } },
    { Force: 1 },
    false,
  ],
  ['a name that wants others', { dependentRequired: { force: ['reason'] } }, { Force: true }, false],
  ['a name that others want', { dependentRequired: { force: ['reason'] } }, { Reason: 'x' }, false],
  [
    'a name in what goes with another',
    { dependentSchemas: { at: { properties: { path: {} } } } },
    { Path: 1 },
    false,
  ],
  [
    'one in a member of any name',
    { properties: { at: { additionalProperties: { properties: { path: {} } } } } },
    { at: { a: { Path: '/b' } } },
    false,
  ],
  [
    'one in an item at its place',
    { properties: { at: { prefixItems: [{ properties: { path: {} } }], items: {} } } },
    { at: [{ Path: '/b' }] },
    false,
  ],
  [
    'one in an item behind those with a place',
    { properties: { at: { prefixItems: [{}], items: { required: ['path'] } } } },
    { at: [{}, { Path: '/b' }] },
    false,
  ],
  [
    'one in an item that must be there',
    { properties: { at: { contains: { required: ['path'] } } } },
    { at: [{ path: '/a', Path: '/b' }] },
    false,
  ],
  [
    'both, where two parts of the rule have one each',
    { allOf: [{ properties: { path: {} } }, { properties: { Path: {} } }] },
    { path: '/a', Path: '/b' },
    true,
  ],
  ['both, where the rule has both', { properties: { path: {}, Path: {} } }, { path: '/a', Path: '/b' }, true],
  ['the same word elsewhere', { properties: { path: {} } }, { fields: { Path: '/b' } }, true],
])('arguments with %s', (_, schema, args, fits) => {
  const wrong = compileArgumentSchema({ ...schema })({ ...args })
  expect(wrong).toEqual(fits ? null : 'have a name that the rule writes in another case')
})

test.each([
  [0.01, [0.07, 19.99, 4.35, 8.2, 111849.43, 90071992547.01, -0.29, 3, 0], [0.075, 0.015, 1e-9]],
  [0.000001, [5.123457, 987654321.123457, 1e300], [0.0000005]],
  [5, [10, 1e21], [7, 2.5]],
])('multiples of %p are those that their decimals are', (divisor, multiples, others) => {
  const check = compileArgumentSchema({ properties: { amount: { multipleOf: divisor } } })
  expect(multiples.filter((amount) => check({ amount }) !== null)).toEqual([])
  for (const amount of others) expect(check({ amount })).toBe(`/amount must be multiple of ${divisor}`)
})

/** A list of that many empty objects. */
const listOf = (length: number) => ({ list: Array.from({ length }, () => ({})) })

test('arguments that a schema has too many parts for are not checked', () => {
  const parts = Array.from({ length: 2_000 }, () => ({}))
  const check = compileArgumentSchema({ properties: { list: { items: { allOf: parts } } } })
  expect(check(listOf(100))).toBeNull()
  expect(check(listOf(9_000))).toBe('are too long to be checked')
})
