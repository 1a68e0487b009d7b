import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { testDatabase } from '../../scripts/world/database.ts'
import type { TestDatabase } from '../../scripts/world/database.ts'
import type { TestBrowser } from './sign-in-browser.ts'
import { signInByWallet, signInUnderTest } from './sign-in-under-test.ts'
import type { SignInUnderTest } from './sign-in-under-test.ts'
import { covers } from '../support/covers.ts'

const ours = 'https://gate.example.org'

let testing: TestDatabase
let under: SignInUnderTest
let victim: TestBrowser

beforeAll(async () => {
  testing = await testDatabase()
  under = await signInUnderTest(testing.database)
  victim = under.browser()
  await signInByWallet(victim)
})
afterAll(async () => {
  under?.stop()
  await testing?.drop()
})

const json = { 'content-type': 'application/json' }

const change = (headers: Record<string, string>, body: BodyInit = '{}') =>
  victim.send('/trpc/probe.change', { method: 'POST', headers, body })

describe('a request of another site to a mutation, with the cookie of its visitor', () => {
  covers('threat-27')
  const evil = { origin: 'https://evil.example.net', 'sec-fetch-site': 'cross-site' }
  const refusals: [name: string, headers: Record<string, string>][] = [
    ['from a page of another site', { ...json, ...evil }],
    ['with its Origin only', { ...json, origin: 'https://evil.example.net' }],
    ['with Sec-Fetch-Site only', { ...json, 'sec-fetch-site': 'cross-site' }],
    [
      'from another host of the same site',
      { ...json, origin: 'https://evil.example.org', 'sec-fetch-site': 'same-site' },
    ],
    [
      'with our Origin, though the browser says otherwise',
      { ...json, origin: ours, 'sec-fetch-site': 'cross-site' },
    ],
    ['from a sandboxed frame', { ...json, origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['with nothing that says where it comes from', json],
    ['from our host by plain http', { ...json, origin: 'http://gate.example.org' }],
    ['from another port of our host', { ...json, origin: `${ours}:8443` }],
    ['from a host that begins like ours', { ...json, origin: `${ours}.evil.example.net` }],
  ]
  for (const [name, headers] of refusals) {
    test(`${name}: 403`, async () => {
      const answer = await change(headers)
      expect(answer.status).toBe(403)
      expect(answer.text).toContain('"code":"forbidden"')
    })
  }

  test('as a form with files, which needs no preflight: 403', async () => {
    const form = new FormData()
    form.set('field', 'value')
    expect((await change(evil, form)).status).toBe(403)
  })

  test('the routes that sign in and out refuse it, too', async () => {
    const paths = [
      '/auth/wallet/challenge',
      '/auth/wallet/verify',
      '/auth/github',
      '/auth/setup',
      '/auth/sign-out',
    ]
    const bodies: Record<string, unknown> = {
      '/auth/wallet/challenge': { address: `0x${'12'.repeat(20)}`, chainId: 1 },
      '/auth/wallet/verify': { message: 'x', signature: '0x12' },
      '/auth/github': { purpose: 'link' },
      '/auth/setup': { token: 'x' },
    }
    for (const path of paths) {
      expect((await victim.post(path, bodies[path], evil)).status).toBe(403)
    }
    expect((await victim.query('probe.who')).status).toBe(200)
  })
})

describe('a request of our own page', () => {
  test('is answered', async () => {
    expect((await change({ ...json, origin: ours })).status).toBe(200)
    expect((await change({ ...json, origin: ours, 'sec-fetch-site': 'same-origin' })).status).toBe(200)
    expect((await change({ ...json, 'sec-fetch-site': 'same-origin' })).status).toBe(200)
    expect((await change({ 'content-type': 'Application/JSON; charset=utf-8', origin: ours })).status).toBe(
      200,
    )
  })

  test('without a body is answered, too', async () => {
    const answer = await victim.send('/trpc/probe.change', {
      method: 'POST',
      headers: { ...json, origin: ours },
    })
    expect(answer.status).toBe(200)
  })

  const otherTypes: [name: string, body: BodyInit, type?: string][] = [
    ['a form with files', new FormData()],
    ['a form', new URLSearchParams({ a: 'b' })],
    ['bytes', new Uint8Array([1, 2]), 'application/octet-stream'],
    ['text', '{}', 'text/plain'],
    ['something like JSON', '{}', 'application/jsonp'],
    ['no type', new Uint8Array([123, 125])],
  ]
  for (const [name, body, type] of otherTypes) {
    test(`as ${name}: 415`, async () => {
      const headers = { origin: ours, ...(type !== undefined && { 'content-type': type }) }
      expect((await change(headers, body)).status).toBe(415)
    })
  }

  test('that is too long, nested too deep, or no JSON', async () => {
    const own = { ...json, origin: ours }
    expect((await change(own, `"${'x'.repeat(300_000)}"`)).status).toBe(413)
    expect((await change(own, `${'['.repeat(65)}${']'.repeat(65)}`)).status).toBe(400)
    expect((await change(own, '{"a":')).status).toBe(400)
  })
})

test('at most 20 calls in one request', async () => {
  const batch = (count: number) =>
    victim.post(`/trpc/${Array.from({ length: count }, () => 'probe.change').join(',')}?batch=1`)
  expect((await batch(20)).status).toBe(200)
  expect((await batch(21)).status).toBe(400)
  const queries = Array.from({ length: 21 }, () => 'probe.who').join(',')
  expect((await victim.get(`/trpc/${queries}?batch=1&input=%7B%7D`)).status).toBe(400)
})

test('a mutation by GET is none, and what a page of another site reads by GET it cannot see', async () => {
  expect((await victim.get('/trpc/probe.change')).status).toBe(405)
  const { headers } = await victim.get('/trpc/probe.who', { origin: 'https://evil.example.net' })
  expect(headers.has('access-control-allow-origin')).toBe(false)
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
})

test('nobody’s call, an operator’s call by somebody who is none, an unknown call', async () => {
  expect((await under.browser().query('probe.who')).status).toBe(401)
  expect((await victim.query('probe.operate')).status).toBe(403)
  const unknown = await victim.query('probe.nothing')
  expect(unknown.status).toBe(404)
  expect(unknown.text).not.toContain('stack')
})

test('a subscription streams, and ends when the server stops', async () => {
  const listener = under.app.listen({ host: '127.0.0.1', port: 0 })
  const cookie = [...victim.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await fetch(`http://127.0.0.1:${listener.port}/trpc/probe.tick`, {
    headers: { accept: 'text/event-stream', cookie },
  })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toStartWith('text/event-stream')
  const startedAt = performance.now()
  under.drain()
  const stopped = listener.stop(10_000)
  expect(await response.text()).toContain('data: "tick"')
  await stopped
  expect(performance.now() - startedAt).toBeLessThan(3_000)
})

test('a subscription has no time-out, and ends at once for somebody who is not signed in', async () => {
  const timeouts: number[] = []
  const connections = {
    requestIP: () => ({ address: '198.51.100.200' }),
    timeout: (_request: Request, seconds: number) => void timeouts.push(seconds),
    upgrade: () => false,
  }
  const ask = (cookie: string) =>
    under.app.fetch(
      new Request('http://gate.example.org/trpc/probe.tick', {
        headers: { accept: 'text/event-stream', cookie },
      }),
      connections,
    )
  const response = await ask('__Host-gatehouse=nobody')
  expect(timeouts).toEqual([0])
  const text = await response.text()
  expect(text).toContain('"code":"UNAUTHORIZED"')
  expect(text).not.toContain('data: "tick"')
})
