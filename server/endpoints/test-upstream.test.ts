import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { type Anvil, startAnvil } from '../../scripts/world/anvil.ts'
import { findFreePort } from '../../scripts/world/free-port.ts'
import { testChain } from '../health/test-support/fixtures.ts'
import { systemClock } from '../platform/clock.ts'
import { createEgress } from '../platform/egress.ts'
import type { Upstream } from './endpoint.ts'
import { testUpstream } from './test-upstream.ts'
import { covers } from '../../tests/support/covers.ts'

const egress = createEgress({ clock: systemClock, allowPrivate: ['127.0.0.0/8'], schemes: ['http', 'https'] })
const means = { egress, clock: systemClock }
const secret = 'canary-in-the-path'
/** Answers as its path says, and repeats what it was asked. */
const node = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const body = await request.text()
    const asked = `${request.url} ${JSON.stringify(request.headers)} ${body}`
    const id = request.method === 'POST' ? (JSON.parse(body) as { id: number }).id : 0
    const [, kind = ''] = new URL(request.url).pathname.split('/')
    if (kind === 'html') return new Response(`<html>${asked}</html>`)
    if (kind === 'error') return Response.json({ jsonrpc: '2.0', id, error: { code: -1, message: asked } })
    if (kind === 'text') return Response.json({ jsonrpc: '2.0', id, result: asked })
    if (kind === 'id') return Response.json({ jsonrpc: '2.0', id: id + 1, result: '0x7a69' })
    if (kind === 'mark') return new Response(`\uFEFF{"id":"${id}","result":"0x7a69"}`)
    if (kind === 'moved') return Response.redirect('http://127.0.0.1:1/')
    return new Response(asked, { status: Number(kind) })
  },
})
let anvil: Anvil
beforeAll(async () => {
  anvil = await startAnvil({ chainId: 31337, timestamp: 1_700_000_000, blocks: 'on-demand' })
})
afterAll(async () => {
  egress.close()
  await Promise.all([anvil?.stop(), node.stop(true)])
})

const upstreamAt = (url: string): Upstream => ({
  id: 'upstream-1',
  url,
  webSocketUrl: null,
  headers: { 'x-key': secret },
  weight: 1,
  tier: 0,
  budget: null,
  identity: 'upstream-1',
  compression: false,
  serviceId: null,
})
const rules = (...allow: string[]) => ({ methods: { allow, deny: [], unknown: 'refuse' as const } })
const ask = (url: string, chainId = 31337) =>
  testUpstream(
    { family: 'evm', chain: testChain({ chainId }), isRest: false, ...rules() },
    upstreamAt(url),
    means,
  )
const askPath = (url: string, ...allow: string[]) =>
  testUpstream(
    { family: 'beacon', chain: undefined, isRest: true, ...rules(...allow) },
    upstreamAt(url),
    means,
  )

describe('a test of an upstream of paths', () => {
  test('asks for the first path that names one thing', async () => {
    const allow = ['POST /401', 'GET /401/*', 'GET /200']
    expect(await askPath(node.url.href, ...allow)).toMatchObject({ ok: true })
    expect(await askPath(node.url.href, 'GET /404')).toMatchObject({
      ok: false,
      message: 'it answers HTTP 404 at /404',
    })
    expect(await askPath(node.url.href, 'GET /401')).toMatchObject({
      ok: false,
      message: 'it refuses the credentials (HTTP 401)',
    })
  })

  test('takes any answer for a sign of life where there is none', async () => {
    expect(await askPath(`${node.url.href}404`, 'GET /**')).toMatchObject({ ok: true })
    expect(await askPath(`${node.url.href}500`, 'GET /**')).toMatchObject({ ok: false })
    expect(await askPath('http://127.0.0.1:1', 'GET /**')).toMatchObject({ ok: false, latencyMs: null })
  })
})

describe('a test of an upstream', () => {
  test('of the right chain is well, and says how long it took', async () => {
    const result = await ask(anvil.url)
    expect(result).toMatchObject({ id: 'upstream-1', ok: true })
    expect(result.latencyMs).toBeGreaterThan(0)
  })

  test('that writes the id as a string behind a byte order mark is well, as it is for the relay', async () => {
    expect(await ask(`${node.url.href}mark`)).toMatchObject({ ok: true })
  })

  test('of another chain says which', async () => {
    expect(await ask(anvil.url, 1)).toMatchObject({
      ok: false,
      message: 'it is a node of another chain: its chain id is 31337, that of testnet is 1',
    })
  })

  test.each([
    ['401', 'it refuses the credentials (HTTP 401)'],
    ['429', 'it answers that there are too many calls (HTTP 429)'],
    ['502', 'it answers HTTP 502'],
    ['html', 'its answer is no JSON-RPC; check the path of the address'],
    ['error', 'it answers with a JSON-RPC error'],
    ['text', 'it does not say its chain id'],
    ['id', 'its answer has another id than the call'],
    ['moved', 'it sends callers elsewhere; give the address where it really is'],
  ])('that answers %s says what is wrong, without a secret', async (kind, message) => {
    covers('threat-19')
    const result = await ask(`http://127.0.0.1:${node.port}/${kind}/${secret}`)
    expect(result).toMatchObject({ ok: false, message })
    expect(JSON.stringify(result)).not.toContain(secret)
  })

  test.each([
    [
      'cannot be reached',
      async () => `http://127.0.0.1:${await findFreePort()}/`,
      'it cannot be reached; is it running?',
    ],
    ['speaks no TLS', async () => `https://127.0.0.1:${node.port}/`, 'its certificate is not valid'],
  ])('that %s says so', async (_, url, message) => {
    expect(await ask(await url())).toEqual({ id: 'upstream-1', ok: false, latencyMs: null, message })
  })

  test('that is private says so, with the host that an operator may allow', async () => {
    expect(await ask('http://10.0.0.1/')).toEqual({
      id: 'upstream-1',
      ok: false,
      latencyMs: null,
      message: 'a private address; an operator can allow it with GATEHOUSE_ALLOW_PRIVATE=10.0.0.1/32',
      privateHost: '10.0.0.1',
    })
  })
})
