import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'

import { linksIn } from './markdown-links.ts'
import { parseCell } from './parse-cell.ts'
import { covers } from '../../../tests/support/covers.ts'

const valueOf = (text: string, column = 'offer'): unknown => {
  const reading = parseCell(column, text)
  return reading.kind === 'value' ? reading.value : reading.reason
}

test('empty and null are null, true and false are booleans, JSON is JSON, and numbers stay texts', () => {
  for (const text of ['', '  ', 'null', 'NULL', ' null ']) expect(valueOf(text)).toBeNull()
  expect(valueOf('TRUE')).toBe(true)
  expect(valueOf(' false ')).toBe(false)
  expect(valueOf('["a", "b"]')).toEqual(['a', 'b'])
  expect(valueOf('{"a": 1}')).toEqual({ a: 1 })
  expect(valueOf('99.90%')).toBe('99.90%')
  expect(valueOf('42')).toBe('42')
  expect(valueOf(' $49/mo ')).toBe('$49/mo')
})

test('a list of links is JSON, a single link is text', () => {
  expect(valueOf('["[Docs](https://a.example/)"]')).toEqual(['[Docs](https://a.example/)'])
  expect(valueOf('[Docs](https://a.example/)')).toBe('[Docs](https://a.example/)')
})

test('what begins like JSON and is none is an error, as is what is deep or long beyond reason', () => {
  covers('threat-51')
  expect(valueOf('["a"')).toBe('not valid JSON')
  expect(valueOf('{a: 1}')).toBe('not valid JSON')
  expect(valueOf(`${'['.repeat(100_000 / 2)}`)).toBe('not valid JSON')
  expect(valueOf(`${'['.repeat(12)}1${']'.repeat(12)}`)).toContain('deeper than')
  expect(valueOf('x'.repeat(70_000))).toContain('longer than')
})

describe('what nobody sees is removed and reported', () => {
  covers('threat-51')
  const hidden = {
    'zero-width space': 'ab\u200bc',
    'bidi override': '\u202eabc',
    'bidi isolate': 'a\u2066bc\u2069',
    'tag characters': `abc${String.fromCodePoint(0xe0041, 0xe007f)}`,
    'control character': 'a\u001bbc',
    'byte order mark inside': 'a\ufeffbc',
    'soft hyphen': 'a\u00adbc',
  }
  for (const [name, text] of Object.entries(hidden)) {
    test(name, () => {
      const reading = parseCell('description', text)
      expect(reading).toEqual({ kind: 'value', value: 'abc', removed: ['hidden characters were removed'] })
    })
  }
  test('inside of lists and objects, too', () => {
    expect(valueOf('["a\u202eb", {"k\u200bey": "v\u200b"}]')).toEqual(['ab', { key: 'v' }])
  })
})

/** Each has to lose its address: whatever a browser makes of it must not run. */
const activeAddresses = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  'javascript\t:alert(1)',
  'javascript://x.example/%0aalert(1)',
  'vbscript:msgbox(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:text/html;base64,PHNjcmlwdD4=',
  'file:///etc/passwd',
  'blob:https://x.example/1',
  'ftp://x.example/',
  'java&#115;cript:alert(1)',
  'javascript&colon;alert(1)',
  '&#x6A;avascript:alert(1)',
  '/relative',
  'blowfish.xyz',
  '//x.example/',
  'https://user:password@x.example/',
  'view-source:https://x.example/',
  'intent://x.example/',
  'http://',
]

describe('a link that may not be opened loses its address and keeps its text', () => {
  covers('threat-52')
  for (const address of activeAddresses) {
    test(JSON.stringify(address), () => {
      const reading = parseCell('actionButtons', JSON.stringify([`[Docs](${address})`]))
      if (reading.kind !== 'value') throw new Error(reading.reason)
      expect(reading.removed).toHaveLength(1)
      expect(linksIn(JSON.stringify(reading.value))).toEqual([])
      expect(JSON.stringify(reading.value)).toContain('Docs')
      expect(JSON.stringify(reading.value)).not.toContain('](')
    })
  }
  test('http, https and mailto stay', () => {
    for (const address of ['https://a.example/x?y#z', 'http://a.example/', 'mailto:help@a.example']) {
      expect(parseCell('actionButtons', `[Docs](${address})`)).toMatchObject({
        value: `[Docs](${address})`,
        removed: [],
      })
    }
  })
  test('columns that are addresses lose them, too', () => {
    for (const column of ['website', 'docs', 'mcpEndpoint']) {
      expect(parseCell(column, 'javascript:alert(1)')).toMatchObject({ value: null })
      expect(parseCell(column, 'ftp://x.example/')).toMatchObject({ value: null })
      expect(parseCell(column, 'https://a.example/')).toMatchObject({
        value: 'https://a.example/',
        removed: [],
      })
    }
  })
})

test('whatever a cell holds, no link is left that may not be opened, in little time', () => {
  const piece = fc.constantFrom(
    '[',
    ']',
    '(',
    ')',
    'javascript:',
    'data:',
    'https://a.example/',
    'a',
    '\n',
    '\u202e',
    '"',
    ' ',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 200 }), (pieces) => {
      const reading = parseCell('description', pieces.join(''))
      if (reading.kind === 'invalid' || reading.value === null) return
      const shown = JSON.stringify(reading.value)
      expect(shown).not.toMatch(/[\u202a-\u202e\u200b]/)
      for (const { url } of linksIn(shown)) expect(url).toMatch(/^(https?|mailto):/)
    }),
  )
  for (const text of [
    '['.repeat(60_000),
    '[a]('.repeat(15_000),
    '](('.repeat(20_000),
    `[a](${'('.repeat(60_000)}`,
  ]) {
    expect(['value', 'invalid']).toContain(parseCell('description', `x${text}`).kind)
  }
}, 10_000)
