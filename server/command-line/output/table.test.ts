import { expect, test } from 'bun:test'

import { formatTable } from './table.ts'

test('columns are as wide as their longest cell, and nothing is padded at the end of a line', () => {
  const table = formatTable(
    ['ID', 'NAME', 'STATE'],
    [
      ['a', 'Node A', 'UP'],
      ['longer', 'B', 'LATENCY'],
    ],
  )
  expect(table).toBe('ID      NAME    STATE\na       Node A  UP\nlonger  B       LATENCY\n')
})

test('wide characters take two places', () => {
  expect(formatTable(['NAME', 'X'], [['日本', '1']])).toBe('NAME  X\n日本  1\n')
})

test("a name cannot break the table or send the terminal's control sequences", () => {
  expect(formatTable(['NAME'], [['a\nb\u001b[2Jc\u009bd']])).toBe('NAME\na?b?[2Jc?d\n')
  expect(formatTable(['NAME'], [['a\u202eb\u2028c']])).toBe('NAME\na?b?c\n')
})
