import { expect, test } from 'bun:test'
import { mount } from '@vue/test-utils'

import KeyLimits from './KeyLimits.vue'
import { queryKeyActions } from './query-key-actions.ts'
import {
  filterQueryKeys,
  isQueryKeyListFiltered,
  queryKeyQueryOf,
  queryKeyViewFromQuery,
  wholeQueryKeyList,
} from './query-key-list-view.ts'
import type { QueryKeyListView } from './query-key-list-view.ts'
import { queryKeyView } from './test-support/query-key-view.ts'

const rate = { units: 100, period: 'hour' } as const
const keys = [
  queryKeyView({ id: 'a', name: 'Wallet', endpoint: 'mainnet', hint: 'gqk_…aaaa', rate }),
  queryKeyView({ id: 'b', name: 'Portal', endpoint: 'base', type: 'partner', rate }),
]
const uses = new Map(
  keys.map(({ id }, place) => [id, { keyId: id, rateUsed: 79 + place, creditsUsed: null }]),
)
const namesOf = (view: Partial<QueryKeyListView>): string[] =>
  filterQueryKeys(keys, { ...wholeQueryKeyList, ...view }, uses, 0).map(({ name }) => name)

test('the view stands in the address; a key that was pasted does not', () => {
  const view: QueryKeyListView = {
    ...wholeQueryKeyList,
    search: 'wal',
    state: 'unused',
    endpoint: 'base',
    limits: 'near',
    page: 2,
  }
  expect(queryKeyViewFromQuery(queryKeyQueryOf(view))).toEqual(view)
  expect(isQueryKeyListFiltered(wholeQueryKeyList)).toBe(false)
  expect(
    [{ endpoint: 'base' }, { limits: 'near' as const }].map((part) =>
      isQueryKeyListFiltered({ ...wholeQueryKeyList, ...part }),
    ),
  ).toEqual([true, true])
  expect(queryKeyQueryOf({ ...wholeQueryKeyList, search: `gqk_${'a'.repeat(38)}` })).toEqual({})
})

test('keys near a limit are found by their use of it', () => {
  expect(namesOf({ limits: 'near' })).toEqual(['Portal'])
})

test('keys are found by endpoint, by type and by a value that was pasted', () => {
  expect(namesOf({ endpoint: 'base' })).toEqual(['Portal'])
  expect(namesOf({ search: 'PARTNER' })).toEqual(['Portal'])
  expect(namesOf({ search: 'mainnet' })).toEqual(['Wallet'])
  expect(namesOf({ search: `gqk_${'0'.repeat(34)}aaaa` })).toEqual(['Wallet'])
})

const idsOf = (state: 'enabled' | 'expired') => queryKeyActions({ state }).map(({ id }) => id)

test('an expired key connects nothing any more', () => {
  expect(idsOf('enabled')).toEqual(['connect', 'edit', 'rotate', 'delete'])
  expect(idsOf('expired')).toEqual(['remake', 'delete'])
})

test('the use of both limits is told in words and by a meter, as far as it is known', () => {
  const queryKey = queryKeyView({ rate: { units: 100, period: 'minute' } })
  const use = { keyId: queryKey.id, rateUsed: 12, creditsUsed: null }
  const known = mount(KeyLimits, { props: { queryKey, use } })
  expect(known.text()).toContain('12 of 100 per minute')
  expect(known.text()).toContain('no limit')
  const meter = known.get('[role=meter]').attributes()
  expect([meter['aria-valuenow'], meter['aria-valuemax']]).toEqual(['12', '100'])
  const unknown = mount(KeyLimits, { props: { queryKey, use: undefined } })
  expect(unknown.find('[role=meter]').exists()).toBe(false)
  expect(unknown.text()).toContain('100 per minute')
})
