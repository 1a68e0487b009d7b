import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { Validator } from '@seriousme/openapi-schema-validator'

import { ErrorResponse } from '../../shared/faults.ts'
import { HealthResponse } from '../../shared/health.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { healthClient } from '../support/health-client.ts'
import { covers } from '../support/covers.ts'

/** What the specification says of GET /health/{serviceId}, asked of a server that runs. */

let installation: TestInstallation
let url: string
const website = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('fine') })

beforeAll(async () => {
  const endpoint = `http://127.0.0.1:${website.port}/`
  const policy = { intervalMs: 1_000, freshMs: 10_000 }
  installation = await createTestInstallation({
    services: [{ id: 'Site.1:a_b-c', name: 'Site', family: 'http', provider: 'acme', endpoint, policy }],
  })
  url = (await installation.start()).url
}, 60_000)
afterAll(async () => {
  await installation?.remove()
  await website.stop(true)
})

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${url}${path}`, { headers })

describe('the answer', () => {
  test('is a HealthResponse with exactly its fields, of the right types', async () => {
    covers(
      'health-get-success',
      'health-response-result',
      'health-result-service-id',
      'health-result-decision',
      'health-result-live-verifiers',
      'health-result-avg-blocks-latency',
      'health-result-avg-time-latency',
      'health-result-timestamp',
      'health-timestamp-meaning',
    )
    await healthClient(url).until({ 'Site.1:a_b-c': 'UP' })
    const response = await get('/health/Site.1:a_b-c')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    const body: unknown = await response.json()
    expect(body).toEqual({
      result: {
        serviceId: 'Site.1:a_b-c',
        decision: 'UP',
        liveVerifiers: 1,
        avgBlocksLatency: 0,
        avgTimeLatency: 0,
        timestamp: expect.any(Number),
      },
    })
    const { timestamp } = HealthResponse.parse(body).result
    expect(Number.isInteger(timestamp)).toBe(true)
    expect(Math.abs(timestamp - Date.now() / 1000)).toBeLessThan(10)
  })

  test.each([
    'nobody',
    '0x7270633a00',
    'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKrUEX',
    'x'.repeat(128),
    '__proto__',
  ])('for the unregistered id %s is 200 UNKNOWN with zeros', async (serviceId) => {
    covers('health-unregistered-id', 'health-get-path')
    const response = await get(`/health/${serviceId}`)
    expect(response.status).toBe(200)
    const { result } = HealthResponse.parse(await response.json())
    const zeros = { liveVerifiers: 0, avgBlocksLatency: 0, avgTimeLatency: 0 }
    expect(result).toMatchObject({ serviceId, decision: 'UNKNOWN', ...zeros })
    expect(Math.abs(result.timestamp - Date.now() / 1000)).toBeLessThan(10)
  })

  test('may be read by pages of any site without signing in, and cached for a moment', async () => {
    covers('health-get-authentication')
    const { headers } = await get('/health/nobody', { origin: 'https://status.example' })
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(headers.get('cache-control')).toBe('public, max-age=2, stale-while-revalidate=10')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('answers the preflight of a page that sends a header of its own', async () => {
    const asked = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'x-widget' }
    for (const path of ['/health/nobody', '/health/nobody/history', '/badge/nobody.svg']) {
      const preflight = await fetch(url + path, {
        method: 'OPTIONS',
        headers: { origin: 'https://status.example', ...asked },
      })
      expect(preflight.status).toBe(204)
      expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
      expect(preflight.headers.get('access-control-allow-headers')).toBe('*')
      expect(preflight.headers.get('access-control-allow-methods')).toBe('GET, HEAD')
    }
  })

  test('refuses in words that the page can read', async () => {
    for (const path of ['/health/a%20b', '/health/nobody/details', '/badge/nobody', '/health/x/y/z']) {
      const refusal = await get(path, { origin: 'https://status.example' })
      expect(refusal.status).toBeGreaterThanOrEqual(400)
      expect(refusal.headers.get('access-control-allow-origin')).toBe('*')
      expect(ErrorResponse.parse(await refusal.json()).error.message).not.toBe('')
    }
  })

  test('is not sent again to who has it', async () => {
    const path = '/health/Site.1:a_b-c'
    // A second evaluation may come in between: then there is a new entity tag, and this is tried again.
    for (let attempt = 0; ; attempt++) {
      const etag = (await get(path)).headers.get('etag') ?? ''
      expect(etag).toMatch(/^"[^"]+"$/)
      const again = await get(path, { 'if-none-match': etag })
      if (again.status === 200 && attempt < 10) continue
      expect(again.status).toBe(304)
      expect(await again.text()).toBe('')
      expect(again.headers.get('etag')).toBe(etag)
      expect(again.headers.get('access-control-allow-origin')).toBe('*')
      break
    }
    expect((await get(path, { 'if-none-match': '*' })).status).toBe(304)
    expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200)
  })

  test('to HEAD has the same headers and no body', async () => {
    const response = await fetch(`${url}/health/nobody`, { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.text()).toBe('')
  })
})

type Refusal = [title: string, path: string, init: RequestInit, status: number, code: string]
const json = { 'content-type': 'application/json' }
const enroll = (body: string, headers: Record<string, string> = json): [string, RequestInit] => [
  '/v1/verifiers/enroll',
  { method: 'POST', body, headers },
]

const refusals: Refusal[] = [
  ['an id with a space', '/health/canary%20id', {}, 400, 'bad_request'],
  ['an id with a slash', '/health/canary%2Fid', {}, 400, 'bad_request'],
  ['an id with markup', '/health/%3Cscript%3Ecanary', {}, 400, 'bad_request'],
  ['an id in other letters', `/health/${encodeURIComponent('canary-ü')}`, {}, 400, 'bad_request'],
  ['an id with a zero byte', '/health/canary%00', {}, 400, 'bad_request'],
  ['an id that is no UTF-8', '/health/canary%ff', {}, 400, 'bad_request'],
  ['a broken escape', '/health/canary%zz', {}, 400, 'bad_request'],
  ['an id of 129 characters', `/health/${'c'.repeat(129)}`, {}, 400, 'bad_request'],
  ['no id', '/health/', {}, 404, 'not_found'],
  ['something below an id', '/health/canary/other', {}, 404, 'not_found'],
  ['an unknown path', '/canary', {}, 404, 'not_found'],
  ['details of an unregistered id', '/health/canary/details', {}, 404, 'not_found'],
  ['history of an unregistered id', '/health/canary/history', {}, 404, 'not_found'],
  ['another method', '/health/canary', { method: 'POST' }, 405, 'method_not_allowed'],
  ['another range', '/health/Site.1:a_b-c/history?range=canary', {}, 422, 'invalid_request'],
  ['a big body', ...enroll(JSON.stringify({ token: 'canary'.repeat(100_000) })), 413, 'payload_too_large'],
  ['a long address', `/health/canary?${'x'.repeat(9_000)}`, {}, 414, 'uri_too_long'],
  ['a form', ...enroll('token=canary', { 'content-type': 'application/x-www-form-urlencoded' }), 415, 'unsupported_media_type'],
  ['no JSON', ...enroll('{"token":"canary"'), 400, 'bad_request'],
  ['a wrong body', ...enroll('{"token":"canary"}'), 422, 'invalid_request'],
  ['metrics without the token', '/metrics', { headers: { authorization: 'Bearer canary' } }, 401, 'unauthorized'],
] // prettier-ignore

describe('refusals', () => {
  covers('health-malformed-id', 'health-other-statuses')
  test.each(refusals)('%s', async (_, path, init, status, code) => {
    covers('error-messages')
    const response = await fetch(`${url}${path}`, init)
    const text = await response.text()
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toStartWith('application/json')
    // Exactly these: [error-response-shape] [error-detail-code] [error-detail-message]
    expect(JSON.parse(text)).toEqual({ error: { code, message: expect.stringMatching(/\S/) } })
    expect(text).not.toContain('canary')
    expect(response.headers.get('x-request-id')).toBeString()
  })

  test('another method is told which ones there are', async () => {
    expect((await fetch(`${url}/health/a`, { method: 'DELETE' })).headers.get('allow')).toBe('GET, HEAD')
  })
})

test('the description is valid OpenAPI 3.0.3 of the Global Health API 1.0.0', async () => {
  covers(
    'openapi-version',
    'openapi-title',
    'openapi-api-version',
    'health-get-operation-id',
    'health-get-failure',
    'health-decision-values',
  )
  const document = await (await get('/openapi.json')).json()
  expect(await new Validator().validate(document)).toMatchObject({ valid: true })
  expect(document).toMatchObject({ openapi: '3.0.3', info: { title: 'Global Health API', version: '1.0.0' } })
  const { operationId, parameters, responses } = document.paths['/health/{serviceId}'].get
  expect(operationId).toBe('getServiceHealth')
  expect(parameters).toMatchObject([
    { name: 'serviceId', in: 'path', required: true, schema: { type: 'string' } },
  ])
  const schemaOf = (status: number) => responses[status].content['application/json'].schema.$ref
  expect(schemaOf(200)).toBe('#/components/schemas/HealthResponse')
  expect(schemaOf(500)).toBe('#/components/schemas/ErrorResponse')
  const { Decision } = document.components.schemas
  expect(Decision.enum).toEqual(['UNKNOWN', 'UP', 'DOWN', 'LATENCY'])
  const report =
    document.paths['/v1/verifiers/me/reports'].post.requestBody.content['application/json'].schema
  expect(report.required).toEqual(expect.arrayContaining(['verifierId', 'seq', 'services', 'rounds']))
})
