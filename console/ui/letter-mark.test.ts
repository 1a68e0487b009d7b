import { expect, test } from 'bun:test'

import { letterMark, markColour } from './letter-mark.ts'

test.each([
  ['Ethereum', 'ET'],
  ['Arbitrum One', 'AO'],
  ['0xRPC', '0X'],
  ['Éire', 'ÉI'],
  ['(drpc) free', 'DF'],
  ['…', ''],
])('%s is marked %s', (name, letters) => expect(letterMark(name)).toBe(letters))

test('a name has the same colour everywhere', () => {
  const colours = ['Ethereum', 'Base', 'Solana', 'Bitcoin', 'Sui', 'TON'].map((name) => markColour(name, 5))
  expect(colours).toEqual(
    ['Ethereum', 'Base', 'Solana', 'Bitcoin', 'Sui', 'TON'].map((name) => markColour(name, 5)),
  )
  expect(new Set(colours).size).toBeGreaterThan(2)
  expect(Math.max(...colours)).toBeLessThan(5)
})
