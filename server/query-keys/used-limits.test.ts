import { expect, test } from 'bun:test'

import type { Limit } from '../../shared/limits.ts'
import type { QueryKey } from './query-key.ts'
import { readUsedLimits } from './used-limits.ts'

const perDay = (units: number): Limit => ({ units, period: 'day' })

const key = (id: string, given: Partial<QueryKey>) =>
  ({
    id,
    name: `name of ${id}`,
    isEnabled: true,
    rate: null,
    credits: null,
    further: [],
    ...given,
  }) as unknown as QueryKey

const ofAccount = (id: string, credits: Limit | null) =>
  [
    { id: `${id}/plan`, scope: 'plan', rate: null, credits: perDay(1) },
    { id, scope: 'account', rate: { units: 1, period: 'minute' }, credits },
  ] as const

const read = (keys: readonly QueryKey[], used: (id: string) => { rateUsed: number; creditsUsed: number }) =>
  readUsedLimits(
    { findAll: async (ids) => keys.filter(({ id }) => ids.includes(id)) },
    { lastUsed: async () => keys.map(({ id }) => id), limitsUse: async (id) => used(id) },
  )

test('keys with a limit are told, and each account once whose plan has one for all of its keys', async () => {
  const keys = [
    key('a', { credits: perDay(10), further: ofAccount('acc_1', perDay(100)) }),
    key('b', { further: ofAccount('acc_1', perDay(100)) }),
    key('c', { further: ofAccount('acc_2', null) }),
    key('d', { isEnabled: false, credits: perDay(10), further: ofAccount('acc_3', perDay(100)) }),
  ]
  expect(await read(keys, (id) => ({ rateUsed: 1, creditsUsed: id === 'acc_1' ? 81 : 7 }))).toEqual([
    { of: 'key', id: 'a', name: 'name of a', measure: 'credits', used: 7, limit: 10, period: 'day' },
    { of: 'account', id: 'acc_1', name: 'acc_1', measure: 'credits', used: 81, limit: 100, period: 'day' },
  ])
})

test('of both limits of a key the fuller one is told; one of less than an hour is not looked at', async () => {
  const keys = [
    key('calls', { rate: { units: 100, period: 'hour' }, credits: perDay(100) }),
    key('credits', { rate: { units: 10_000, period: 'month' }, credits: perDay(100) }),
    key('short', { rate: { units: 10, period: 'minute' } }),
    key('both', { rate: { units: 10, period: 'second' }, credits: perDay(1_000) }),
  ]
  const told = await read(keys, () => ({ rateUsed: 90, creditsUsed: 80 }))
  expect(told.map(({ id, measure, used, limit, period }) => [id, measure, used, limit, period])).toEqual([
    ['calls', 'calls', 90, 100, 'hour'],
    ['credits', 'credits', 80, 100, 'day'],
    ['both', 'credits', 80, 1_000, 'day'],
  ])
})
