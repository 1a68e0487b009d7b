import { expect, test } from 'bun:test'

import { csvText } from './csv.ts'

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
  expect(csvText([[text]])).toStartWith(`'${text}`)
})

test('negative numbers stay numbers', () => {
  expect(csvText([[-1]])).toBe('-1\r\n')
})
