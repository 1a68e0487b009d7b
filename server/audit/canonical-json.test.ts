import { expect, test } from 'bun:test'
import fc from 'fast-check'

import type { JsonValue } from '../../shared/audit.ts'
import { canonicalJson } from './chain.ts'

test('the example of RFC 8785, section 3.2.2', () => {
  const value: JsonValue = {
    numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
    string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
    literals: [null, true, false],
  }
  expect(canonicalJson(value)).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
      '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  )
})

test('the order of names of RFC 8785, section 3.2.3', () => {
  const value: JsonValue = {
    '\u20ac': 'Euro Sign',
    '\r': 'Carriage Return',
    '\ufb33': 'Hebrew Letter Dalet With Dagesh',
    '1': 'One',
    '\ud83d\ude00': 'Emoji: Grinning Face',
    '\u0080': 'Control',
    '\u00f6': 'Latin Small Letter O With Diaeresis',
  }
  const members = Object.values(JSON.parse(canonicalJson(value)) as Record<string, string>)
  // "1" stays in front when it is parsed, too: the names of this object are read in their order otherwise.
  expect(members.slice(1)).toEqual([
    'Carriage Return',
    'Control',
    'Latin Small Letter O With Diaeresis',
    'Euro Sign',
    'Emoji: Grinning Face',
    'Hebrew Letter Dalet With Dagesh',
  ])
})

test('any value survives, and the order of its names does not matter', () => {
  const names = fc.string({ unit: 'grapheme' }).filter((name) => name !== '__proto__')
  fc.assert(
    fc.property(fc.dictionary(names, fc.integer()), fc.jsonValue(), (members, value) => {
      expect(canonicalJson(members)).toBe(canonicalJson(reversed(members)))
      const text = canonicalJson(value as JsonValue)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      expect(canonicalJson(JSON.parse(text) as JsonValue)).toBe(text)
    }),
  )
})

const reversed = (members: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(members).toReversed())
