import { expect, test } from 'bun:test'

import { fingerprintOf } from './pins.ts'
import { warningsOf } from './warnings.ts'

test.each([
  ['zero-width space', 'a\u200Bb'],
  ['zero-width joiner between letters', 'a\u200Db'],
  ['right-to-left override', 'a\u202Eb'],
  ['isolate', 'a\u2066b'],
  ['tag characters', 'a\u{E0041}\u{E0042}'],
  ['variation selector', 'a\uFE01'],
  ['soft hyphen', 'a\u00ADb'],
  ['escape', 'a\u001B[31mb'],
  ['null', 'a\u0000'],
  ['Hangul filler', 'a\u3164'],
  ['byte order mark', 'a\uFEFF'],
  ['private use', 'a\uE000'],
])('%s is hidden, wherever it stands', (_, text) => {
  expect(warningsOf({ name: 'x', description: text })).toEqual(['hidden_characters'])
  expect(warningsOf({ name: 'x', inputSchema: { properties: { a: { enum: [text] } } } })).toEqual([
    'hidden_characters',
  ])
  expect(warningsOf({ name: 'x', inputSchema: { properties: { [text]: {} } } })).toEqual([
    'hidden_characters',
  ])
})

test.each(['plain', 'Zeilen\nund\tTabs', 'Ünïcödé 漢字 العربية עברית', '⚠️ 👩‍💻 🇫🇷 ❤️'])(
  'nothing is hidden in %p',
  (text) => expect(warningsOf({ name: 'x', description: text })).toEqual([]),
)

test('a text of more than 4 KB is pointed out', () => {
  expect(warningsOf({ name: 'x', description: 'a'.repeat(4_096) })).toEqual([])
  expect(warningsOf({ name: 'x', description: 'a'.repeat(4_097) })).toEqual(['long_text'])
})

test('the order of keys does not change a fingerprint; any text in it does', () => {
  const one = { name: 'x', inputSchema: { type: 'object', properties: { a: { type: 'string' }, b: {} } } }
  const same = { inputSchema: { properties: { b: {}, a: { type: 'string' } }, type: 'object' }, name: 'x' }
  expect(fingerprintOf(same)).toBe(fingerprintOf(one))
  for (const other of [
    { ...one, description: '' },
    { ...one, title: 'x' },
    { ...one, annotations: { readOnlyHint: true } },
    { ...one, outputSchema: {} },
    { ...one, inputSchema: { ...one.inputSchema, required: ['a'] } },
  ]) {
    expect(fingerprintOf(other)).not.toBe(fingerprintOf(one))
  }
  expect(fingerprintOf({ ...one, _meta: { version: 2 } })).toBe(fingerprintOf(one))
})
