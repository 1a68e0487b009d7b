import { expect, test } from 'bun:test'

import { blockTime } from './chain-words.ts'

test.each([
  [250, '250 ms'],
  [1_000, '1 s'],
  [1_500, '1,500 ms'],
  [12_000, '12 s'],
  [150_000, '2 min 30 s'],
  [600_000, '10 min'],
])('a time of %i ms between blocks is told as %p', (ms, text) => {
  expect(blockTime(ms)).toBe(text)
})
