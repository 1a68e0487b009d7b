import { expect, test } from 'bun:test'

import type { RelayKey } from './ports.ts'
import { keyInHeaders, rootAddress } from './presented-key.ts'

const key = 'gqk_1234567890'
const basic = (user: string, password: string) =>
  new Headers({ authorization: `Basic ${btoa(`${user}:${password}`)}`, 'x-api-key': 'other' })

const facts = { caller: () => ({ address: null, origin: null }) }
const known: RelayKey = {
  id: 'key-1',
  accountId: 'account-1',
  endpoint: 'main',
  moreEndpoints: ['more'],
  rate: null,
  credits: null,
  further: [],
  allowedDomains: [],
  allowedMethods: [],
  allowedContracts: [],
  debugEndsAt: null,
}
const keys = { findByValue: (value: string) => (value === key ? known : null) }

const address = (user: string, password: string) => rootAddress(basic(user, password), keys, facts)

test('the key of Basic authentication is the password, or the user name where there is no password', () => {
  expect(keyInHeaders(basic('anybody', key))).toBe(key)
  expect(keyInHeaders(basic(key, ''))).toBe(key)
  expect(keyInHeaders(basic(key, 'wrong'))).toBe('wrong')
  expect(keyInHeaders(basic('anybody', ''))).toBe('')
})

test('a key that is the user name says its endpoint', async () => {
  expect(await address(key, '')).toEqual({ endpoint: 'main', key, path: null })
  expect(await address('more', key)).toEqual({ endpoint: 'more', key, path: null })
  expect(await address('more', '')).toEqual({ endpoint: 'more', key: '', path: null })
})
