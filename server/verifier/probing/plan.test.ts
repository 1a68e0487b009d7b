import { expect, test } from 'bun:test'

import { planRounds } from './plan.ts'
import { assignments, target, testnet, withInterval } from '../test-support/fixtures.ts'

test('a chain is one plan that runs as often as its most demanding service asks', () => {
  const plans = planRounds(
    assignments([target('a'), target('b', withInterval(1_000)), target('c', withInterval(5_000))]),
  )
  expect(plans).toHaveLength(1)
  expect(plans[0]).toMatchObject({ key: 'chain testnet', chainKey: 'testnet', intervalMs: 1_000 })
  expect(plans[0]?.chain).toEqual(testnet)
  expect(plans[0]?.targets.map(({ serviceId }) => serviceId)).toEqual(['a', 'b', 'c'])
})

test('services without a chain share a plan only with those of the same interval', () => {
  const plans = planRounds(
    assignments([
      target('a', { chain: null, family: 'http' }),
      target('b', { chain: null, family: 'mcp', ...withInterval(600_000) }),
      target('c', { chain: null, family: 'http' }),
    ]),
  )
  expect(plans.map(({ chainKey, intervalMs, targets }) => [chainKey, intervalMs, targets.length])).toEqual([
    [null, 10_000, 2],
    [null, 600_000, 1],
  ])
})

test('a chain that the server did not describe is probed without its description', () => {
  const [plan] = planRounds(assignments([target('a')], { chains: [] }))
  expect(plan).toMatchObject({ chainKey: 'testnet', chain: null })
})

test('an id that no report could carry is left out', () => {
  const plans = planRounds(assignments([target('white space'), target('a'), target('x'.repeat(129))]))
  expect(plans[0]?.targets.map(({ serviceId }) => serviceId)).toEqual(['a'])
})
