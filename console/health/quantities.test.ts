import { expect, test } from 'bun:test'

import { ago, counted, duration, lagInShort, percent } from './quantities.ts'

test('a duration is its two largest units', () => {
  const cases: [number, string][] = [
    [0, '0 s'],
    [499, '0 s'],
    [4_000, '4 s'],
    [65_000, '1 min 5 s'],
    [120_000, '2 min'],
    [3_600_000 + 20_000, '1 h'],
    [90_061_000, '1 d 1 h'],
    [-5_000, '0 s'],
  ]
  for (const [ms, text] of cases) expect(duration(ms)).toBe(text)
})

test('ages, counts and lag in words', () => {
  expect([ago(999), ago(4_000)]).toEqual(['just now', '4 s ago'])
  expect([counted(1, 'block'), counted(1_300, 'block')]).toEqual(['1 block', '1,300 blocks'])
  expect([lagInShort(13, 156), lagInShort(0, 0), lagInShort(0, 5)]).toEqual([
    '13 blocks, 2 min 36 s',
    '',
    '5 s',
  ])
})

test('100 % is said only of what never failed', () => {
  expect([percent(1), percent(0.999_999), percent(0.999_7), percent(0), percent(null)]).toEqual([
    '100%',
    '99.99%',
    '99.97%',
    '0%',
    '–',
  ])
})
