import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { parseJsonPath, valueAt } from './json-path.ts'

const read = (path: string, value: unknown) => valueAt(value, parseJsonPath(path) ?? ['no path'])

test('a path leads to one value', () => {
  const value = { data: [{ status: 'ok' }, { 'a b': null, "it's": 1 }], 'x-y': { '0': true } }
  expect(read('$', value)).toBe(value)
  expect(read('$.data[0].status', value)).toBe('ok')
  expect(read('$.data[-1]["a b"]', value)).toBeUndefined() // names are quoted with '
  expect(read("$.data[-1]['a b']", value)).toBeNull()
  expect(read("$['x-y'].0", value)).toBe(true)
  expect(read('$.x-y.0', value)).toBe(true)
})

test('what is not there is undefined, and so is what is inherited', () => {
  for (const path of ['$.nothing', '$.list[3]', '$.list.length', '$.toString', '$.__proto__', '$.text[0]'])
    expect([path, read(path, { list: [1], text: 'abc' })]).toEqual([path, undefined])
})

test.each([
  '',
  'status',
  '.a',
  '$.',
  '$..a',
  '$.*',
  '$[*]',
  '$[?(@.a>1)]',
  '$[',
  '$[a]',
  '$.a b',
  "$['a",
  '$[1:2]',
])('%p is no path', (path) => {
  expect(parseJsonPath(path)).toBeNull()
})

test('whatever is written, it is read or refused at once', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), fc.jsonValue(), (text, value) => {
      const steps = parseJsonPath(`$${text}`)
      if (steps !== null) valueAt(value, steps)
    }),
  )
})
