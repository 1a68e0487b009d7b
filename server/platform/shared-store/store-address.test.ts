import { expect, test } from 'bun:test'

import { StoreAddressProblem, parseStoreAddress } from './store-address.ts'

const plain = {
  kind: 'single',
  user: undefined,
  password: undefined,
  database: 0,
  isTls: false,
  authorities: null,
  sentinel: null,
  socketPath: null,
} as const

test.each([
  ['redis://store', { servers: [{ host: 'store', port: 6379 }] }],
  ['redis://[::1]:7000/3', { servers: [{ host: '::1', port: 7000 }], database: 3 }],
  ['redis://:p%40ss@store', { servers: [{ host: 'store', port: 6379 }], password: 'p@ss' }],
  ['redis://app:a:b@c@store', { servers: [{ host: 'store', port: 6379 }], user: 'app', password: 'a:b@c' }],
  [
    'rediss://app:100%@store:1?ca=/etc/ca.pem',
    {
      servers: [{ host: 'store', port: 1 }],
      user: 'app',
      password: '100%',
      isTls: true,
      authorities: '/etc/ca.pem',
    },
  ],
  [
    'rediss+cluster://one,two:7001',
    {
      kind: 'cluster',
      isTls: true,
      servers: [
        { host: 'one', port: 6379 },
        { host: 'two', port: 7001 },
      ],
    },
  ],
  [
    'redis+sentinel://one,two:1/2?primary=counts&sentinelPassword=s%26',
    {
      kind: 'sentinel',
      database: 2,
      servers: [
        { host: 'one', port: 26379 },
        { host: 'two', port: 1 },
      ],
      sentinel: { primary: 'counts', password: 's&' },
    },
  ],
] as const)('%s', (url, address) => {
  const expected: unknown = { ...plain, ...address }
  expect(parseStoreAddress(url) as unknown).toEqual(expected)
})

test.each([
  ['http://store', 'an address such as redis://host:6379'],
  ['redis://', 'an address such as'],
  ['redis://one,two', 'one host, or redis+sentinel or redis+cluster before several'],
  ['redis://store:99999', 'hosts with ports'],
  ['redis://store:port', 'hosts with ports'],
  ['redis+cluster://one/1', 'database 0 in a cluster'],
  ['redis+sentinel://one', 'the name of the primary'],
  ['redis://one?primary=counts', 'redis+sentinel where a primary is named'],
  ['redis://hunter2:hunter2@one?hunter2=1', 'an address whose parameters are of ca, primary'],
  ['redis://hunter2@one?ca=/etc/ca.pem', 'rediss where authorities'],
])('%s is refused', (url, message) => {
  const parse = () => parseStoreAddress(url)
  expect(parse).toThrow(StoreAddressProblem)
  expect(parse).toThrow(message)
  expect(parse).not.toThrow('hunter2')
})
