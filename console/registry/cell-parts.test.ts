import { describe, expect, test } from 'bun:test'

import { cellParts, cellView, columnTitle } from './cell-parts.ts'
import { covers } from '../../tests/support/covers.ts'

describe('links of a cell', () => {
  test.each([
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](java\nscript:alert(1))',
    '[x](\u0001javascript:alert(1))',
    '[x](data:text/html,<script>alert(1)</script>)',
    '[x](vbscript:msgbox(1))',
    '[x](file:///etc/passwd)',
    '[x](blob:https://a.example/1)',
    '[x](//evil.example)',
    '[x](https://user:password@evil.example/)',
    'javascript:alert(1)',
  ])('%j is only a text', (text) => {
    covers('threat-52')
    expect(cellParts(text).filter(({ kind }) => kind === 'link')).toEqual([])
  })

  test('those to the web and to mail are links', () => {
    expect(cellParts('See [Docs](https://a.example/(x)) or [us](mailto:us@a.example).')).toEqual([
      { kind: 'text', text: 'See ' },
      { kind: 'link', label: 'Docs', url: 'https://a.example/(x)' },
      { kind: 'text', text: ' or ' },
      { kind: 'link', label: 'us', url: 'mailto:us@a.example' },
      { kind: 'text', text: '.' },
    ])
    expect(cellParts('https://a.example/x')).toEqual([
      { kind: 'link', label: 'https://a.example/x', url: 'https://a.example/x' },
    ])
  })
})

test('cells show what they hold', () => {
  expect(cellView(null)).toBeNull()
  expect(cellView([])).toBeNull()
  expect(cellView(false)).toEqual({ kind: 'texts', texts: ['No'] })
  expect(cellView(['a', 'b'])).toEqual({ kind: 'texts', texts: ['a', 'b'] })
  expect(cellView({ a: 1 })).toEqual({ kind: 'json', text: '{\n  "a": 1\n}' })
})

test('columns have the names of the registry, or readable ones', () => {
  expect(columnTitle('apiType', new Map([['apiType', 'Kind of API']]))).toBe('Kind of API')
  expect(columnTitle('selfHostedArgs', new Map())).toBe('Self hosted args')
})
