import { afterEach, beforeEach, expect, test } from 'bun:test'

import { gatehouseClient } from './client.ts'

/** What goes over the wire, at a server that writes it down. What the server of the product answers is tested against it. */

interface Seen {
  readonly method: string
  readonly address: string
  readonly headers: Headers
  readonly body: string
}

let server: ReturnType<typeof Bun.serve>
let seen: Seen[]
let answer: () => Response

beforeEach(() => {
  seen = []
  answer = () => Response.json({ items: [], nextCursor: null })
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { method, url, headers } = request
      seen.push({ method, address: url.slice(server.url.origin.length), headers, body: await request.text() })
      return answer()
    },
  })
})
afterEach(() => server.stop(true))

const client = () => gatehouseClient({ url: server.url.origin, apiKey: 'gak_of-a-script' })

test('each request has the key, and pages are asked for by their cursors', async () => {
  const { GET } = client()
  const { data } = await GET('/admin/accounts', {
    params: { query: { order: 'credits', limit: 2, cursor: 'a+b' } },
  })
  expect(data).toEqual({ items: [], nextCursor: null })
  const [{ address = '', headers } = {}] = seen
  expect(address).toBe('/admin/accounts?order=credits&limit=2&cursor=a%2Bb')
  expect(headers?.get('authorization')).toBe('Bearer gak_of-a-script')
})

test('names that people chose are encoded in addresses, and a change names the version that was read', async () => {
  const { PATCH } = client()
  const id = 'Day / night?'
  await PATCH('/admin/alerts/{id}', {
    params: { path: { id }, header: { 'if-match': '"read"' } },
    body: { enabled: false },
  })
  const [{ method, address, headers, body } = {}] = seen
  expect([method, address, body]).toEqual([
    'PATCH',
    '/admin/alerts/Day%20%2F%20night%3F',
    '{"enabled":false}',
  ])
  expect(headers?.get('if-match')).toBe('"read"')
})

test('a refusal is an answer, with its code and its sentence', async () => {
  const { POST } = client()
  const refusal = { error: { code: 'conflict', message: 'name: there is a plan of this name already' } }
  answer = () => Response.json(refusal, { status: 409 })
  const { data, error, response } = await POST('/admin/plans', {
    body: { name: 'free', maxKeys: 3 },
    headers: { 'idempotency-key': 'once' },
  })
  expect([data, error, response.status]).toEqual([undefined, refusal, 409])
  expect(seen[0]?.headers.get('idempotency-key')).toBe('once')
})

test('what the server does not have is no program', async () => {
  const { GET, POST } = client()
  // @ts-expect-error: there is no such address
  await GET('/admin/nothing')
  // @ts-expect-error: keys are counted
  await POST('/admin/plans', { body: { name: 'free', maxKeys: 'three' } })
  // @ts-expect-error: a service has a provider
  await POST('/admin/services', { body: { name: 'Node', endpoint: 'http://127.0.0.1:1', chain: 'ethereum' } })
  expect(seen).toHaveLength(3)
})
