import { afterAll, expect, test } from 'bun:test'

import { HttpRule } from '../../../shared/health.ts'
import type { ProbeError } from '../../../shared/verifier-protocol.ts'
import { startLoopbackRunner, probeTargetOf } from '../../../tests/support/probing.ts'

/** A way that ends after a number of hops. */
const redirect = (hops: number): Response =>
  new Response(null, { status: 302, headers: { location: hops > 1 ? `/hops/${hops - 1}` : '/200' } })

const { runner, close } = startLoopbackRunner()
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const { pathname } = new URL(request.url)
    if (pathname === '/json') return Response.json({ status: 'ok', nodes: [{ peers: 12 }, { peers: null }] })
    if (pathname === '/echo')
      return Response.json({ body: await request.text(), ...Object.fromEntries(request.headers) })
    if (pathname.startsWith('/hops/')) return redirect(Number(pathname.slice(6)))
    if (pathname === '/inside') return Response.redirect(`http://10.0.0.1:1/`, 302)
    const status = Number(new URL(request.url).pathname.slice(1))
    const body = [204, 304].includes(status) ? null : `${request.method} all systems go`
    return new Response(body, { status, headers: { location: '/200' } })
  },
})
afterAll(async () => {
  close()
  await server.stop(true)
})

const probe = (path: number | string, rule?: object) =>
  runner.probeHead(
    probeTargetOf('http', `${server.url.href}${path}`, rule ? { rule: HttpRule.parse(rule) } : {}),
    null,
  )

test.each([
  [200, undefined],
  [204, { statuses: [200, 204] }],
  [401, { statuses: [401] }],
  [429, { statuses: [429] }],
  [302, { statuses: [301, 302] }],
  [308, { statuses: [308], contains: 'systems go' }],
  [200, { contains: 'systems go' }],
  [200, { method: 'POST', contains: 'POST all' }],
  [200, { method: 'HEAD' }],
])('%d with rule %j is good', async (status, rule) => {
  expect(await probe(status, rule)).toEqual({ ok: true, head: null, error: null, rttMs: expect.any(Number) })
})

test.each([
  [204, undefined, 'RPC_ERROR'],
  [404, undefined, 'HTTP_4XX'],
  [429, undefined, 'RATE_LIMITED'],
  [503, undefined, 'HTTP_5XX'],
  [302, undefined, 'HTTP_4XX'],
  [307, { statuses: [302] }, 'HTTP_4XX'],
  [200, { contains: 'down' }, 'RPC_ERROR'],
  [200, { statuses: [204] }, 'RPC_ERROR'],
] satisfies [number, object | undefined, ProbeError][])(
  '%d with rule %j is %s',
  async (status, rule, error) => {
    expect(await probe(status, rule)).toMatchObject({ ok: false, error })
  },
)

const peers = { path: '$.nodes[0].peers' }

test.each([
  { json: { path: '$.status', equals: 'ok' } },
  { json: { ...peers, min: 12, max: 12 } },
  { json: { ...peers, equals: 12 } },
  { json: { path: '$.nodes[-1].peers', equals: null } },
  { json: peers },
  { matches: '"status":"(ok|green)"', contains: 'peers', json: peers },
])('a body that %j describes is good', async (rule) => {
  expect(await probe('json', rule)).toMatchObject({ ok: true, error: null })
})

test.each([
  { json: { path: '$.status', equals: 'green' } },
  { json: { ...peers, min: 13 } },
  { json: { ...peers, max: 11 } },
  { json: { ...peers, equals: '12' } },
  { json: { path: '$.nodes[1].peers', min: 0 } },
  { json: { path: '$.nothing' } },
  { matches: '^ok$' },
  { matches: '"status"', json: { path: '$.nothing' } },
])('a body that %j does not describe is not', async (rule) => {
  expect(await probe('json', rule)).toMatchObject({ ok: false, error: 'RPC_ERROR' })
})

test('a body that is no JSON is NOT_JSON', async () => {
  expect(await probe(200, { json: peers })).toMatchObject({ ok: false, error: 'NOT_JSON' })
})

test('an expression on which others hang takes no time', async () => {
  const startedAt = performance.now()
  expect(await probe('json', { matches: '^(\\W|\\w+)*$x' })).toMatchObject({ ok: false, error: 'RPC_ERROR' })
  expect(performance.now() - startedAt).toBeLessThan(2_000)
})

const sent = (body: string, contains: string) => ({
  method: 'POST',
  body,
  contains,
  json: { path: '$.body', equals: body },
})

test('a body is sent with POST, as JSON where it is JSON', async () => {
  const asJson = '"content-type":"application/json"'
  expect(await probe('echo', sent('{"a":1}', asJson))).toMatchObject({ ok: true })
  expect(await probe('echo', sent('a=1', asJson))).toMatchObject({ ok: false, error: 'RPC_ERROR' })
  expect(await probe('echo', sent('a=1', '"host"'))).toMatchObject({ ok: true })
})

test.each([
  [3, 3, true],
  [3, 2, false],
  [1, undefined, false],
])('%d redirects, of which %p may be followed', async (hops, redirects, ok) => {
  const finding = await probe(`hops/${hops}`, { ...(redirects !== undefined && { redirects }) })
  expect(finding).toMatchObject(ok ? { ok } : { ok, error: 'HTTP_4XX' })
})

test('a redirect to an address that may not be reached is not followed there', async () => {
  expect(await probe('inside', { redirects: 1 })).toMatchObject({ ok: false, error: 'BLOCKED_ADDRESS' })
})
