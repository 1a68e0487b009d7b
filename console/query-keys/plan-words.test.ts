import { expect, test } from 'bun:test'

import { keyTexts, totalTexts } from './plan-words.ts'

test('what a plan allows is told with what is used of it', () => {
  const plan = {
    name: 'free',
    maxKeys: 3,
    keyMost: { rate: '100/minute' },
    totalMost: { rate: '1000/hour', credits: '1000000/day' },
    endpoints: ['testnet'],
  }
  expect(totalTexts({ plan, queryKeys: 1, rateUsed: 12, creditsUsed: null })).toEqual([
    '12 of 1,000 calls an hour',
    '1,000,000 credits a day',
  ])
  expect(keyTexts(plan)).toEqual(['100 calls a minute', 'the endpoints testnet'])
  expect(totalTexts({ plan: null, queryKeys: 1, rateUsed: null, creditsUsed: null })).toEqual([])
})
