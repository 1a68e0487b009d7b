import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import type { ErrorResponse } from '../../shared/faults.ts'
import type { CreatedQueryKey, QueryKeyView } from '../../shared/query-keys.ts'
import { createCanaries } from '../support/canaries.ts'
import { dumpOf } from '../support/database-dump.ts'
import { testDatabase } from '../../scripts/world/database.ts'
import type { TestDatabase } from '../../scripts/world/database.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import type { SignedInClient } from '../../scripts/world/signed-in-client.ts'
import { covers } from '../support/covers.ts'

/** `POST /account/create-api-keys` of a whole running server. The guard is tested with all routes that have one. */

const upstreams = [{ url: 'http://127.0.0.1:8545' }]
const file = {
  endpoints: [
    { name: 'testnet', chain: 'ethereum', upstreams },
    { name: 'mainnet', chain: 'ethereum', upstreams },
  ],
  queryKeyTypes: ['freeRPC', 'growthRPC'],
  queryKeyDefaults: { rateLimit: 600, rateLimitPeriod: 'minute' },
}
const path = '/account/create-api-keys'

let database: TestDatabase
let installation: TestInstallation
let server: GatehouseProcess
let owner: SignedInClient
let apiKey: string

beforeAll(async () => {
  database = await testDatabase()
  installation = await createTestInstallation(file)
  server = await startServer()
  owner = await signInAt(server.url)
  apiKey = await makeApiKey(owner)
}, 60_000)
afterAll(async () => {
  await installation?.remove()
  await database?.drop()
})

const startServer = () => installation.start({ DATABASE_URL: database.url, GATEHOUSE_LOG_LEVEL: 'debug' })

async function makeApiKey(client: SignedInClient): Promise<string> {
  const { data } = await client.mutate('apiKeys.create', { name: 'CI', permissions: ['token_create'] })
  return (data as { value: string }).value
}

const post = (body: unknown, headers: Record<string, string> = {}, value = apiKey): Promise<Response> =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${value}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

async function created(body: unknown, headers: Record<string, string> = {}): Promise<CreatedQueryKey[]> {
  const response = await post(body, headers)
  expect(response.status).toBe(201)
  return (await response.json()) as CreatedQueryKey[]
}

async function refused(response: Response): Promise<[status: number, code: string, message: string]> {
  const { error } = (await response.json()) as ErrorResponse
  return [response.status, error.code, error.message]
}

const listed = async (client = owner) => (await client.query('queryKeys.list')).data as QueryKeyView[]
const good = { name: 'a key', endpoint: 'testnet' }
const usual = {
  allowedIps: [],
  allowedDomains: [],
  allowedMethods: [],
  allowedContracts: [],
  moreEndpoints: [],
  expiresAt: null,
  enabled: true,
}

test('keys are created as asked for, in the order of the request', async () => {
  covers(
    'create-query-keys-path',
    'create-query-keys-body',
    'create-query-keys-bearer',
    'create-query-keys-permission',
    'create-query-keys-answer',
    'query-key-name',
    'query-key-type',
    'query-key-endpoint',
    'query-key-rate-limit',
    'query-key-rate-limit-period',
    'query-key-credits-limit',
    'query-key-credits-limit-period',
    'query-key-required-fields',
  )
  const response = await post([
    { name: 'plain', endpoint: 'testnet' },
    {
      name: ' full ',
      type: 'growthRPC',
      endpoint: 'mainnet',
      rateLimit: 1,
      rateLimitPeriod: 'minute',
      creditsLimit: 1_000_000_000_000,
      creditsLimitPeriod: 'hour',
    },
  ])
  expect(response.status).toBe(201)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('content-type')).toStartWith('application/json')
  const [plain, full, ...others] = (await response.json()) as CreatedQueryKey[]
  expect(others).toEqual([])
  expect(plain).toEqual({
    id: expect.stringMatching(/^qkey_[0-9a-f]{24}$/),
    key: expect.stringMatching(/^gqk_[0-9A-Za-z]{38}$/),
    name: 'plain',
    type: 'freeRPC',
    endpoint: 'testnet',
    url: `${server.url}/rpc/testnet/${plain?.key}`,
    rateLimit: 600,
    rateLimitPeriod: 'minute',
    creditsLimit: null,
    creditsLimitPeriod: null,
    ...usual,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  })
  expect(full).toMatchObject({
    name: 'full',
    type: 'growthRPC',
    endpoint: 'mainnet',
    rateLimit: 1,
    rateLimitPeriod: 'minute',
    creditsLimit: 1_000_000_000_000,
    creditsLimitPeriod: 'hour',
  })
  expect((await listed()).map(({ id }) => id)).toEqual(
    expect.arrayContaining([plain?.id ?? '', full?.id ?? '']),
  )
})

test('every period of the specification', async () => {
  covers('query-key-period-units')
  const periods = ['second', 'minute', 'hour', 'day', 'week', 'month']
  const keys = await created(
    periods.map((period) => ({ ...good, creditsLimit: 5, creditsLimitPeriod: period })),
  )
  expect(keys.map(({ creditsLimitPeriod }) => creditsLimitPeriod as string)).toEqual(periods)
})

describe('bad input creates nothing, and the message names the element and what is allowed', () => {
  const limit = 'a whole number from 1 to 1000000000000'
  const whole = 'expected rateLimit together with rateLimitPeriod, or neither of them'
  const cases: [what: string, body: unknown, message: string][] = [
    ['no keys', [], 'body: expected at least 1 entry'],
    ['too many keys', Array.from({ length: 101 }, () => good), 'body: expected at most 100 entries'],
    ['no array', good, 'body: expected an array'],
    ['null', null, 'body: expected an array'],
    ['an element that is no object', [good, 'x'], '[1]: expected an object'],
    ['an unknown field', [good, { ...good, label: 1 }], '[1]: unknown field label'],
    ['a restriction', [good, { ...good, allowedIps: ['192.0.2.x'] }], '[1].allowedIps[0]: expected'],
    ['no name', [{ endpoint: 'testnet' }], '[0].name: required, expected a text'],
    ['a blank name', [{ ...good, name: ' ' }], '[0].name: expected at least 1 character'],
    ['a long name', [{ ...good, name: 'x'.repeat(101) }], '[0].name: expected at most 100 characters'],
    ['no endpoint', [{ name: 'a' }], '[0].endpoint: required, expected a text'],
    [
      'an unknown endpoint',
      [good, good, { ...good, endpoint: 'moon' }],
      '[2].endpoint: expected one of "mainnet", "testnet"',
    ],
    ['an unknown type', [{ ...good, type: 'x' }], '[0].type: expected one of "freeRPC", "growthRPC"'],
    ['a name of every object', [{ ...good, endpoint: '__proto__' }], '[0].endpoint: expected one of'],
    ['half a limit', [good, { ...good, rateLimit: 5 }], `[1].rateLimit: ${whole}`],
    ['the other half', [{ ...good, rateLimitPeriod: 'day' }], `[0].rateLimit: required, ${whole}`],
    ['a limit of 0', [{ ...good, rateLimit: 0, rateLimitPeriod: 'day' }], `[0].rateLimit: expected ${limit}`],
    [
      'a negative limit',
      [{ ...good, creditsLimit: -5, creditsLimitPeriod: 'day' }],
      `[0].creditsLimit: expected ${limit}`,
    ],
    ['a fraction', [{ ...good, rateLimit: 1.5, rateLimitPeriod: 'day' }], `[0].rateLimit: expected ${limit}`],
    [
      'a limit as text',
      [{ ...good, rateLimit: '5', rateLimitPeriod: 'day' }],
      `[0].rateLimit: expected ${limit}`,
    ],
    [
      'a huge limit',
      [{ ...good, rateLimit: 1e12 + 1, rateLimitPeriod: 'day' }],
      `[0].rateLimit: expected ${limit}`,
    ],
    ['1e300', [{ ...good, rateLimit: 1e300, rateLimitPeriod: 'day' }], `[0].rateLimit: expected ${limit}`],
    [
      'an unknown period',
      [{ ...good, rateLimit: 5, rateLimitPeriod: 'year' }],
      '[0].rateLimitPeriod: expected one of "second", "minute"',
    ],
  ]
  test.each(cases)('%s', async (_what, body, message) => {
    covers('create-query-keys-all-or-nothing')
    const before = await listed()
    const [status, code, text] = await refused(await post(body))
    expect([status, code]).toEqual([422, 'invalid_request'])
    expect(text).toStartWith(message)
    expect(await listed()).toEqual(before)
  })

  test('no JSON, another content type, too many bytes, too deep', async () => {
    expect((await refused(await post('[{')))[0]).toBe(400)
    expect((await refused(await post([good], { 'content-type': 'text/plain' })))[0]).toBe(415)
    expect((await refused(await post([good], { 'content-encoding': 'gzip' })))[0]).toBe(415)
    expect((await refused(await post([{ ...good, name: 'x'.repeat(300_000) }])))[0]).toBe(413)
    expect((await refused(await post('['.repeat(65) + ']'.repeat(65))))[0]).toBe(400)
  })

  test('a limit that is not a number of JSON', async () => {
    const body = '[{"name":"a","endpoint":"testnet","rateLimit":1e999,"rateLimitPeriod":"day"}]'
    expect((await refused(await post(body)))[0]).toBe(422)
  })
})

const once = (key: string) => ({ 'idempotency-key': key })

describe('an Idempotency-Key', () => {
  covers('create-query-keys-idempotency')
  test('answers a repetition with the same bytes, also after a restart, and creates nothing', async () => {
    const first = await post([good, good], once('repeat'))
    const text = await first.text()
    const count = (await listed()).length
    const again = await post('[ {"endpoint":"testnet","name":"a key"}, {"name":"a key","endpoint":"testnet"} ]', once('repeat')) // prettier-ignore
    expect([again.status, await again.text()]).toEqual([201, text])
    expect(again.headers.get('cache-control')).toBe('no-store')
    await server.kill9()
    server = await startServer()
    expect(await (await post([good, good], once('repeat'))).text()).toBe(text)
    expect(await listed()).toHaveLength(count)
  })

  test('with another body is a conflict', async () => {
    await created([good], once('taken'))
    expect(await refused(await post([{ ...good, name: 'b' }], once('taken')))).toEqual([
      409,
      'conflict',
      'This Idempotency-Key was used for another request: use a new one',
    ])
  })

  test('has 1 to 255 characters, and belongs to an account', async () => {
    expect((await refused(await post([good], once('x'.repeat(256)))))[2]).toBe(
      'header idempotency-key: expected at most 255 characters',
    )
    const [mine] = await created([good], once('x'.repeat(255)))
    const stranger = await signInAt(server.url)
    const response = await post([good], once('x'.repeat(255)), await makeApiKey(stranger))
    const [theirs] = (await response.json()) as CreatedQueryKey[]
    expect(theirs?.id).not.toBe(mine?.id ?? '')
    expect((await listed(stranger)).map(({ id }) => id)).toEqual([theirs?.id ?? ''])
  })

  test('of many at once creates one, and the others are told to come again or get the same answer', async () => {
    const responses = await Promise.all(
      Array.from({ length: 12 }, () => post([{ ...good, name: 'only one' }], once('together'))),
    )
    const bodies = new Set<string>()
    for (const response of responses) {
      if (response.status === 201) bodies.add(await response.text())
      else expect([response.status, response.headers.get('retry-after')]).toEqual([409, '1'])
    }
    expect(bodies.size).toBe(1)
    expect((await listed()).filter(({ name }) => name === 'only one')).toHaveLength(1)
  })
})

test('a key of another account is not there, whatever is called with its id', async () => {
  covers('threat-38')
  const [key] = await created([good])
  const id = key?.id ?? ''
  const stranger = await signInAt(server.url)
  const before = await listed()
  const calls: [procedure: string, input: object][] = [
    ['queryKeys.update', { id, name: 'taken' }],
    ['queryKeys.setEnabled', { id, isEnabled: false }],
    ['queryKeys.rotate', { id }],
    ['queryKeys.delete', { id }],
    ['queryKeys.reveal', { id }],
  ]
  for (const [procedure, input] of calls) {
    expect([procedure, (await stranger.mutate(procedure, input)).status]).toEqual([procedure, 404])
  }
  expect(await listed(stranger)).toEqual([])
  expect(await listed()).toEqual(before)
})

test('a value is shown again to its owner by a fresh session, uncached; the log names the API key and the person', async () => {
  covers('threat-7')
  const [key] = await created([good])
  const id = key?.id ?? ''
  const shown = await owner.send('/trpc/queryKeys.reveal', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id }),
  })
  expect(shown.headers.get('cache-control')).toBe('private, no-store')
  expect(await shown.json()).toEqual({ result: { data: { value: key?.key, url: key?.url } } })
  const { events } = await server.operator.audit.list.query({ subjectId: id })
  expect(events.map(({ action, actorLabel }) => [action, actorLabel])).toEqual([
    ['query_key.reveal', expect.stringMatching(/^wallet 0x/)],
    ['query_key.create', 'API key CI'],
  ])
})

interface Described {
  example?: { error: { code: string } }
  schema: { $ref?: string; example?: unknown[] }
}

interface Operation {
  security: unknown
  parameters: unknown[]
  requestBody: { content: Record<string, Described> }
  responses: Record<string, { headers?: Record<string, unknown>; content: Record<string, Described> }>
}

test('the API description has the version, the paths, examples, errors and headers', async () => {
  covers('account-api-versioning')
  const { info, paths } = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
    info: { version: string }
    paths: Record<string, { post: Operation }>
  }
  expect(info.version).toBe('1.0.0')
  expect(Object.keys(paths)).toEqual(
    expect.arrayContaining([path, '/account/statistics/keys', '/account/statistics/methods']),
  )
  const operation = paths[path]?.post
  const answer = (status: string) => operation?.responses[status]?.content['application/json']
  expect(operation?.security).toEqual([{ apiKey: [] }])
  expect(operation?.parameters).toEqual([
    expect.objectContaining({ name: 'idempotency-key', in: 'header', required: false }),
  ])
  expect(operation?.requestBody.content['application/json']?.schema.example).toHaveLength(1)
  expect(answer('201')?.schema.example).toHaveLength(1)
  expect(operation?.responses['201']?.headers).toHaveProperty('Cache-Control')
  for (const status of ['400', '401', '403', '409', '413', '415', '422', '429', '503']) {
    expect([status, answer(status)?.schema.$ref]).toEqual([status, '#/components/schemas/ErrorResponse'])
  }
  expect(answer('409')?.example?.error.code).toBe('conflict')
  expect(operation?.responses['503']?.headers).toHaveProperty('Retry-After')
})

test('no value of a key stands in the log or in the database, in no encoding', async () => {
  covers('threat-1', 'threat-6')
  const canaries = createCanaries()
  const keys = await created(
    Array.from({ length: 20 }, () => good),
    once('with canaries'),
  )
  await post([{ ...good, name: keys[0]?.key, label: keys[1]?.key }])
  const { data } = await owner.mutate('queryKeys.rotate', { id: keys[2]?.id, overlapMs: 60_000 })
  await owner.mutate('queryKeys.reveal', { id: keys[3]?.id })
  await owner.mutate('queryKeys.delete', { id: keys[4]?.id })
  const values = [...keys.map(({ key }) => key), (data as { value: string }).value]
  for (const value of values) canaries.adopt('value of a query key', value.slice(4, 36))
  expect(server.output()).toContain('request refused')
  expect(canaries.findIn(server.output())).toEqual([])
  const { tables, content } = await dumpOf(database.url)
  expect(tables).toContain('public.query_key_answers')
  expect(canaries.findIn(content)).toEqual([])
})
