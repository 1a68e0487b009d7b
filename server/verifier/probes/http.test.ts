import { afterAll, expect, test } from 'bun:test'

import { HttpRule } from '../../../shared/health.ts'
import type { ProbeError } from '../../../shared/verifier-protocol.ts'
import { startLoopbackRunner, probeTargetOf } from '../../../tests/support/probing.ts'

const { runner, close } = startLoopbackRunner()
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch(request) {
    const status = Number(new URL(request.url).pathname.slice(1))
    const body = [204, 304].includes(status) ? null : `${request.method} all systems go`
    return new Response(body, { status, headers: { location: '/200' } })
  },
})
afterAll(async () => {
  close()
  await server.stop(true)
})

const probe = (status: number, rule?: object) =>
  runner.probeHead(
    probeTargetOf('http', `${server.url.href}${status}`, rule ? { rule: HttpRule.parse(rule) } : {}),
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
