import { afterEach, describe, expect, test } from 'bun:test'

import { startRawUpstream } from '../../../scripts/world/raw-upstream.ts'
import { systemClock } from '../clock.ts'
import { createEgress, type EgressInit } from '../egress.ts'
import { createPartitions } from './partition.ts'

const opened: (() => unknown)[] = []
afterEach(() => {
  for (const close of opened.splice(0)) close()
})

const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi'

/** How many connections requests that follow each other take. */
async function connectionsOf(inits: readonly EgressInit[], paths: readonly string[] = ['']): Promise<number> {
  const peer = startRawUpstream(({ write }) => write(ok))
  const egress = createEgress({ clock: systemClock, allowPrivate: ['127.0.0.0/8'], schemes: ['http'] })
  opened.push(peer.stop, egress.close)
  for (const path of paths) {
    for (const init of inits)
      await (await egress.fetch(`${peer.url}${path}`, { method: 'POST', ...init })).text()
  }
  return peer.connections()
}

const withHeader = (name: string, value: string): EgressInit => ({ headers: { [name]: value } })

describe('connections are shared', () => {
  test('by requests with the same credentials', async () => {
    const same = withHeader('authorization', 'Bearer a')
    expect(await connectionsOf([same, same, { headers: { ...same.headers, 'mcp-method': 'x' } }])).toBe(1)
  })

  test.each([['authorization'], ['x-api-key'], ['cookie'], ['mcp-session-id'], ['x-anything']])(
    'but never between two values of %s, or with none',
    async (name) => {
      const [one, other, none] = [withHeader(name, 'a'), withHeader(name, 'b'), {}]
      expect(await connectionsOf([one, other, none, one, other, none])).toBe(3)
    },
  )

  test('nor between two keys in the address, or two partitions', async () => {
    expect(await connectionsOf([{}, {}], ['?key=a', '?key=b', 'v3/key'])).toBe(3)
    expect(await connectionsOf([{ partition: 'a' }, { partition: 'b' }, { partition: 'a' }])).toBe(2)
  })
})

describe('frozen headers, of which a request is made once', () => {
  const headers = Object.freeze({ authorization: 'Bearer a' })

  test('share no connection beyond what others share', async () => {
    expect(await connectionsOf([{ headers }, { headers, partition: 'b' }, { headers }])).toBe(2)
    expect(await connectionsOf([{ headers }, { headers }], ['?key=a', '?key=b'])).toBe(2)
  })

  test('are sent to each place as is right there', async () => {
    const egress = createEgress({ clock: systemClock, allowPrivate: ['127.0.0.0/8'], schemes: ['http'] })
    const peers = [1, 2].map(() =>
      Bun.serve({
        hostname: '127.0.0.1',
        port: 0,
        fetch: ({ method, url, headers: sent }) =>
          new Response(`${method} ${url} ${sent.get('host')} ${sent.get('accept-encoding')}`),
      }),
    )
    opened.push(egress.close, ...peers.map((peer) => () => peer.stop(true)))
    for (const path of ['one', 'two', 'one']) {
      for (const { url, port } of peers) {
        const said = async (init: EgressInit) =>
          (await egress.fetch(`${url}${path}`, { headers, ...init })).text()
        expect(await said({ takesCompressed: true })).not.toContain('identity')
        for (const method of ['GET', 'DELETE'])
          expect(await said({ method })).toBe(`${method} ${url}${path} 127.0.0.1:${port} identity`)
      }
    }
  })
})

test('a partition names credentials without holding them, and differently in each process', () => {
  const headers = new Headers({ authorization: 'Bearer canary-4711', 'x-key': 'canary-4712' })
  const [one, other] = [createPartitions(), createPartitions()]
  expect(one('/?key=canary-4713', headers, '')).not.toContain('canary')
  expect(one('/', headers, '')).toBe(one('/', new Headers(headers), ''))
  expect(one('/', headers, '')).not.toBe(other('/', headers, ''))
})
