import { describe, expect, test } from 'bun:test'

import { keyView } from '../keys/test-support/key-view.ts'
import { newLimitDraft, readLimit } from './limit-draft.ts'
import { limitText, unitsText } from './limit-words.ts'
import { contractProblem, queryKeyDraftOf, readQueryKeyDraft } from './query-key-draft.ts'
import type { DraftChoices, QueryKeyDraft } from './query-key-draft.ts'
import { queryKeyView } from './test-support/query-key-view.ts'
import { covers } from '../../tests/support/covers.ts'

const now = new Date(2026, 0, 31, 12).getTime()
const perMinute = { units: 100, period: 'minute' } as const
const choices: DraftChoices = {
  endpoints: [{ name: 'mainnet' }],
  keyTypes: ['freeRPC', 'partner'],
  defaultLimits: { rate: perMinute, credits: null },
}
const good: QueryKeyDraft = { ...queryKeyDraftOf(null, true, choices), name: 'Wallet' }
const read = (change: Partial<QueryKeyDraft>) => readQueryKeyDraft({ ...good, ...change }, null, now)

describe('a new query key', () => {
  test('needs a name and an endpoint; the rest is as the installation has it', () => {
    covers('query-key-name')
    expect(read({})).toEqual({
      kind: 'ready',
      input: {
        name: 'Wallet',
        type: 'freeRPC',
        endpoint: 'mainnet',
        creditsLimit: null,
        allowedIps: [],
        allowedDomains: [],
        allowedMethods: [],
        allowedContracts: [],
        moreEndpoints: [],
        expiresAt: null,
      },
    })
    expect(read({ name: ' ', endpoint: '' })).toEqual({
      kind: 'mistaken',
      mistakes: { name: 'Give the key a name.', endpoint: 'Choose an endpoint.' },
    })
  })

  test('has the only endpoint chosen, and none where there are several', () => {
    const several = { ...choices, endpoints: [{ name: 'a' }, { name: 'b' }] }
    expect([good.endpoint, queryKeyDraftOf(null, true, several).endpoint]).toEqual(['mainnet', ''])
  })

  test('may make some calls only, where they are named', () => {
    const lists = { allowedMethods: ['eth_get*'], allowedContracts: [`0x${'aB'.repeat(20)}`] }
    const reading = read(lists)
    expect(reading.kind === 'ready' && reading.input).toMatchObject(lists)
    expect(read({ allowedMethods: ['eth_*x'], allowedContracts: ['vitalik.eth'] })).toEqual({
      kind: 'mistaken',
      mistakes: {
        allowedMethods: 'Correct or remove what is marked.',
        allowedContracts: 'Correct or remove what is marked.',
      },
    })
    expect(['0x', `0x${'ab'.repeat(20)}`].map(contractProblem)).toEqual([
      'expected 0x and 40 hexadecimal digits',
      null,
    ])
  })

  test('has limits of its own where they are given', () => {
    const reading = read({
      rate: { source: 'own', units: '1,500', period: 'second' },
      credits: { source: 'own', units: '50000', period: 'day' },
    })
    expect(reading.kind === 'ready' && reading.input).toMatchObject({
      rateLimit: 1_500,
      rateLimitPeriod: 'second',
      creditsLimit: 50_000,
      creditsLimitPeriod: 'day',
    })
    expect(read({ rate: { source: 'own', units: '', period: 'day' } })).toEqual({
      kind: 'mistaken',
      mistakes: { rate: 'A whole number from 1 to a trillion.' },
    })
  })

  test('may have no limit where the installation has one', () => {
    const reading = read({ rate: { ...good.rate, source: 'none' } })
    expect(reading.kind === 'ready' && reading.input.rateLimit).toBeNull()
    expect(reading.kind === 'ready' && 'rateLimitPeriod' in reading.input).toBe(false)
  })

  test('is not ready with a domain that cannot be, or a day that has passed', () => {
    expect(read({ allowedDomains: ['*.com'] })).toEqual({ kind: 'mistaken', mistakes: {} })
    expect(read({ lastDay: '2026-01-30' }).kind).toBe('mistaken')
  })
})

test('a key without a limit goes on without one', () => {
  const key = queryKeyView({ rate: null, credits: null })
  expect(queryKeyDraftOf(key, false, choices)).toMatchObject({
    rate: { source: 'none' },
    credits: { source: 'none' },
  })
})

test('the form about a key holds what it has; limits that are the default go on being it', () => {
  const key = queryKeyView({
    ...keyView({ name: 'Shop', allowedIps: ['192.0.2.1'] }),
    type: 'partner',
    endpoint: 'base',
    rate: perMinute,
    credits: { units: 7, period: 'month' },
  })
  expect(queryKeyDraftOf(key, false, choices)).toMatchObject({
    name: 'Shop',
    type: 'partner',
    endpoint: 'base',
    allowedIps: ['192.0.2.1'],
    rate: { source: 'default' },
    credits: { source: 'own', units: '7', period: 'month' },
  })
})

test.each([
  ['1', 1],
  ['1 000', 1_000],
  ['1,000,000', 1_000_000],
  ['0', null],
  ['-1', null],
  ['1.5', null],
  ['1e6', null],
  ['1000000000001', null],
])('a limit of %s is %p', (units, expected) => {
  const reading = readLimit({ ...newLimitDraft(null), source: 'own', units })
  expect(reading.kind === 'limit' ? (reading.limit?.units ?? null) : null).toBe(expected)
})

test('limits are said as people say them', () => {
  expect(limitText({ units: 50_000, period: 'day' })).toBe('50,000 per day')
  expect([0, 999_999, 1_500_000].map(unitsText)).toEqual(['0', '999,999', '1.5M'])
})

test('no number of units is rounded', () => {
  const texts = [1_000_000, 1_049_999, 1_249_999, 1_250_000, 1_000_001, 12_340_000_000, 999_999_999_999]
  expect(texts.map(unitsText)).toEqual([
    '1M',
    '1,049,999',
    '1,249,999',
    '1.25M',
    '1,000,001',
    '12.34B',
    '999,999,999,999',
  ])
})
