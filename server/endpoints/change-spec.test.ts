import { describe, expect, test } from 'bun:test'

import type { EndpointSpec, EndpointUpdate } from '../../shared/endpoints.ts'
import { changeEndpointSpec } from './change-spec.ts'

const stored: EndpointSpec = {
  name: 'testnet',
  chain: 'testnet',
  upstreams: [
    { service: 'node-a', weight: 1 },
    {
      url: 'https://node.example/v3/secret',
      ws: 'wss://node.example/ws/secret',
      headers: { 'X-Key': 'secret' },
      weight: 2,
    },
  ],
  methods: { allow: [], deny: ['debug_*'], unknown: 'refuse' },
  settings: { byMethod: {} },
  credits: { eth_call: 5 },
}

const change = (more: Partial<EndpointUpdate>) =>
  changeEndpointSpec(stored, { name: 'testnet', revision: 'r', ...more })
const changed = (more: Partial<EndpointUpdate>): EndpointSpec => {
  const result = change(more)
  if (result.kind === 'problems') throw new Error(JSON.stringify(result.problems))
  return result.spec
}
const keep = { keep: 'upstream-2', weight: 2 }

test('what is left out stays', () => {
  expect(changed({})).toEqual(stored)
  expect(changed({ chain: 'other' })).toEqual({ ...stored, chain: 'other' })
  expect(changed({ credits: {} }).credits).toEqual({})
})

describe('an upstream that is kept', () => {
  test('keeps its address and headers, at another place and with another weight', () => {
    const { upstreams } = changed({
      upstreams: [
        { ...keep, weight: 9 },
        { keep: 'node-a', weight: 1 },
      ],
    })
    expect(upstreams).toEqual([
      { ...stored.upstreams[1], weight: 9 },
      { service: 'node-a', weight: 1 },
    ])
  })

  test('takes another path, another WebSocket address and other headers', () => {
    const [upstream] = changed({
      upstreams: [
        {
          ...keep,
          url: 'https://node.example/v3/other',
          ws: null,
          headers: { 'x-key': 'new', 'x-more': 'more' },
        },
      ],
    }).upstreams
    expect(upstream).toEqual({
      url: 'https://node.example/v3/other',
      headers: { 'x-key': 'new', 'x-more': 'more' },
      weight: 2,
    })
  })

  test('has neither a budget nor a setting for compression where they are null', () => {
    const budget = 'auto' as const
    const { upstreams } = changed({ upstreams: [{ ...keep, budget, compression: true }] })
    expect(upstreams[0]).toMatchObject({ budget, compression: true })
    const none = changed({ upstreams: [{ ...keep, budget: null, compression: null }] }).upstreams
    expect(none).toEqual([{ ...stored.upstreams[1], weight: 2 }])
  })

  test('loses a header that is null', () => {
    const [upstream] = changed({ upstreams: [{ ...keep, headers: { 'x-key': null } }] }).upstreams
    expect(upstream?.headers).toBeUndefined()
  })

  test.each([
    ['url', { url: 'https://evil.example/' }],
    ['url', { url: 'http://node.example/v3/secret' }],
    ['url', { url: 'https://node.example:444/v3/secret' }],
    ['ws', { ws: 'wss://evil.example/' }],
    ['ws', { ws: 'ws://node.example/ws/secret' }],
  ])('does not send a header that nobody can read to another %s: %j', (field, more) => {
    expect(change({ upstreams: [{ ...keep, ...more }] })).toMatchObject({
      kind: 'problems',
      problems: [{ path: ['upstreams', 0, field], message: expect.stringContaining('give X-Key again') }],
    })
    const given = changed({ upstreams: [{ ...keep, ...more, headers: { 'x-key': 'new' } }] })
    expect(given.upstreams[0]?.headers).toEqual({ 'x-key': 'new' })
  })

  test('is one of this endpoint', () => {
    expect(change({ upstreams: [{ keep: 'upstream-1', weight: 1 }] })).toMatchObject({
      problems: [{ path: ['upstreams', 0, 'keep'], message: 'no upstream of this endpoint' }],
    })
  })

  test('that is a service takes no address', () => {
    expect(
      change({ upstreams: [{ keep: 'node-a', weight: 1, url: 'https://evil.example/' }] }),
    ).toMatchObject({
      problems: [{ path: ['upstreams', 0, 'keep'] }],
    })
  })
})

test('a new upstream has what is given', () => {
  expect(
    changed({ upstreams: [{ url: 'https://other.example/', headers: { a: 'b', c: null }, weight: 1 }] })
      .upstreams,
  ).toEqual([{ url: 'https://other.example/', headers: { a: 'b' }, weight: 1 }])
})
