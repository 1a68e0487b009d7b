import { describe, expect, test } from 'bun:test'
import { gzipSync, zstdCompressSync } from 'node:zlib'

import { Elysia } from 'elysia'
import * as z from 'zod/mini'

import { jsonBody } from '../../server/platform/http/request-body.ts'
import { faultCodes } from '../../shared/faults.ts'
import { faultStatus } from '../../server/platform/http/faults.ts'
import { appUnderTest, ask } from './http-app-under-test.ts'
import { covers } from '../support/covers.ts'

const under = appUnderTest()
const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  body,
  headers: { 'content-type': 'application/json', ...headers },
})
const errorOf = (text: string): unknown => JSON.parse(text)

test('each fault code has a status of the error range', () => {
  covers('error-codes')
  for (const code of faultCodes) expect(faultStatus[code]).toBeWithin(400, 600)
})

describe('each refusal is an ErrorResponse', () => {
  covers('error-detail-code', 'error-detail-message')
  const long = 'x'.repeat(9_000)
  const cases: [title: string, path: string, init: RequestInit, status: number, code: string, text: string][] = [
    ['unknown path', '/nothing', {}, 404, 'not_found', 'There is nothing at this address'],
    ['missing thing', '/animals/dog', {}, 404, 'not_found', 'No animal is called dog'],
    ['wrong path parameter', '/animals/DOG', {}, 400, 'bad_request', 'path parameter name: expected 1 to 20 lowercase letters'],
    ['bad percent', '/animals/%zz', {}, 400, 'bad_request', 'path parameter name: expected a text'],
    ['other method', '/animals/cat', { method: 'PUT' }, 405, 'method_not_allowed', 'This address answers to GET, HEAD only'],
    ['taken name', '/animals', post('{"name":"cat"}'), 409, 'conflict', 'There is an animal of this name'],
    ['long URL', `/animals?${long}`, {}, 414, 'uri_too_long', 'The URL must have at most 8192 characters'],
    ['form', '/animals', post('a=b', { 'content-type': 'text/plain' }), 415, 'unsupported_media_type', 'The content-type must be application/json'],
    ['no content type', '/animals', { method: 'POST' }, 415, 'unsupported_media_type', 'The content-type must be application/json'],
    ['compressed JSON', '/animals', post('{}', { 'content-encoding': 'gzip' }), 415, 'unsupported_media_type', 'The body must not be compressed'],
    ['no JSON', '/animals', post('{"name":'), 400, 'bad_request', 'The body is not valid JSON in UTF-8'],
    ['no body', '/animals', post(''), 400, 'bad_request', 'The body is not valid JSON in UTF-8'],
    ['no UTF-8', '/animals', post(new Uint8Array([0x22, 0xff, 0x22])), 400, 'bad_request', 'The body is not valid JSON in UTF-8'],
    ['deep JSON', '/animals', post('['.repeat(65)), 400, 'bad_request', 'JSON must not nest deeper than 64 levels'],
    ['wrong body', '/animals', post('{"name":"dog","legs":-1,"wings":2}'), 422, 'invalid_request', 'legs: expected a number of at least 0; body: unknown field wings'],
    ['wrong query', '/animals?limit=11', {}, 422, 'invalid_request', 'query parameter limit: expected a number of at most 10'],
    ['unknown query', '/animals?colour=1', {}, 422, 'invalid_request', 'query parameter: unknown field colour'],
    ['big body', '/animals', post('x'.repeat(10_001)), 413, 'payload_too_large', 'The body must have at most 10000 bytes'],
    ['wrong encoding', '/animals/photo', post('x', { 'content-encoding': 'compress' }), 415, 'unsupported_media_type', 'The content-encoding must be gzip, br, zstd or none'],
    ['no gzip', '/animals/photo', post('x', { 'content-encoding': 'gzip' }), 400, 'bad_request', 'The body is not valid gzip'],
    ['gzip bomb', '/animals/photo', post(gzipSync(new Uint8Array(2_000_000)), { 'content-encoding': 'gzip' }), 413, 'payload_too_large', 'The body must have at most 100000 bytes'],
    ['gzip bomb by its old name', '/animals/photo', post(gzipSync(new Uint8Array(2_000_000)), { 'content-encoding': 'x-gzip' }), 413, 'payload_too_large', 'The body must have at most 100000 bytes'],
    ['zstd bomb', '/animals/photo', post(zstdCompressSync(new Uint8Array(2_000_000)), { 'content-encoding': 'zstd' }), 413, 'payload_too_large', 'The body must have at most 100000 bytes'],
    ['limited', '/odd/busy', {}, 429, 'rate_limited', 'Slower, please'],
    ['exception', '/odd/throws', {}, 500, 'internal', 'Something went wrong on our side; the request id in x-request-id finds it in our log'],
    ['wrong answer', '/odd/wrong-answer', {}, 500, 'internal', 'The answer could not be made; the request id in x-request-id finds it in our log'],
  ] // prettier-ignore
  for (const [title, path, init, status, code, message] of cases) {
    test(`${title}: ${status} ${code}`, async () => {
      const answer = await ask(under, path, init)
      expect(errorOf(answer.text)).toEqual({ error: { code, message } })
      expect(answer.status).toBe(status)
      expect(answer.headers.get('content-type')).toStartWith('application/json')
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    })
  }

  test('405 names the methods, 429 the wait and the extra headers, 401 the scheme', async () => {
    expect((await ask(under, '/animals', { method: 'DELETE' })).headers.get('allow')).toBe('GET, HEAD, POST')
    const busy = await ask(under, '/odd/busy')
    expect(busy.headers.get('retry-after')).toBe('2')
    expect(busy.headers.get('ratelimit')).toBe('"rate";r=0;t=2')
    expect((await ask(under, '/metrics')).headers.get('www-authenticate')).toBe('Bearer')
  })
})

describe('nothing leaks', () => {
  test('an exception is logged under the request id, not sent', async () => {
    const { lines, ...rest } = appUnderTest()
    const answer = await ask(rest, '/odd/throws')
    expect(answer.text).not.toContain('canary')
    const logged = lines.map((line) => JSON.parse(line)).find(({ level }) => level === 'error')
    expect(logged).toMatchObject({
      requestId: answer.headers.get('x-request-id'),
      route: '/odd/throws',
      detail: { message: 'canary-in-exception' },
    })
  })

  test('a canary in any field, name or header comes back in no error and no log line', async () => {
    const { lines, ...rest } = appUnderTest()
    const canary = `gak_${'Zq7'.repeat(12)}`
    const bodies = [canary, [canary], { name: canary }, { name: 'dog', legs: canary }, { [canary]: 1 }]
    const answers = await Promise.all([
      ...bodies.map((body) => ask(rest, '/animals', post(JSON.stringify(body)))),
      ask(rest, '/animals', post(`{"name":"${canary}`)),
      ask(rest, `/animals/${canary}`),
      ask(rest, `/animals?limit=${canary}`),
      ask(rest, `/animals?${canary}=1`),
      ask(rest, `/${canary}`),
      ask(rest, '/metrics', { headers: { authorization: `Bearer ${canary}` } }),
    ])
    for (const { status, text } of answers) {
      expect(status).toBeWithin(400, 500)
      expect(text).not.toContain('Zq7')
    }
    expect(lines.join('')).not.toContain('Zq7')
  })

  test('names of a prototype are ordinary unknown fields', async () => {
    const answer = await ask(under, '/animals', post('{"name":"dog","__proto__":{"x":1},"constructor":1}'))
    expect(answer.status).toBe(422)
    expect(Reflect.get({}, 'x')).toBeUndefined()
  })
})

describe('what is allowed works', () => {
  test('a body with a charset, a default filled in, status 201', async () => {
    const answer = await ask(
      under,
      '/animals',
      post('{"name":"ant"}', { 'content-type': 'application/json; charset=utf-8' }),
    )
    expect(answer.status).toBe(201)
    expect(JSON.parse(answer.text)).toEqual({ name: 'ant', legs: 4 })
  })

  test('raw bodies: plain, gzip, zstd', async () => {
    const content = new Uint8Array(90_000).fill(7)
    for (const [encoding, sent] of [
      ['identity', content],
      ['gzip', gzipSync(content)],
      ['zstd', zstdCompressSync(content)],
    ] as const) {
      const answer = await ask(under, '/animals/photo', post(sent, { 'content-encoding': encoding }))
      expect(JSON.parse(answer.text)).toEqual({ sent: sent.length, content: 90_000 })
    }
  })

  test('HEAD answers like GET without a body', async () => {
    const answer = await ask(under, '/animals/cat', { method: 'HEAD' })
    expect([answer.status, answer.text]).toEqual([200, ''])
  })

  test('streams pass through', async () => {
    expect((await ask(under, '/odd/stream')).text).toBe('ab')
  })
})

describe('mistakes in route files show at start', () => {
  test('a body that is validated but read without limits', () => {
    const careless = new Elysia().post('/careless', () => 'ok', { body: z.object({}) })
    expect(() => appUnderTest({ plugins: [careless] })).toThrow(
      'POST /careless validates a body but does not read it by jsonBody()',
    )
  })

  test('a route that exists twice', () => {
    const twice = new Elysia().post('/animals', () => 'ok', { parse: jsonBody(), body: z.object({}) })
    expect(() => appUnderTest({ plugins: [twice] })).toThrow('POST /animals is defined twice')
  })
})
