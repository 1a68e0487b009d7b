import { expect, test } from 'bun:test'

import { toCsv } from './csv.ts'

test('texts are quoted where they have to be, and nothing is nothing', () => {
  const rows = [
    ['plain', 1.5],
    ['a "word", and\nanother', null],
  ]
  expect(toCsv(['name', 'value'], rows)).toBe(
    'name,value\r\nplain,1.5\r\n"a ""word"", and\nanother",\r\n',
  )
})

test('no text is a formula for a spreadsheet; numbers stay numbers', () => {
  const rows = [['=1+1'], ['+1'], ['-1'], ['@SUM(A1)'], ['\tx'], [-1]]
  expect(toCsv(['name'], rows)).toBe("name\r\n'=1+1\r\n'+1\r\n'-1\r\n'@SUM(A1)\r\n'\tx\r\n-1\r\n")
})
