import { expect, test } from 'bun:test'

import { randomHex, randomId } from './ids.ts'

test('an id says its kind and has 96 random bits', () => {
  expect(randomId('ver')).toMatch(/^ver_[0-9a-f]{24}$/)
  expect(new Set(Array.from({ length: 1_000 }, () => randomId('ver'))).size).toBe(1_000)
})

test('random hex has two characters a byte', () => {
  for (const bytes of [0, 1, 28]) expect(randomHex(bytes)).toMatch(new RegExp(`^[0-9a-f]{${bytes * 2}}$`))
})
