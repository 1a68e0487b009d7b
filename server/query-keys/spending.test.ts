import { expect, test } from 'bun:test'

import type { Limit } from '../../shared/limits.ts'
import type { QueryKey } from './query-key.ts'
import { readSpending } from './spending.ts'

const perDay = (units: number): Limit => ({ units, period: 'day' })

const key = (id: string, given: Partial<QueryKey>) =>
  ({
    id,
    name: `name of ${id}`,
    isEnabled: true,
    credits: null,
    further: [],
    ...given,
  }) as unknown as QueryKey

const ofAccount = (id: string, credits: Limit | null) =>
  [
    { id: `${id}/plan`, scope: 'plan', rate: null, credits: perDay(1) },
    { id, scope: 'account', rate: perDay(1), credits },
  ] as const

test('keys with a limit of credits are told, and each account once whose plan has one for all of its keys', async () => {
  const keys = [
    key('a', { credits: perDay(10), further: ofAccount('acc_1', perDay(100)) }),
    key('b', { further: ofAccount('acc_1', perDay(100)) }),
    key('c', { further: ofAccount('acc_2', null) }),
    key('d', { isEnabled: false, credits: perDay(10), further: ofAccount('acc_3', perDay(100)) }),
  ]
  const found = await readSpending(
    { findAll: async (ids) => keys.filter(({ id }) => ids.includes(id)) },
    {
      lastUsed: async () => keys.map(({ id }) => id),
      limitsUse: async (id) => ({ creditsUsed: id === 'acc_1' ? 81 : 7 }),
    },
  )
  expect(found).toEqual([
    { of: 'key', id: 'a', name: 'name of a', used: 7, limit: 10, period: 'day' },
    { of: 'account', id: 'acc_1', name: 'acc_1', used: 81, limit: 100, period: 'day' },
  ])
})
