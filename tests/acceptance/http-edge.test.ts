import { describe, expect, test } from 'bun:test'

import { Elysia } from 'elysia'

import type { Readiness } from '../../server/http/probes.ts'
import { appUnderTest, ask } from './http-app-under-test.ts'

const under = appUnderTest()

const always = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}

describe('security headers', () => {
  const paths = ['/animals/cat', '/nothing', '/healthz', '/readyz', '/metrics', '/openapi.json', '/reference', '/odd/redirect', '/odd/stream', '/odd/throws'] // prettier-ignore
  for (const path of paths) {
    test(`on ${path}`, async () => {
      const { headers } = await ask(under, path)
      expect(headers.toJSON()).toMatchObject(always)
      expect(headers.get('content-security-policy')).toStartWith("default-src 'none'")
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('cross-origin-resource-policy')).toBeOneOf(['same-origin', 'cross-origin'])
      expect(headers.has('strict-transport-security')).toBe(false)
    })
  }

  test('a route open to all sites overrides what is in its way', async () => {
    const { headers } = await ask(under, '/animals')
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })

  test('HSTS where browsers come by https', async () => {
    const { headers } = await ask(appUnderTest({ isTls: true }), '/healthz')
    expect(headers.get('strict-transport-security')).toBe('max-age=63072000; includeSubDomains')
  })

  test('a page cannot weaken what is fixed', async () => {
    const weak = new Elysia().get(
      '/weak',
      () => new Response('', { headers: { 'x-content-type-options': 'off' } }),
    )
    const { headers } = await ask(appUnderTest({ plugins: [weak] }), '/weak')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })
})

describe('request id', () => {
  const given = { headers: { 'x-request-id': 'given-by-proxy-1' } }

  test('of a trusted proxy is kept', async () => {
    const { headers } = await ask(under, '/healthz', given, '127.0.0.1')
    expect(headers.get('x-request-id')).toBe('given-by-proxy-1')
  })

  test('of anybody else is replaced, and no two are alike', async () => {
    const answers = await Promise.all([1, 2].map(() => ask(under, '/healthz', given)))
    const ids = answers.map(({ headers }) => headers.get('x-request-id'))
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/)
    expect(ids[0]).not.toBe(ids[1])
  })

  test('that is no plain text is replaced even from a proxy', async () => {
    for (const odd of ['short', 'a'.repeat(129), 'has a space', '<script>alert</script>']) {
      const { headers } = await ask(under, '/healthz', { headers: { 'x-request-id': odd } }, '127.0.0.1')
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    }
  })
})

test('handlers learn the client behind the proxy, and the page', async () => {
  const headers = { 'x-forwarded-for': '1.2.3.4, 203.0.113.5', origin: 'https://App.example' }
  expect(JSON.parse((await ask(under, '/odd/caller', { headers }, '127.0.0.1')).text)).toEqual({
    address: '203.0.113.5',
    origin: 'https://app.example',
  })
  expect(JSON.parse((await ask(under, '/odd/caller', { headers }, '198.51.100.7')).text)).toMatchObject({
    address: '198.51.100.7',
  })
})

const withToken = (authorization: string) => ask(under, '/metrics', { headers: { authorization } })

describe('probes', () => {
  test('/healthz says nothing but that the process lives', async () => {
    const broken = appUnderTest({ readiness: () => Promise.reject(new Error('database gone')) })
    const { status, text, headers } = await ask(broken, '/healthz')
    expect([status, text, headers.get('cache-control')]).toEqual([200, '{"status":"ok"}', 'no-store'])
  })

  test('/readyz is 503 while a part has failed, 200 while one is degraded, and says why', async () => {
    const states: Readiness = { database: 'ok', limits: 'ok' }
    const changing = appUnderTest({ readiness: () => states })
    const answered = async () => {
      const { status, text } = await ask(changing, '/readyz')
      return [status, JSON.parse(text)]
    }
    expect(await answered()).toEqual([
      200,
      { status: 'ready', checks: { database: 'ok', limits: 'ok' }, reasons: {} },
    ])
    states.limits = { state: 'degraded', reason: 'away' }
    expect(await answered()).toEqual([
      200,
      { status: 'degraded', checks: { database: 'ok', limits: 'degraded' }, reasons: { limits: 'away' } },
    ])
    states.database = { state: 'failed', reason: 'gone' }
    expect(await answered()).toEqual([
      503,
      {
        status: 'not_ready',
        checks: { database: 'failed', limits: 'degraded' },
        reasons: { database: 'gone', limits: 'away' },
      },
    ])
  })

  test('/readyz is 503 while draining, and connections end', async () => {
    const leaving = appUnderTest({ readiness: () => new Promise(() => undefined) }) // as of a database that hangs
    leaving.app.drain()
    const { status, text, headers } = await ask(leaving, '/readyz')
    expect([status, JSON.parse(text).status, headers.get('connection')]).toEqual([503, 'draining', 'close'])
    expect((await ask(leaving, '/animals/cat')).status).toBe(200)
  })

  test('/metrics wants its token', async () => {
    for (const wrong of ['Bearer wrong', 'Bearer', 'Basic metrics-token', 'Bearer metrics-tokenx', '']) {
      expect((await withToken(wrong)).status).toBe(401)
    }
    const { status, text, headers } = await withToken('Bearer metrics-token')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
    expect(text).toContain('process_resident_memory_bytes')
  })
})

describe('request metrics', () => {
  test('are labelled by template, method and class, whatever is asked for', async () => {
    const fresh = appUnderTest()
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => [
        ask(fresh, `/animals/a${'b'.repeat(index % 19)}`),
        ask(fresh, `/unknown/${index}`),
        ask(fresh, '/animals/cat', { method: 'DELETE' }),
      ]).flat(),
    )
    await ask(fresh, '/animals', { method: 'POST' })
    await ask(fresh, '/odd/throws')

    const text = await fresh.metrics.render()
    const series = [...text.matchAll(/^gatehouse_http_request_duration_seconds_count\{(.*)\} (\d+)$/gm)]
    expect(Object.fromEntries(series.map(([, labels, count]) => [labels, Number(count)]))).toEqual({
      'route="/animals/:name",method="GET",status_class="4xx"': 50,
      'route="unmatched",method="GET",status_class="4xx"': 50,
      'route="unmatched",method="DELETE",status_class="4xx"': 50,
      'route="/animals",method="POST",status_class="4xx"': 1,
      'route="/odd/throws",method="GET",status_class="5xx"': 1,
    })
  })
})
