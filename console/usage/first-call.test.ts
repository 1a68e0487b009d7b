import { expect, test } from 'bun:test'

import { nextStep } from './first-call.ts'

const testnet = { name: 'testnet', family: 'evm', url: 'http://localhost:8080/rpc/testnet/{key}' } as const
const key = {
  id: 'key-1',
  name: 'wallet',
  endpoint: 'testnet',
  state: 'enabled',
  lastUsedAt: null,
  allowedDomains: [],
} as const

test('the way to the first call is an endpoint, a key, and the call', () => {
  expect(nextStep([], [])).toEqual({ kind: 'add-endpoint' })
  expect(nextStep([testnet], [])).toEqual({ kind: 'create-key' })
  const step = nextStep([testnet], [{ ...key, state: 'expired' }, key])
  expect(step).toMatchObject({
    kind: 'call',
    key: { id: 'key-1', name: 'wallet' },
    command: expect.stringContaining("curl 'http://localhost:8080/rpc/testnet/YOUR_KEY' "),
  })
})

test('a key that cannot be used is none', () => {
  expect(nextStep([testnet], [{ ...key, state: 'disabled' }])).toEqual({ kind: 'create-key' })
  expect(nextStep([testnet], [{ ...key, endpoint: 'gone' }])).toEqual({ kind: 'create-key' })
  expect(nextStep([], [key])).toEqual({ kind: 'add-endpoint' })
})

test('whoever has called before looks at an earlier time', () => {
  expect(nextStep([testnet], [{ ...key, lastUsedAt: 1 }])).toEqual({ kind: 'look-earlier' })
})

test('a key for one domain is called as from there', () => {
  const step = nextStep([testnet], [{ ...key, allowedDomains: ['app.example.com'] }])
  expect(step).toMatchObject({ command: expect.stringContaining('Origin: https://app.example.com') })
})

test('a call is one that the nodes of the endpoint know', () => {
  const step = nextStep([{ ...testnet, family: 'bitcoin' }], [key])
  expect(step).toMatchObject({ command: expect.stringContaining('"getblockcount"') })
})
