import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'
import type * as z from 'zod/mini'

import { hasHidden } from '../console/ui/hidden-characters.ts'
import { hiddenAt } from '../server/connections/tools/comparable-text.ts'
import { Instant, InstantText, latestInstant, readInstant } from './instants.ts'
import { email, idText, lines, matching, nameText, remark, text, webAddress } from './text.ts'

const takes = (schema: z.ZodMiniType, value: unknown): boolean => schema.safeParse(value).success

const messages = (schema: z.ZodMiniType, value: unknown): string[] =>
  schema.safeParse(value).error?.issues.map(({ message }) => message) ?? []

const schemas: [string, z.ZodMiniType][] = [
  ['text', text({ max: 20 })],
  ['lines', lines({ max: 20 })],
  ['name', nameText(20)],
  ['remark', remark(20)],
  ['id', idText(20)],
  ['matching', matching(/^[^,]*$/, 'no commas')],
  ['webAddress', webAddress(/^https?$/, 'an http or https address')],
  ['email', email()],
]

describe('whatever a text is for', () => {
  test.each(schemas)('%s holds no control character and no half of a surrogate pair', (_kind, schema) => {
    const controls = fc.constantFrom(
      '\0',
      '\u0001',
      '\u0008',
      '\u001b',
      '\u007f',
      '\u0085',
      '\u009b',
      '\ud800',
      '\udc00',
    )
    fc.assert(
      fc.property(controls, (control) => {
        for (const value of [`a${control}b`, `http://a.test/${control}b`, `a${control}b@example.com`]) {
          expect(takes(schema, value)).toBe(false)
        }
      }),
    )
  })

  test('line breaks and tabs are for texts of several lines', () => {
    for (const value of ['a\nb', 'a\r\nb', 'a\tb']) {
      expect(schemas.filter(([, schema]) => takes(schema, value)).map(([kind]) => kind)).toEqual(['lines'])
    }
  })

  test('the refusal says what is allowed', () => {
    expect(messages(text({ max: 20 }), 'a\0')).toEqual([
      'expected text without control characters or line breaks',
    ])
    expect(messages(nameText(20), 'a\u202eb')).toEqual([
      'expected text without control, invisible or direction-changing characters',
    ])
    expect(messages(idText(20), 'ä')).toEqual(['expected an id of visible ASCII characters'])
  })
})

/** Persian, Hindi, Sinhala, Bengali, Malayalam, and emoji. */
const joinedNames = [
  'می\u200cخواهم',
  'خانه\u200cها',
  'क्\u200cष',
  'श्\u200dर',
  'ශ්\u200dරී',
  'র\u200d্যাম',
  'അവന്\u200d',
  '👩\u200d💻',
  '👍🏽 👩🏽\u200d🚀',
  '❤️\u200d🔥',
  '🏳️\u200d🌈',
]
/** Of no script that has joiners, at an end, twice, or after letters that join nothing. */
const misjoinedNames = [
  'pay\u200cpal',
  'pay\u200dpal',
  'می\u200dخواهم',
  'دار\u200cها',
  'می\u200c',
  '\u200cمی',
  'می\u200c\u200cخواهم',
  'क\u200cष',
  'क्\u200c',
  '्\u200dर',
  'क्\u200d\u200dष',
  'می\u200cpal',
  '👩\u200d',
  '👩\u200dx',
  '1\u200d2',
  '支\u200d払',
]

describe('names', () => {
  test.each([
    ['zero-width space', '\u200b'],
    ['zero-width joiner', '\u200d'],
    ['word joiner', '\u2060'],
    ['byte order mark', '\ufeff'],
    ['right-to-left override', '\u202e'],
    ['isolate', '\u2066'],
    ['Arabic letter mark', '\u061c'],
    ['soft hyphen', '\u00ad'],
    ['line separator', '\u2028'],
    ['Hangul filler', '\u3164'],
    ['tag', '\u{e0041}'],
    ['private use', '\ue000'],
  ])('a %s is refused in a name and a remark', (_kind, char) => {
    expect(takes(nameText(20), `a${char}b`)).toBe(false)
    expect(takes(remark(20), `a${char}b`)).toBe(false)
  })

  test.each([
    'CI',
    'Zahlungsverkehr Österreich',
    '支払い',
    'משלוח',
    'شركة',
    '❤️ prod',
    '🚀',
    'नमस्ते',
    ...joinedNames,
    'a  b',
    "O'Neil <x>",
  ])('%s is a name in any language', (value) => expect(takes(nameText(40), value)).toBe(true))

  test.each(misjoinedNames)('%j has a joiner that changes nothing', (value) => {
    expect(takes(nameText(40), value)).toBe(false)
    expect(hasHidden(value)).toBe(true)
    expect(hiddenAt(value)).not.toBe(-1)
  })

  test.each(joinedNames)('nothing of %s is hidden, in the console and from models', (value) => {
    expect(hasHidden(value)).toBe(false)
    expect(hiddenAt(value)).toBe(-1)
  })

  test('blanks around a name are taken off, and do not count', () => {
    expect(nameText(3).parse('  abc ')).toBe('abc')
    expect(takes(nameText(3), '   ')).toBe(false)
    expect(remark(3).parse('   ')).toBe('')
  })
})

describe('instants', () => {
  test('every instant that is taken can be written with a year of four digits', () => {
    fc.assert(
      fc.property(fc.oneof(fc.integer(), fc.double(), fc.maxSafeInteger()), (value) => {
        const read = Instant.safeParse(value)
        if (read.success) expect(new Date(read.data).toISOString()).toMatch(/^\d{4}-/)
      }),
    )
    expect(takes(Instant, latestInstant)).toBe(true)
    expect(takes(Instant, latestInstant + 1)).toBe(false)
    expect(takes(Instant, -1)).toBe(false)
  })

  test.each(['0000-01-01T00:00:00Z', '1969-12-31T23:59:59Z', '9999-12-31T23:59:59-23:00'])(
    '%s is not from 1970 to 9999',
    (value) => {
      expect(takes(Instant, value)).toBe(false)
      expect(takes(InstantText, value)).toBe(false)
      expect(readInstant(value)).toBeNull()
    },
  )

  test('instants that people write', () => {
    expect(Instant.parse('2026-01-31T12:00:00Z')).toBe(1_769_860_800_000)
    expect(readInstant('2026-01-31 13:00:00+01:00')).toBe(1_769_860_800_000)
    expect(readInstant('1769860800')).toBe(1_769_860_800_000)
    expect(readInstant('17698608000')).toBeNull()
  })
})
