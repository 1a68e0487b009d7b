import { expect, test } from 'bun:test'

import { fieldsOf, isFields } from './fields.ts'

test('only a JSON object has fields', () => {
  expect(isFields({})).toBe(true)
  for (const value of [[], [{ a: 1 }], null, undefined, 'text', 0, true]) {
    expect(isFields(value)).toBe(false)
    expect(fieldsOf(value)).toEqual({})
  }
})

test('the fields are a copy', () => {
  const value = { a: 1 }
  expect(fieldsOf(value)).toEqual(value)
  expect(fieldsOf(value)).not.toBe(value)
})
