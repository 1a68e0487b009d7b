import { describe, expect, test } from 'bun:test'

import { dayMs } from '../../shared/durations.ts'
import { Plan, PlansSection } from '../../shared/plans.ts'
import { type CappedKey, capKey, capProblems } from './caps.ts'
import { furtherLimitsOf } from './held-limits.ts'

const free = Plan.parse({
  name: 'free',
  maxKeys: 3,
  keyMost: { rate: '100/minute' },
  totalMost: { rate: '1000/minute', credits: '1000000/day' },
  endpoints: ['testnet', 'dev-*'],
  methods: ['eth_call', 'eth_get*'],
  keyDays: 30,
})
const usual: CappedKey = {
  rate: null,
  credits: null,
  endpoint: '',
  moreEndpoints: [],
  allowedMethods: [],
  createdAt: 0,
  expiresAt: null,
}
const asked: CappedKey = { ...usual, endpoint: 'testnet' }
const messagesOf = (key: Partial<CappedKey>, before = usual) =>
  capProblems(free, { ...asked, ...key }, before).map(({ path, message }) => `${path.join('.')}: ${message}`)

describe('what a plan allows of a key', () => {
  test('a limit beyond it is refused by name, with what was asked, what is allowed and by which plan', () => {
    expect(messagesOf({ rate: { units: 101, period: 'minute' } })).toEqual([
      'rateLimit: expected at most 100/minute, the most of a key by the plan free, not 101/minute',
    ])
    expect(messagesOf({ rate: { units: 100, period: 'minute' } })).toEqual([])
    expect(messagesOf({ credits: { units: 1_000_000, period: 'second' } })).toEqual([])
  })

  test.each([
    [1, 'second', true],
    [2, 'second', false],
    [100, 'hour', true],
    [101, 'hour', false],
    [100, 'month', true],
  ] as const)('%d/%s is compared by the most that it lets through in a minute', (units, period, fits) => {
    expect(messagesOf({ rate: { units, period } }).length).toBe(fits ? 0 : 1)
  })

  test('no limit means up to the plan, and what is as usual is no problem', () => {
    const tooMuch = { units: 5_000, period: 'minute' } as const
    expect(messagesOf({ rate: null })).toEqual([])
    expect(messagesOf({ rate: tooMuch }, { ...asked, rate: tooMuch })).toEqual([])
  })

  test('endpoints and methods are names of the plan, or what its patterns cover', () => {
    expect(messagesOf({ endpoint: 'mainnet', moreEndpoints: ['dev-a', 'dev-a*', 'dev*', '*'] })).toEqual([
      'endpoint: expected one of "testnet", "dev-*", which the plan free allows, not "mainnet"',
      'moreEndpoints.2: expected one of "testnet", "dev-*", which the plan free allows, not "dev*"',
      'moreEndpoints.3: expected one of "testnet", "dev-*", which the plan free allows, not "*"',
    ])
    expect(messagesOf({ allowedMethods: ['eth_getLogs', 'eth_sendRawTransaction'] })).toEqual([
      'allowedMethods.1: expected one of "eth_call", "eth_get*", which the plan free allows, not "eth_sendRawTransaction"',
    ])
  })

  test('a key without an end or without methods gets those of the plan', () => {
    expect(messagesOf({ expiresAt: 31 * dayMs })[0]).toStartWith(
      'expiresAt: expected an instant until 1970-01-31',
    )
    expect(capKey(free, asked, null)).toMatchObject({
      expiresAt: 30 * dayMs,
      allowedMethods: ['eth_call', 'eth_get*'],
    })
    expect(capKey(free, { ...asked, expiresAt: 5, allowedMethods: ['eth_call'] }, null)).toMatchObject({
      expiresAt: 5,
      allowedMethods: ['eth_call'],
    })
  })
})

const edited = (key: CappedKey, before: CappedKey) => capKey(free, key, before)

describe('what a plan decides of a key that is edited', () => {
  const young: CappedKey = { ...asked, expiresAt: 5 * dayMs, allowedMethods: ['eth_call'] }

  test('no end and no list of methods stay as they were before there was the plan', () => {
    expect(edited({ ...asked, moreEndpoints: ['dev-a'] }, asked)).toMatchObject({
      expiresAt: null,
      allowedMethods: [],
      moreEndpoints: ['dev-a'],
    })
  })

  test('who takes the end or the list of methods away gets those of the plan', () => {
    expect(edited({ ...young, expiresAt: null }, young)).toEqual({ ...young, expiresAt: 30 * dayMs })
    expect(edited({ ...young, allowedMethods: [] }, young)).toEqual({
      ...young,
      allowedMethods: ['eth_call', 'eth_get*'],
    })
  })

  test('an end beyond the plan is not drawn nearer by asking for none', () => {
    const old = { ...young, expiresAt: 100 * dayMs }
    expect(edited({ ...old, expiresAt: null }, old)).toEqual(old)
  })
})

describe('what calls with a key have to fit into besides', () => {
  const key = { id: 'qkey_1', accountId: 'acc_1', rate: null, credits: null }
  const total = {
    id: 'acc_1',
    scope: 'account',
    rate: { units: 1_000, period: 'minute' },
    credits: { units: 1_000_000, period: 'day' },
  } as const
  const most = {
    id: 'qkey_1/plan',
    scope: 'plan',
    rate: { units: 100, period: 'minute' },
    credits: null,
  } as const

  test('the sum of its account, and the most of a key where its own limit allows more', () => {
    expect(furtherLimitsOf(free, key)).toEqual([most, total])
    expect(furtherLimitsOf(free, { ...key, rate: { units: 500, period: 'hour' } })).toEqual([most, total])
    expect(furtherLimitsOf(free, { ...key, rate: { units: 50, period: 'hour' } })).toEqual([total])
  })

  test('nothing without a plan, or by a plan that bounds no use', () => {
    expect(furtherLimitsOf(null, key)).toEqual([])
    expect(furtherLimitsOf(Plan.parse({ name: 'keys', maxKeys: 1 }), key)).toEqual([])
  })
})

const issuesOf = (...plans: object[]) =>
  PlansSection.safeParse(plans).error?.issues.map(({ message }) => message)

test('plans that say nothing exact are refused', () => {
  expect(issuesOf({ name: 'a', keyMost: { rate: '10 per minute' } })?.[0]).toContain('such as 100/minute')
  expect(issuesOf({ name: 'a', keyMost: { rate: '9000000000000/minute' } })?.[0]).toContain('at most')
  expect(issuesOf({ name: 'a', keyMost: {} })).toEqual(['expected rate, credits or both'])
  expect(issuesOf({ name: 'a', endpoints: [] })).toHaveLength(1)
  expect(issuesOf({ name: 'a' }, { name: 'a' })).toEqual(['expected no name twice'])
  expect(issuesOf({ name: 'Free plan' })).toHaveLength(1)
})
