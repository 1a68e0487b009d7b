import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'

import { endOfObject, endOfString, endOfValue, isMemberName, noJson, skipSpace } from './value-end.ts'

const depth = 64

/** JSON text with spaces and escapes in odd places. */
const json = fc
  .tuple(fc.json(), fc.constantFrom('', ' ', '\n', '\t '), fc.integer({ min: 0, max: 2 }))
  .map(([text, space, indent]) => space + JSON.stringify(JSON.parse(text), null, indent) + space)

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

describe('endOfValue', () => {
  test('finds the end of every JSON value', () => {
    fc.assert(
      fc.property(json, (text) => {
        const end = endOfValue(text, skipSpace(text, 0), depth)
        expect(skipSpace(text, end)).toBe(text.length)
      }),
    )
  })

  test('stops behind the first value', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(',', ']', '}', ' 1', '\n{'), (text, rest) => {
        expect(endOfValue(text + rest, 0, depth)).toBe(text.length)
      }),
    )
  })

  test('finds no end where text is cut off', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { minLength: 1 }), fc.nat(), (value, cut) => {
        const text = JSON.stringify(value)
        expect(endOfValue(text.slice(0, cut % text.length), 0, depth)).toBe(noJson)
      }),
    )
  })

  test('never throws, whatever the text', () => {
    const pieces = fc.constantFrom(...'{}[]",:\\-+.eE019tfn \n', 'true', 'null', '\\u', '\u0000', '𝄞')
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const text = parts.join('')
        const end = endOfValue(text, 0, depth)
        expect(end).toBeLessThanOrEqual(text.length)
      }),
    )
  })

  test('ends where more levels nest than were allowed', () => {
    expect(endOfValue(nested(depth), 0, depth)).toBe(2 * depth)
    expect(endOfValue(nested(depth + 1), 0, depth)).toBe(noJson)
    expect(endOfValue('{"a":'.repeat(depth + 1) + '1' + '}'.repeat(depth + 1), 0, depth)).toBe(noJson)
  })
})

describe('endOfString', () => {
  test.each([
    [String.raw`"a\"b"c"`, 6],
    [String.raw`"a\\"b"`, 5],
    [String.raw`"\\\""`, 6],
    ['""', 2],
    ['"', noJson],
    [String.raw`"\"`, noJson],
    ['a"', noJson],
  ])('%s ends at %d', (text, end) => {
    expect(endOfString(text, 0)).toBe(end)
  })
})

test('members come with the places of their keys and values', () => {
  const text = '{ "a" : 12345678901234567890 , "b":{"c":[1.50]}, "a":"\\u0041" } rest'
  const seen: [string, string][] = []
  const end = endOfObject(text, 0, depth, {
    take: (read, keyFrom, keyTo, from, to) => seen.push([read.slice(keyFrom, keyTo), read.slice(from, to)]),
  })
  expect(text.slice(end)).toBe(' rest')
  expect(seen).toEqual([
    ['"a"', '12345678901234567890'],
    ['"b"', '{"c":[1.50]}'],
    ['"a"', '"\\u0041"'],
  ])
})

test('a key is the same key however it is written', () => {
  const written = ['"method"', String.raw`"meth\u006fd"`, String.raw`"\u006d\u0065thod"`]
  expect(written.map((key) => isMemberName(key, 0, key.length, 'method'))).toEqual([true, true, true])
  const others = ['"Method"', '"methods"', '"metho"', String.raw`"method\u0000"`, '"mеthod"', '""']
  expect(others.map((key) => isMemberName(key, 0, key.length, 'method'))).toEqual(others.map(() => false))
})
