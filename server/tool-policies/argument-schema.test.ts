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
  ['both, where the rule has both', { properties: { path: {}, Path: {} } }, { path: '/a', Path: '/b' }, true],
  ['the same word elsewhere', { properties: { path: {} } }, { fields: { Path: '/b' } }, true],
])('arguments with %s', (_, schema, args, fits) => {
  const wrong = compileArgumentSchema({ ...schema })({ ...args })
  expect(wrong).toEqual(fits ? null : 'have a name that the rule writes in another case')
})
