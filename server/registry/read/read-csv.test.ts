import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { csvOf } from '../test-support/small-registry.ts'
import { readCsv } from './read-csv.ts'

test('lines have the number on which they begin, with quotes, line breaks and a byte order mark', () => {
  expect(readCsv('\ufeffa,b\r\n1,"2"\r\n"x\r\ny",3\r\n\r\n4,"say ""so"""\r\n')).toEqual({
    lines: [
      { line: 1, cells: ['a', 'b'] },
      { line: 2, cells: ['1', '2'] },
      { line: 3, cells: ['x\ny', '3'] },
      { line: 6, cells: ['4', 'say "so"'] },
    ],
    problems: [],
  })
})

test('blanks around cells are no part of them, with and without quotes', () => {
  expect(readCsv('\ufeffa,b\r\n"1" , "2"\t\r\n "x, y" ,3 \r\n" 4 ",\r\n')).toEqual({
    lines: [
      { line: 1, cells: ['a', 'b'] },
      { line: 2, cells: ['1', '2'] },
      { line: 3, cells: ['x, y', '3'] },
      { line: 4, cells: [' 4 ', ''] },
    ],
    problems: [],
  })
})

test('what is no CSV is reported, and the lines around it are read', () => {
  const { lines, problems } = readCsv('a,b\n1,2\nbad"q,1\n3,4\n')
  expect(lines.map(({ cells }) => cells)).toEqual([['a', 'b'], ['1', '2'], ['3', '4']]) // prettier-ignore
  expect(problems).toEqual([{ line: 3, reason: 'not valid CSV (invalid opening quote)' }])
})

test('a quote that is never closed is reported', () => {
  expect(readCsv('a,b\n1,2\n"open,3\n4,5\n').problems.map(({ reason }) => reason)).toEqual([
    'not valid CSV (quote not closed)',
  ])
})

test('what is written comes back as it was', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', ' ', 'é', '|', ';'), maxLength: 8 })
  fc.assert(
    fc.property(fc.array(fc.record({ one: cell, two: cell }), { minLength: 1, maxLength: 10 }), (given) => {
      const rows = given.map(({ one, two }, place) => ({ slug: `s${place}`, one, two }))
      const { lines, problems } = readCsv(csvOf(rows))
      expect(problems).toEqual([])
      expect(lines.slice(1).map(({ cells }) => cells)).toEqual(
        rows.map(({ slug, one, two }) => [slug, one, two]),
      )
    }),
  )
})
