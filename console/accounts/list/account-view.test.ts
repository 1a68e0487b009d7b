import { expect, test } from 'bun:test'

import { accountsAddressOf, accountsViewOf, isAccountsViewFiltered, wholeList } from './account-view.ts'

test('what is looked for stands in the address, and only what is not as usual', () => {
  const view = { ...wholeList, search: '0xab', state: 'disabled', size: 100, open: 'acc_1' } as const
  expect(accountsAddressOf(wholeList)).toEqual({})
  expect(accountsAddressOf(view)).toEqual({ search: '0xab', state: 'disabled', size: '100', open: 'acc_1' })
  expect(accountsViewOf({ search: '0xab', state: 'disabled', size: '100', open: 'acc_1' })).toEqual(view)
})

test('an address that somebody made up is as usual', () => {
  expect(accountsViewOf({ state: 'x', order: ['calls', 'seen'], size: '7', search: null })).toEqual(wholeList)
})

test('an order is no filter', () => {
  expect(isAccountsViewFiltered({ ...wholeList, order: 'seen', open: 'acc_1' })).toBe(false)
  expect(isAccountsViewFiltered({ ...wholeList, state: 'pending' })).toBe(true)
})
