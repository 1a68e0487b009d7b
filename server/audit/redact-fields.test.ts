import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { storableText, redactFields } from './redact-fields.ts'

test('secrets go by their name and by their look, at any depth', () => {
  const facts = redactFields({
    name: 'Build server',
    key: 'gak_abcdefghijklmnopqrstuvwxyz0123456789AB',
    access: { headers: { Authorization: 'Bearer abcdefghijkl' } },
    notes: ['uses gak_abcdefghijklmnopqrstuvwxyz0123456789AB'],
    tokens: ['one', 'two'],
    endpoint: 'https://user:pass@node.example/v1',
  })
  const text = JSON.stringify(facts)
  for (const secret of ['abcdefghijkl', 'one', 'two', 'user:pass']) expect(text).not.toContain(secret)
  expect(facts['name']).toBe('Build server')
})

test('the lists of an API key are kept whole', () => {
  const allowedIps = Array.from({ length: 100 }, (_, index) => `192.0.2.${index}/32`)
  const change = { allowedIps, expiresAt: null, isEnabled: true, createdAt: new Date(0), left: undefined }
  expect(redactFields(change)).toEqual({
    allowedIps,
    expiresAt: null,
    isEnabled: true,
    createdAt: '1970-01-01T00:00:00.000Z',
  })
  expect(redactFields({ list: [...allowedIps, 'one more'] })['list']).toEqual([
    ...allowedIps,
    '… (101 items)',
  ])
})

test('more than can be kept is left out', () => {
  const texts = Array.from({ length: 100 }, () => 'a b '.repeat(500))
  expect(redactFields({ texts })).toEqual({ leftOut: 'more than 32000 characters' })
})

test('whatever comes, PostgreSQL can store it', () => {
  expect(storableText('a\u0000b\ud800c')).toBe('a\ufffdb\ufffdc')
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.anything()), (fields) => {
      const text = JSON.stringify(redactFields(fields))
      expect(text).not.toMatch(/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/)
    }),
  )
})
