import { expect, test } from 'bun:test'

import { atLeast, atMost } from './benchmark.ts'
import { spreadOf } from './statistics.ts'
import { format, toMarkdown } from './table.ts'

test('numbers have three digits or groups of thousands', () => {
  expect([0.123456, 1.5, 99.96, 12_345.6, 0].map(format)).toEqual(['0.123', '1.5', '100', '12,346', '0'])
})

test('a row says whether its median meets the bar', () => {
  const rows = [
    { measure: 'rate', unit: '/s', value: spreadOf([10, 12, 11]), bar: atLeast(11) },
    { measure: 'stall', unit: 'ms', value: spreadOf([12]), bar: atMost(10) },
    { measure: 'size', unit: 'MB', value: spreadOf([12]), bar: null },
  ]
  expect(toMarkdown({ title: 'Title', rows, notes: ['as measured'] })).toBe(
    [
      '### Title',
      '',
      '| Measured | Median | Min – max | Bar |',
      '|---|---:|---:|---|',
      '| rate | 11 /s | 10 – 12 (3) | ≥ 11 /s: met |',
      '| stall | 12 ms | – | ≤ 10 ms: **missed** |',
      '| size | 12 MB | – |  |',
      '',
      '- as measured',
      '',
    ].join('\n'),
  )
})
