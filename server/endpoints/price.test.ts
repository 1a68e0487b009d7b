import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import type { CreditPrices } from '../../shared/endpoints.ts'
import { resolvePrices } from './price.ts'

const builtIn = { eth_getLogs: 60 }

const priceOf = (endpoint: CreditPrices, installation: CreditPrices, method: string) =>
  resolvePrices(endpoint, installation, builtIn).of(method)

describe('what a call costs', () => {
  test.each([
    ['20 where nothing is said', {}, {}, 20],
    ['the default of the installation', {}, { default: 7 }, 7],
    ['the default of the endpoint before that', { default: 5 }, { default: 7 }, 5],
    ['the price of the installation before any default', { default: 5 }, { eth_call: 26 }, 26],
    ['the price of the endpoint before all', { eth_call: 1, default: 5 }, { eth_call: 26 }, 1],
    ['nothing is a price, too', { eth_call: 0 }, { eth_call: 26 }, 0],
  ] satisfies [string, CreditPrices, CreditPrices, number][])('%s', (_, endpoint, installation, expected) => {
    expect(priceOf(endpoint, installation, 'eth_call')).toBe(expected)
  })

  test.each([
    ['where nothing is set', {}, {}, 60],
    ['but not where the endpoint has a price', { eth_getLogs: 1 }, {}, 1],
    ['or the installation', {}, { eth_getLogs: 2 }, 2],
    ['or the endpoint a default', { default: 5 }, {}, 5],
    ['or the installation a default', {}, { default: 7 }, 7],
  ] satisfies [string, CreditPrices, CreditPrices, number][])(
    'the built-in price holds %s',
    (_, endpoint, installation, expected) => {
      expect(priceOf(endpoint, installation, 'eth_getLogs')).toBe(expected)
    },
  )

  test.each(['default', 'cached', 'logsPer1000Blocks', 'constructor', '__proto__', 'toString'])(
    '%s is a method like any other',
    (method) => {
      expect(priceOf({ eth_call: 1 }, { default: 7 }, method)).toBe(7)
    },
  )

  test('the list says who set each price', () => {
    const prices = resolvePrices(
      { eth_call: 1 },
      { eth_call: 26, eth_getLogs: 75 },
      { ...builtIn, trace_block: 100 },
    )
    expect([...prices.byMethod]).toEqual([
      ['eth_getLogs', { credits: 75, setBy: 'installation' }],
      ['trace_block', { credits: 100, setBy: 'gatehouse' }],
      ['eth_call', { credits: 1, setBy: 'endpoint' }],
    ])
    expect(prices.otherMethods).toEqual({ credits: 20, setBy: 'gatehouse' })
  })
})

const credits = fc.integer({ min: 0, max: 3 })
const someMethods = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'default'), credits)

test('equal prices have equal texts, and other prices other ones', () => {
  fc.assert(
    fc.property(someMethods, someMethods, someMethods, someMethods, (one, two, three, four) => {
      const left = resolvePrices(one, two, {})
      const right = resolvePrices(three, four, {})
      const methods = ['a', 'b', 'c', 'd']
      const areEqual = methods.every((method) => left.of(method) === right.of(method))
      if (left.text === right.text) expect(areEqual).toBe(true)
      const turned = Object.fromEntries(Object.entries(one).toReversed())
      expect(resolvePrices(turned, two, {}).text).toBe(left.text)
      if (!areEqual) expect(left.text).not.toBe(right.text)
    }),
  )
})

test('what depends on more than the method has prices by name, of the endpoint before those of the installation', () => {
  const { conditional, text } = resolvePrices({ cached: 0 }, { cached: 5, logsPer1000Blocks: 7 }, builtIn)
  expect(conditional).toEqual({ cached: 0, logsPer1000Blocks: 7 })
  const none = resolvePrices({}, {}, builtIn)
  expect(none.conditional).toEqual({ cached: null, logsPer1000Blocks: 0 })
  expect(text).not.toBe(none.text)
})
