import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'

import { permissions } from '../../shared/api-keys.ts'
import { stateChoices } from '../keys/key-list-view.ts'
import { keyView } from '../keys/test-support/key-view.ts'
import {
  filterApiKeys,
  isApiKeyListFiltered,
  apiKeyQueryOf,
  apiKeyViewFromQuery,
  wholeApiKeyList,
} from './api-key-list-view.ts'
import type { ApiKeyListView } from './api-key-list-view.ts'
import { dayMs } from '../../shared/durations.ts'

const now = Date.UTC(2026, 0, 1)

describe('the view in the address', () => {
  test('comes back as it was', () => {
    const views: fc.Arbitrary<ApiKeyListView> = fc.record({
      search: fc.stringMatching(/^(?:[a-z0-9.]{1,5}(?: [a-z0-9.]{1,5})?)?$/),
      state: fc.constantFrom(null, ...stateChoices),
      permission: fc.constantFrom(null, ...permissions),
      sort: fc.constantFrom(
        null,
        { key: 'name', direction: 'ascending' } as const,
        {
          key: 'lastUsed',
          direction: 'descending',
        } as const,
      ),
      page: fc.integer({ min: 1, max: 50 }),
    })
    fc.assert(fc.property(views, (view) => expect(apiKeyViewFromQuery(apiKeyQueryOf(view))).toEqual(view)))
  })

  test('of the whole list is empty', () => {
    expect(apiKeyQueryOf(wholeApiKeyList)).toEqual({})
    expect(isApiKeyListFiltered(wholeApiKeyList)).toBe(false)
    expect(isApiKeyListFiltered({ ...wholeApiKeyList, permission: 'token_create' })).toBe(true)
  })

  test('what it does not know counts as absent', () => {
    const query = { state: 'lost', permission: ['token_create'], page: '-1', search: null, create: '1' }
    expect(apiKeyViewFromQuery(query)).toEqual(wholeApiKeyList)
  })

  test('never holds a key that was pasted into the search', () => {
    const search = ` gak_${'a'.repeat(38)}`
    expect(apiKeyQueryOf({ ...wholeApiKeyList, search })).toEqual({})
  })
})

describe('the filter', () => {
  const keys = [
    keyView({ name: 'CI', permissions: ['token_create'], allowedIps: ['198.51.100.0/24'], lastUsedAt: now }),
    keyView({
      name: 'Shop',
      allowedDomains: ['*.example.com'],
      expiresAt: now + 3 * dayMs,
      hint: 'gak_…aaaa',
    }),
    keyView({ name: 'Off', isEnabled: false, state: 'disabled', expiresAt: now + 3 * dayMs }),
    keyView({ name: 'Old', state: 'expired', expiresAt: now - 1, permissions: ['statistics_read'] }),
    keyView({ name: 'Later', expiresAt: now + 15 * dayMs, permissions: ['token_create'], lastUsedAt: 1 }),
  ]
  const namesOf = (view: Partial<ApiKeyListView>): string[] =>
    filterApiKeys(keys, { ...wholeApiKeyList, ...view }, now).map(({ name }) => name)

  test.each<[Partial<ApiKeyListView>, string[]]>([
    [{}, ['CI', 'Shop', 'Off', 'Old', 'Later']],
    [{ state: 'enabled' }, ['CI', 'Shop', 'Later']],
    [{ state: 'disabled' }, ['Off']],
    [{ state: 'expired' }, ['Old']],
    [{ state: 'expiring' }, ['Shop']],
    [{ state: 'unused' }, ['Shop', 'Off']],
    [{ permission: 'token_create' }, ['CI', 'Later']],
    [{ permission: 'token_create', state: 'enabled', search: 'ci' }, ['CI']],
    [{ search: 'EXAMPLE' }, ['Shop']],
    [{ search: '198.51' }, ['CI']],
    [{ search: 'token  later' }, ['Later']],
    [{ search: 'statistics' }, ['Old']],
    [{ search: 'nothing' }, []],
  ])('%j', (view, names) => {
    expect(namesOf(view)).toEqual(names)
  })

  test('finds the key whose whole value was pasted', () => {
    expect(namesOf({ search: `gak_${'0'.repeat(34)}aaaa ` })).toEqual(['Shop'])
    expect(namesOf({ search: `gak_${'0'.repeat(34)}bbbb` })).toEqual([])
  })
})
