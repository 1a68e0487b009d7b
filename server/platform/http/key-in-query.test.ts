import { describe, expect, test } from 'bun:test'

import { hasKeyInQuery, refusal } from './request-limits.ts'

const key = 'gak_0123456789ABCDEFGHIJKLMNOPQRSTUV1IHfmt'

const messageAt = (path: string) => refusal({ host: null, url: `http://localhost${path}` })?.message

describe('a key in the query', () => {
  test.each([
    `?api_key=${key}`,
    '?api_key=',
    '?API_KEY=x',
    '?apikey=x',
    '?access_token=x',
    '?token=x',
    `?x=${key}`,
    `?x=1&y=Bearer%20${key}`,
    `?x=g%61k_${key.slice(4)}`,
    `?${key}`,
    `?${key}=1`,
    `?x=${key.replace('gak_', 'gqk_')}`,
    `?x=${key.slice(0, 30)}`,
  ])('%s', (query) => expect(hasKeyInQuery(`http://localhost/account${query}`)).toBe(true))

  test.each([
    '',
    '?',
    '?from=1&keyId=key_1',
    '?keyId=gak_x',
    '?cursor=abcdefghijklmnopqrstuvwxyz0123456789',
    '?%zz',
  ])('is not in %j', (query) => expect(hasKeyInQuery(`http://localhost/account${query}`)).toBe(false))

  test('is told by its value alone in what is for nodes', () => {
    expect(hasKeyInQuery('http://localhost/rpc/cosmos/a?token=uatom&API_KEY=x')).toBe(false)
    expect(hasKeyInQuery(`http://localhost/rpc/cosmos/a?token=${key}`)).toBe(true)
    expect(hasKeyInQuery('http://localhost/account/rpc/?token=x')).toBe(true)
    expect(hasKeyInQuery('http://localhost/rpc/cosmos?token=x')).toBe(true)
  })

  test('is answered with the places of the key that is meant', () => {
    expect(messageAt(`/rpc/testnet?apikey=${key.replace('gak_', 'gqk_')}`)).toContain('/rpc/{endpoint}/{key}')
    expect(messageAt(`/account/query-keys?apikey=${key}`)).toContain('Authorization: Bearer <API key>')
  })
})
