import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { csvText } from './csv.ts'
import { covers } from '../tests/support/covers.ts'

test('rows become lines, and what would break them is quoted', () => {
  expect(
    csvText([
      ['a', 1],
      ['x,y', 'say "no"'],
      ['two\nlines', ''],
    ]),
  ).toBe('a,1\r\n"x,y","say ""no"""\r\n"two\nlines",\r\n')
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx'])('%s is no formula', (text) => {
  covers('threat-54')
  expect(csvText([[text]])).toStartWith(`'${text}`)
})

/** As a spreadsheet reads it: RFC 4180. */
function parseCell(cell: string): string {
  return cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell
}

test('no text becomes a formula, and none is changed beyond the apostrophe', () => {
  covers('threat-54')
  const begins = fc.constantFrom('', '=', '+', '-', '@', '\t', '\r', '"', "'", '\n')
  fc.assert(
    fc.property(begins, fc.string({ unit: 'binary' }), (begin, rest) => {
      const text = begin + rest
      const read = parseCell(csvText([[text]]).slice(0, -'\r\n'.length))
      expect(read.replace(/^'/, '')).toBe(text.replace(/^'/, ''))
      expect(read).not.toMatch(/^[=+\-@\t\r]/)
    }),
  )
})

test('negative numbers stay numbers', () => {
  expect(csvText([[-1]])).toBe('-1\r\n')
})
