import { expect, test } from 'bun:test'

import { filterChoices } from './usage-choices.ts'
import { usualView } from './usage-view.ts'

const known = {
  keys: [
    { id: 'qkey_2', name: 'wallet', key: { hint: 'gqk_…2222', endpoint: 'testnet', isDeleted: false } },
    { id: 'qkey_1', name: 'indexer', key: { hint: 'gqk_…1111', endpoint: 'gone', isDeleted: true } },
  ],
  methods: [{ name: 'eth_call' }],
  endpoints: [{ name: 'testnet' }, { name: 'mainnet' }],
}

test('usage can be narrowed to what was used, and to every endpoint', () => {
  const { keyId, endpoint, method } = filterChoices(known, usualView)
  expect(keyId).toEqual([
    { value: '', label: 'All keys' },
    { value: 'qkey_1', label: 'indexer (gqk_…1111)' },
    { value: 'qkey_2', label: 'wallet (gqk_…2222)' },
  ])
  expect(endpoint.map(({ value }) => value)).toEqual(['', 'gone', 'mainnet', 'testnet'])
  expect(method.map(({ value }) => value)).toEqual(['', 'eth_call'])
})

test('what is chosen stays in the list', () => {
  const { method } = filterChoices(known, { ...usualView, method: 'eth_getLogs' })
  expect(method.at(-1)).toEqual({ value: 'eth_getLogs', label: 'eth_getLogs' })
})
