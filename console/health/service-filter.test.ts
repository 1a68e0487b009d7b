import { describe, expect, test } from 'bun:test'

import {
  choicesOf,
  serviceFilterFromQuery,
  isServiceListNarrowed,
  noServiceFilter,
  serviceQueryOf,
  serviceMatcher,
} from './service-filter.ts'

const row = {
  id: 'eth-fra',
  name: 'Frankfurt node',
  family: 'evm',
  chain: { key: 'ethereum', name: 'Ethereum' },
  provider: 'Northwind',
  labels: ['team:payments'],
  decision: 'DOWN',
} as const
const site = { ...row, id: 'site', name: 'Status page', family: 'http', chain: null, decision: 'UP' } as const

test('the address of the page and the filter say the same', () => {
  const filter = {
    text: 'fra node',
    decision: 'DOWN',
    chain: 'ethereum',
    family: 'evm',
    provider: 'Northwind',
  } as const
  expect(serviceFilterFromQuery(serviceQueryOf(filter))).toEqual(filter)
  expect(serviceQueryOf(noServiceFilter)).toEqual({})
})

test('what makes no sense in the address narrows nothing', () => {
  expect(serviceFilterFromQuery({ q: ['a', 'b'], decision: 'BROKEN', chain: null })).toEqual(noServiceFilter)
  expect(serviceFilterFromQuery({ decision: 'down' }).decision).toBe('DOWN')
})

const matches = (filter: object, candidate: typeof row | typeof site = row) =>
  serviceMatcher({ ...noServiceFilter, ...filter })(candidate)

describe('a filter', () => {
  test.each([
    [{}, true],
    [{ text: '  NODE  north ' }, true],
    [{ text: 'ethereum eth-fra evm' }, true],
    [{ text: 'team:pay node' }, true],
    [{ text: 'node osaka' }, false],
    [{ decision: 'DOWN' }, true],
    [{ decision: 'UP' }, false],
    [{ chain: 'ethereum' }, true],
    [{ chain: 'base' }, false],
    [{ family: 'http' }, false],
    [{ provider: 'Lumen' }, false],
  ])('%j', (filter, isMatch) => {
    expect(matches(filter)).toBe(isMatch)
  })

  test('of a chain leaves out services without one', () => {
    expect(matches({ chain: 'ethereum' }, site)).toBe(false)
    expect(matches({ text: 'status' }, site)).toBe(true)
  })
})

test('choices are what the rows have, each once, by name', () => {
  expect(choicesOf([row, site, row], 'chain')).toEqual([{ value: 'ethereum', label: 'Ethereum' }])
  expect(choicesOf([site, row], 'family').map(({ value }) => value)).toEqual(['evm', 'http'])
  expect([
    isServiceListNarrowed(noServiceFilter),
    isServiceListNarrowed({ ...noServiceFilter, text: 'a' }),
  ]).toEqual([false, true])
})
