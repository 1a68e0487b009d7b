import { describe, expect, test } from 'bun:test'

import { changeServiceSpec } from './change-service-spec.ts'
import type { StoredSpec } from './store.ts'

const stored: StoredSpec = {
  id: 'a',
  name: 'A',
  family: 'evm',
  chain: 'ethereum',
  provider: 'acme',
  endpoint: 'https://node.example/v2/key',
  headers: { Authorization: 'Bearer old', 'x-team': 'blue' },
  policy: { enterBlocks: 3 },
}

test('what is not given stays', () => {
  expect(changeServiceSpec(stored, { id: 'a' })).toEqual({ kind: 'spec', spec: stored })
  expect(changeServiceSpec(stored, { id: 'a', name: 'B', policy: {} })).toEqual({
    kind: 'spec',
    spec: { ...stored, name: 'B', policy: {} },
  })
})

test('a WebSocket address stays, goes, and must be said again when the endpoint moves', () => {
  const withSocket = { ...stored, headers: {}, ws: 'wss://node.example/ws/key' }
  expect(changeServiceSpec(withSocket, { id: 'a' })).toEqual({ kind: 'spec', spec: withSocket })
  const { ws: _, ...without } = withSocket
  expect(changeServiceSpec(withSocket, { id: 'a', ws: null })).toEqual({ kind: 'spec', spec: without })
  const endpoint = 'https://elsewhere.example/'
  expect(changeServiceSpec(withSocket, { id: 'a', endpoint })).toMatchObject({
    kind: 'problem',
    problem: { field: 'ws', message: expect.stringContaining('give it again, or null') },
  })
  for (const ws of ['wss://elsewhere.example/ws', null]) {
    expect(changeServiceSpec(withSocket, { id: 'a', endpoint, ws })).toMatchObject({ spec: { endpoint } })
  }
})

test('null takes away a rule and a chain', () => {
  const withRule: StoredSpec = { ...stored, family: 'http', rule: { method: 'HEAD', statuses: [204] } }
  const { chain: _, ...watched } = withRule
  const { rule: _rule, ...usual } = watched
  expect(changeServiceSpec(watched, { id: 'a', rule: null, chain: null })).toEqual({
    kind: 'spec',
    spec: usual,
  })
  const { chain: _chain, ...without } = stored
  expect(changeServiceSpec(stored, { id: 'a', chain: null })).toEqual({ kind: 'spec', spec: without })
})

describe('headers', () => {
  test('are set and removed one by one, in whatever letter case', () => {
    const change = { id: 'a', headers: { authorization: 'Bearer new', 'X-Team': null, accept: '*/*' } }
    expect(changeServiceSpec(stored, change)).toMatchObject({
      spec: { headers: { authorization: 'Bearer new', accept: '*/*' } },
    })
  })

  test('are not sent to another address unless they are given again', () => {
    const endpoint = 'https://elsewhere.example/'
    const change = { id: 'a', endpoint, headers: { authorization: 'Bearer new' } }
    expect(changeServiceSpec(stored, change)).toMatchObject({
      kind: 'problem',
      problem: { field: 'headers', message: expect.stringContaining('give x-team again') },
    })
    const whole = { id: 'a', endpoint, headers: { ...change.headers, 'x-team': null } }
    expect(changeServiceSpec(stored, whole)).toMatchObject({ kind: 'spec', spec: { endpoint } })
    expect(changeServiceSpec(stored, { id: 'a', endpoint: 'https://node.example/v3' })).toMatchObject({
      spec: { headers: stored.headers, endpoint: 'https://node.example/v3' },
    })
  })
})
