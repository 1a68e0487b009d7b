import { afterAll, beforeAll, expect, test } from 'bun:test'

import { createEgress } from '../../platform/egress.ts'
import { systemClock } from '../../platform/clock.ts'
import { createDownstreamFetch } from './downstream-fetch.ts'
import { createExchanges } from './exchanges.ts'
import { defaultDownstreamLimits } from './limits.ts'

const egress = createEgress({ clock: systemClock, allowPrivate: ['127.0.0.0/8'], schemes: ['http'] })
let server: ReturnType<typeof Bun.serve>

beforeAll(() => {
  server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () =>
      new Response(null, {
        status: 403,
        headers: { 'www-authenticate': 'Bearer error="insufficient_scope", scope="more"' },
      }),
  })
})
afterAll(async () => {
  egress.close()
  await server.stop(true)
})

test('scopes are noted for the sake of calls, not of the stream on which a server may ask', async () => {
  const noted: (readonly string[])[] = []
  const url = server.url.href
  const { fetch } = createDownstreamFetch({
    service: {
      serviceId: 'mcpservers:scopes',
      chain: 'ethereum',
      category: 'mcpservers',
      provider: 'p',
      name: 'Scopes',
      url,
      transport: 'http',
      authType: 'oauth',
      credentialKey: null,
    },
    limits: defaultDownstreamLimits,
    exchanges: createExchanges(defaultDownstreamLimits),
    canBeAsked: true,
    fetch: egress.fetch,
    credential: null,
    bearer: {
      current: () => 'token',
      after: async () => 'another',
      last: () => null,
      lacks: async (scopes) => noted.push(scopes) > 0,
    },
    onToken: () => undefined,
    onBroken: () => undefined,
  })
  await expect(fetch(url, { method: 'GET' })).rejects.toMatchObject({ reason: 'unauthorized' })
  expect(noted).toEqual([])
  const called = fetch(url, { method: 'POST', body: '{}' })
  await expect(called).rejects.toMatchObject({ reason: 'more_scope_needed' })
  expect(noted).toEqual([['more']])
})
