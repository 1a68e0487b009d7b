import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { rawExchange, rawRequest } from '../support/raw-exchange.ts'
import { covers } from '../support/covers.ts'

/** What a page reads whose name its owner lets point to an installation (DNS rebinding). */

let installation: TestInstallation
let server: GatehouseProcess

beforeAll(async () => {
  installation = await createTestInstallation({
    services: [
      { id: 'site', name: 'Site', family: 'http', provider: 'acme', endpoint: 'http://127.0.0.1:1/' },
    ],
  })
  server = await installation.start({ GATEHOUSE_ALLOWED_HOSTS: 'gatehouse.internal' })
}, 60_000)
afterAll(() => installation?.remove())

const ask = (path: string, host: string, init: RequestInit = {}) =>
  fetch(`${server.url}${path}`, { ...init, headers: { ...init.headers, host } })

const readByAnybody = [
  '/',
  '/sign-in',
  '/health/site',
  '/badge/site.svg',
  '/openapi.json',
  '/reference',
  '/readyz',
  '/trpc/accounts.signInOptions',
  '/auth/github',
  '/.well-known/oauth-protected-resource/mcp',
  '/nothing',
]
const withKeys = [
  '/account/statistics/keys',
  '/rpc/mainnet/some-key',
  '/v1/services',
  '/metrics',
  '/metrics/services',
  '/mcp',
  '/sse',
]

/** Asks as somebody of HTTP/1.0, who need not name a host. */
const ask10 = (path: string): Promise<string> =>
  rawExchange(installation.port, `GET ${path} HTTP/1.0\r\n\r\n`)

describe('a Host that is not ours', () => {
  covers('threat-42')
  test.each([...readByAnybody, ...withKeys])('GET %s: 403, which names the setting', async (path) => {
    const answer = await ask(path, 'rebound.example.net')
    expect(answer.status).toBe(403)
    expect(await answer.text()).toContain('adds the name to GATEHOUSE_ALLOWED_HOSTS')
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    expect(answer.headers.get('x-request-id')).toBeString()
    const own = await ask(path, `localhost:${installation.port}`, { redirect: 'manual' })
    expect(own.status).not.toBe(403)
    await own.body?.cancel()
  })

  test.each(['POST', 'OPTIONS', 'HEAD', 'DELETE'])('%s is refused as well', async (method) => {
    for (const path of ['/health/site', '/rpc/mainnet/some-key', '/mcp', '/account/create-api-keys']) {
      expect((await ask(path, 'rebound.example.net', { method })).status).toBe(403)
    }
  })

  test('no WebSocket is opened', async () => {
    const answer = await rawExchange(
      installation.port,
      rawRequest([
        'GET /rpc/mainnet/some-key HTTP/1.1',
        'Host: rebound.example.net',
        'Upgrade: websocket',
        'Connection: Upgrade, close',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      ]),
    )
    expect(answer).toStartWith('HTTP/1.1 403')
  })

  test('/healthz tells anybody that the process lives; a probe that goes to an address reads /readyz', async () => {
    expect(await (await ask('/healthz', 'probe.example.net')).json()).toEqual({ status: 'ok' })
    expect((await ask('/healthz?x', 'probe.example.net')).status).toBe(200)
    expect((await ask('/healthz/x', 'probe.example.net')).status).toBe(403)
    expect((await ask('/readyz', '10.2.3.4:3000')).status).toBe(200)
    expect(await ask10('/readyz')).toContain('"status":"ready"')
  })

  test('health checks of HTTP/1.0, which name no host, find every address', async () => {
    expect(await ask10('/health/site')).toMatch(/^HTTP\/1\.1 200 [^]*"serviceId":"site"/)
    expect(await ask10('/health/nobody?x=1')).toContain('"serviceId":"nobody"')
    expect(await ask10('/badge/site.svg')).toStartWith('HTTP/1.1 200')
    expect(await ask10('/rpc/mainnet/some-key')).toContain('key')
  })

  test('names that the operator allows are ours', async () => {
    expect((await ask('/health/site', 'gatehouse.internal:3000')).status).toBe(200)
    expect((await ask('/health/site', 'GATEHOUSE.internal')).status).toBe(200)
  })
})
