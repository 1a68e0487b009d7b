import { describe, expect, test } from 'bun:test'

import { argumentFieldsOf, initialValues, readFields, readJsonArgument, skeletonOf } from './tool-form.ts'

const schema = {
  type: 'object',
  properties: {
    message: { type: 'string', description: 'What to say' },
    times: { type: 'integer', default: 1 },
    loud: { type: 'boolean' },
    tone: { enum: ['kind', 'plain'] },
  },
  required: ['message'],
}

describe('the form of a tool', () => {
  const fields = argumentFieldsOf(schema) ?? []

  test('has a field for each argument of a flat schema', () => {
    expect(fields.map(({ name, kind, isRequired }) => [name, kind, isRequired])).toEqual([
      ['message', 'text', true],
      ['times', 'integer', false],
      ['loud', 'boolean', false],
      ['tone', 'choice', false],
    ])
    expect(initialValues(fields)).toEqual({ message: '', times: '1', loud: '', tone: '' })
  })

  test.each([
    { type: 'object', properties: { list: { type: 'array' } } },
    { type: 'object', properties: { deep: { type: 'object' } } },
    { type: 'object', properties: { either: { anyOf: [] } } },
    { oneOf: [] },
  ])('%j is written as JSON', (deep) => {
    expect(argumentFieldsOf(deep)).toBeNull()
  })

  test('a tool without arguments has no field', () => {
    expect(argumentFieldsOf({ type: 'object' })).toEqual([])
    expect(argumentFieldsOf(undefined)).toEqual([])
  })

  test('reads what was typed, and says what is wrong', () => {
    expect(readFields(fields, { message: 'hi', times: '2', loud: 'true', tone: '' })).toEqual({
      kind: 'value',
      value: { message: 'hi', times: 2, loud: true },
    })
    expect(readFields(fields, { message: '', times: '1.5' })).toEqual({
      kind: 'wrong',
      errors: { message: 'It has to be there.', times: 'A whole number.' },
    })
  })
})

test('JSON has to be an object', () => {
  expect(readJsonArgument(' ')).toEqual({})
  expect(readJsonArgument('{"a":[1]}')).toEqual({ a: [1] })
  expect(readJsonArgument('[1]')).toContain('Expected an object')
  expect(readJsonArgument('{')).toStartWith('Not JSON')
})

test('begins with what is required', () => {
  expect(JSON.parse(skeletonOf(schema))).toEqual({ message: '' })
  expect(skeletonOf(null)).toBe('{}')
})
