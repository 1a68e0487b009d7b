import { expect, test } from 'bun:test'

import { planLines } from './plan-lines.ts'

test('the list says each limit in a line of its own, and only the first of many names', () => {
  const methods = Array.from({ length: 10 }, (_, place) => `eth_${place}`)
  const plan = { name: 'free', keyMost: { rate: '100/hour', credits: '5000/day' }, methods }
  expect(planLines.keyMost(plan)).toEqual(['100 calls an hour', '5,000 credits a day'])
  expect(planLines.totalMost(plan)).toEqual([])
  expect(planLines.endpoints({ ...plan, endpoints: ['testnet', 'dev-*'] })).toEqual(['testnet, dev-*'])
  expect(planLines.endpoints(plan)).toEqual([])
  expect(planLines.methods(plan)).toEqual([`${methods.slice(0, 8).join(', ')} and 2 more`])
})
