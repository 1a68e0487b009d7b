import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import type { ErrorResponse } from '../../shared/faults.ts'
import type {
  ChangedQueryKey,
  QueryKeyLimits,
  QueryKeyResource,
  QueryKeysAnswer,
  RotatedQueryKey,
} from '../../shared/query-key-resources.ts'
import type { CreatedQueryKey } from '../../shared/query-keys.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import type { SignedInClient } from '../../scripts/world/signed-in-client.ts'
import { startAnsweringNode } from '../support/answering-node.ts'

/** What programs do to query keys over REST, at a whole running server. */

const node = startAnsweringNode()
const file = {
  chains: { testnet: { family: 'evm', chainId: 31337, blockMs: 1000 } },
  endpoints: ['testnet', 'mainnet'].map((name) => ({
    name,
    chain: 'testnet',
    upstreams: [{ url: node.url }],
  })),
  queryKeyTypes: ['freeRPC', 'growthRPC'],
  queryKeyDefaults: { rateLimit: 600, rateLimitPeriod: 'minute' },
}

let installation: TestInstallation
let server: GatehouseProcess
let owner: SignedInClient
let apiKey: string

beforeAll(async () => {
  installation = await createTestInstallation(file)
  server = await installation.start()
  owner = await signInAt(server.url)
  apiKey = await makeApiKey(['token_create'])
}, 60_000)
afterAll(async () => {
  await installation?.remove()
  await node.stop()
})

async function makeApiKey(
  permissions: readonly string[],
  client = owner,
  more: object = {},
): Promise<string> {
  const { data } = await client.mutate('apiKeys.create', { name: 'CI', permissions, ...more })
  return (data as { value: string }).value
}

interface Sent {
  readonly body?: unknown
  readonly headers?: Record<string, string>
  readonly value?: string
}

const send = (method: string, path: string, { body, headers = {}, value = apiKey }: Sent = {}) =>
  fetch(`${server.url}/account/${path}`, {
    method,
    headers: { authorization: `Bearer ${value}`, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

async function answerOf<Answer>(answering: Promise<Response>, status = 200): Promise<Answer> {
  const response = await answering
  expect(response.status).toBe(status)
  expect(response.headers.get('cache-control')).toBe('no-store')
  return (await response.json()) as Answer
}

async function refusalOf(answering: Promise<Response>): Promise<[number, string, string]> {
  const response = await answering
  const { error } = (await response.json()) as ErrorResponse
  return [response.status, error.code, error.message]
}

const create = (...keys: object[]) =>
  answerOf<CreatedQueryKey[]>(
    send('POST', 'create-api-keys', {
      body: keys.map((key) => ({ name: 'k', endpoint: 'testnet', ...key })),
    }),
    201,
  )

async function createOne(key: object = {}): Promise<CreatedQueryKey> {
  const [created] = await create(key)
  if (created === undefined) throw new Error('nothing was created')
  return created
}

const get = (id: string) => answerOf<QueryKeyResource>(send('GET', `query-keys/${id}`))

const blockNumber = (url: string, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }),
  })

test('keys are created with restrictions, an expiration and no limit, and work as they say', async () => {
  const expiresAt = '2040-01-31T12:00:00.000Z'
  const created = await createOne({
    rateLimit: null,
    allowedIps: ['127.0.0.0/8'],
    allowedDomains: ['App.example.com'],
    expiresAt,
  })
  const terms = {
    allowedIps: ['127.0.0.0/8'],
    allowedDomains: ['app.example.com'],
    expiresAt,
    rateLimit: null,
  }
  expect(created).toMatchObject({ ...terms, rateLimitPeriod: null })
  const { key, url, ...shown } = created
  expect(await get(created.id)).toEqual({
    ...shown,
    state: 'enabled',
    hint: `gqk_…${key.slice(-4)}`,
    debugEndsAt: null,
    lastUsedAt: null,
    previous: null,
  })
  expect((await blockNumber(url)).status).toBe(403)
  expect((await blockNumber(url, { origin: 'https://app.example.com' })).status).toBe(200)
  const bad = { name: 'k', endpoint: 'testnet', allowedIps: ['300.1.1.1'] }
  const [status, , message] = await refusalOf(send('POST', 'create-api-keys', { body: [bad] }))
  expect([status, message]).toEqual([422, expect.stringContaining('[0].allowedIps[0]: ')])
})

describe('a list', () => {
  test('is paged, the newest first, filtered, and that of the account only', async () => {
    const other = await signInAt(server.url)
    const value = await makeApiKey(['token_create'], other)
    const keys = Array.from({ length: 7 }, (_, place) => ({
      name: place % 2 === 0 ? `Shop ${place}` : `wallet ${place}`,
      endpoint: place < 4 ? 'testnet' : 'mainnet',
    }))
    const made = await answerOf<CreatedQueryKey[]>(
      send('POST', 'create-api-keys', { body: keys, value }),
      201,
    )
    const list = (query: string) => answerOf<QueryKeysAnswer>(send('GET', `query-keys${query}`, { value }))
    const all = await list('')
    expect(all.items.map(({ id }) => id).sort()).toEqual(made.map(({ id }) => id).sort())
    expect(all.nextCursor).toBeNull()

    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: QueryKeysAnswer = await list(`?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`)
      seen.push(...page.items.map(({ id }) => id))
      cursor = page.nextCursor
    }
    expect(seen).toEqual(all.items.map(({ id }) => id))

    await send('PATCH', `query-keys/${made[0]?.id}`, { body: { enabled: false }, value })
    const namesOf = async (query: string) => (await list(query)).items.map(({ name }) => name).sort()
    expect(await namesOf('?name=SHOP')).toEqual(['Shop 0', 'Shop 2', 'Shop 4', 'Shop 6'])
    expect(await namesOf('?name=shop&endpoint=mainnet&type=freeRPC')).toEqual(['Shop 4', 'Shop 6'])
    expect(await namesOf('?enabled=false')).toEqual(['Shop 0'])
    expect(await namesOf('?name=%25')).toEqual([])
  })

  test.each([
    ['?limit=0', 'query parameter limit: expected a whole number from 1 to 1000'],
    ['?enabled=yes', 'query parameter enabled: expected one of "true", "false"'],
    ['?cursor=nonsense', 'query parameter cursor: expected nextCursor of an answer to the same question'],
    ['?colour=red', 'colour'],
  ])('refuses %s', async (query, text) => {
    const [status, code, message] = await refusalOf(send('GET', `query-keys${query}`))
    expect([status, code, message]).toEqual([422, 'invalid_request', expect.stringContaining(text)])
  })

  test('is read with either permission, and nothing is changed with Statistics Read alone', async () => {
    const { id } = await createOne()
    const reader = await makeApiKey(['statistics_read'])
    expect((await send('GET', 'query-keys', { value: reader })).status).toBe(200)
    expect((await send('GET', `query-keys/${id}/limits`, { value: reader })).status).toBe(200)
    expect((await send('DELETE', `query-keys/${id}`, { value: reader })).status).toBe(403)
    const nothing = await makeApiKey([])
    expect(await refusalOf(send('GET', 'query-keys', { value: nothing }))).toEqual([
      403,
      'permission_missing',
      'This key lacks the permission Statistics Read or Token Create: tick it in the key',
    ])
  })
})

describe('a change', () => {
  test('leaves what it does not name as it is, and is active when it returns', async () => {
    const created = await createOne({
      name: 'before',
      creditsLimit: 50,
      creditsLimitPeriod: 'day',
      allowedIps: ['127.0.0.1'],
    })
    const path = `query-keys/${created.id}`
    const change = (body: object) => answerOf<ChangedQueryKey>(send('PATCH', path, { body }))
    const before = await get(created.id)
    const renamed = await change({ name: 'after', rateLimit: 1, rateLimitPeriod: 'hour' })
    expect(renamed).toEqual({
      ...before,
      name: 'after',
      rateLimit: 1,
      rateLimitPeriod: 'hour',
      propagated: true,
    })
    expect((await blockNumber(created.url)).status).toBe(200)
    expect((await blockNumber(created.url)).status).toBe(429)

    await change({ rateLimit: null, creditsLimit: null, enabled: false })
    expect((await blockNumber(created.url)).status).toBe(401)
    expect(await change({ enabled: true })).toMatchObject({
      name: 'after',
      rateLimit: null,
      creditsLimit: null,
    })
    expect((await blockNumber(created.url)).status).toBe(200)
    await change({ allowedIps: [] })
    expect(await get(created.id)).toMatchObject({ allowedIps: [], enabled: true })
  })

  test('of a limit may name its number or its period alone', async () => {
    const limits = { rateLimit: 100, rateLimitPeriod: 'minute', creditsLimit: 50, creditsLimitPeriod: 'day' }
    const { id } = await createOne(limits)
    const changes: readonly object[] = [
      { rateLimit: 7 },
      { creditsLimitPeriod: 'hour' },
      { rateLimitPeriod: 'second', creditsLimit: 9 },
    ]
    for (const [place, body] of changes.entries()) {
      const changed = await answerOf<ChangedQueryKey>(send('PATCH', `query-keys/${id}`, { body }))
      expect(changed).toMatchObject({ ...limits, ...Object.assign({}, ...changes.slice(0, place + 1)) })
    }
    const nothing = send('PATCH', `query-keys/${id}`, { body: { rateLimit: null, rateLimitPeriod: 'hour' } })
    expect(await refusalOf(nothing)).toMatchObject([
      422,
      'invalid_request',
      expect.stringContaining('rateLimit'),
    ])
  })

  test.each([
    { rateLimit: null, creditsLimit: null },
    { rateLimit: 100, rateLimitPeriod: 'minute', creditsLimit: 50, creditsLimitPeriod: 'day' },
  ])(
    'may be all that was read, of which an edited field changes (%j), and so may a new key',
    async (limits) => {
      const { id } = await createOne(limits)
      const before = await get(id)
      const { name, type, endpoint, rateLimit, rateLimitPeriod, creditsLimit, creditsLimitPeriod } = before
      const read = { name, type, rateLimit, rateLimitPeriod, creditsLimit, creditsLimitPeriod }
      const { allowedIps, allowedDomains, allowedMethods, allowedContracts, moreEndpoints, expiresAt } =
        before
      const more = { allowedIps, allowedDomains, allowedMethods, allowedContracts, moreEndpoints, expiresAt }
      const body = { ...read, ...more }
      expect(await createOne({ ...body, endpoint })).toMatchObject(body)
      const sendBack = (edited: object) =>
        answerOf<ChangedQueryKey>(send('PATCH', `query-keys/${id}`, { body: { ...before, ...edited } }))
      expect(await sendBack({})).toEqual({ ...before, propagated: true })
      expect(await sendBack({ name: 'edited' })).toEqual({ ...before, name: 'edited', propagated: true })
      const { events } = await server.operator.audit.list.query({ subjectId: id })
      expect(events.filter(({ action }) => action === 'query_key.update')).toHaveLength(1)
    },
  )

  test.each([
    [{}, 'expected at least one of name, type'],
    [{ creditsLimit: 5, creditsLimitPeriod: null }, 'creditsLimit: expected creditsLimit together'],
    [{ creditsLimitPeriod: 'hour' }, 'creditsLimit: required, expected creditsLimit together'],
    [{ rateLimit: 5 }, 'rateLimit: expected rateLimit together with rateLimitPeriod'],
    [{ type: 'goldRPC' }, 'type: expected one of "freeRPC", "growthRPC"'],
    [{ endpoint: 'mainnet' }, 'unknown field endpoint'],
    [{ allowedDomains: ['*.com'] }, 'allowedDomains[0]: '],
    [{ expiresAt: '2001-01-01T00:00:00Z' }, 'expiresAt: expected an instant in the future'],
  ])('%j is refused, and changes nothing', async (body, text) => {
    const { id } = await createOne({ rateLimit: null, creditsLimit: null })
    const before = await get(id)
    const [status, code, message] = await refusalOf(send('PATCH', `query-keys/${id}`, { body }))
    expect([status, code, message]).toEqual([422, 'invalid_request', expect.stringContaining(text)])
    expect(await get(id)).toEqual(before)
  })

  test('stands in the audit log as the API key’s, with the request', async () => {
    const { id } = await createOne()
    const response = await send('PATCH', `query-keys/${id}`, { body: { name: 'seen' } })
    const { events } = await server.operator.audit.list.query({ subjectId: id })
    expect(events[0]).toMatchObject({
      action: 'query_key.update',
      actorLabel: 'API key CI',
      requestId: response.headers.get('x-request-id'),
    })
  })

  test('a key is rotated once, however often the request is repeated', async () => {
    const created = await createOne()
    const headers = { 'idempotency-key': 'rotate-1' }
    const rotate = (body: object) => send('POST', `query-keys/${created.id}/rotate`, { body, headers })
    const first = await answerOf<RotatedQueryKey>(rotate({ overlapSeconds: 60 }))
    const again = await answerOf<RotatedQueryKey>(rotate({ overlapSeconds: 60 }))
    expect(again).toEqual(first)
    expect(first.key).not.toBe(created.key)
    expect(first.previous?.hint).toBe(`gqk_…${created.key.slice(-4)}`)
    for (const url of [created.url, first.url]) expect((await blockNumber(url)).status).toBe(200)
    expect((await refusalOf(rotate({ overlapSeconds: 61 }))).slice(0, 2)).toEqual([409, 'conflict'])

    const second = await answerOf<RotatedQueryKey>(
      send('POST', `query-keys/${created.id}/rotate`, { body: {} }),
    )
    expect((await blockNumber(first.url)).status).toBe(401)
    expect((await blockNumber(second.url)).status).toBe(200)
  })

  test('a deleted key works no more, and is not there', async () => {
    const { id, url } = await createOne()
    expect(await answerOf<object>(send('DELETE', `query-keys/${id}`))).toEqual({ id, propagated: true })
    expect((await blockNumber(url)).status).toBe(401)
    for (const [method, path, body] of [
      ['GET', id],
      ['GET', `${id}/limits`],
      ['DELETE', id],
      ['PATCH', id, { enabled: true }],
      ['POST', `${id}/rotate`, {}],
    ] as const) {
      expect(await refusalOf(send(method, `query-keys/${path}`, { body }))).toEqual([
        404,
        'not_found',
        'There is no query key of this id',
      ])
    }
  })

  test('keys of others are not there', async () => {
    const { id } = await createOne()
    const value = await makeApiKey(['token_create'], await signInAt(server.url))
    expect((await refusalOf(send('GET', `query-keys/${id}`, { value })))[0]).toBe(404)
    expect((await refusalOf(send('DELETE', `query-keys/${id}`, { value })))[0]).toBe(404)
  })
})

test('the description of the API promises an Idempotency-Key where it is read', async () => {
  const { paths } = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { responses: Record<string, { description: string }> }>>
  }
  const described = (path: string, method: string, status: number): string | undefined =>
    paths[`/account/query-keys/${path}`]?.[method]?.responses[status]?.description
  expect(described('{id}/rotate', 'post', 409)).toContain('Idempotency-Key')
  expect(described('{id}', 'patch', 409)).toBe('The plan of the account is not declared at present')
  expect([409, 422].map((status) => described('{id}', 'delete', status))).toEqual([undefined, undefined])
  expect(described('{id}', 'delete', 503)).toContain('404 means that it was')
})

test('the use of limits is that of the moment', async () => {
  const { id, url } = await createOne({
    rateLimit: 10,
    rateLimitPeriod: 'hour',
    creditsLimit: 1_000,
    creditsLimitPeriod: 'day',
  })
  for (let calls = 0; calls < 3; calls++) await blockNumber(url)
  const use = await answerOf<QueryKeyLimits>(send('GET', `query-keys/${id}/limits`))
  expect(use).toEqual({
    keyId: id,
    rate: { limit: 10, period: 'hour', used: 3, remaining: 7 },
    credits: { limit: 1_000, period: 'day', used: expect.any(Number), remaining: expect.any(Number) },
  })
  expect((use.credits?.used ?? 0) + (use.credits?.remaining ?? 0)).toBe(1_000)
  const free = await createOne({ rateLimit: null })
  expect(await answerOf<QueryKeyLimits>(send('GET', `query-keys/${free.id}/limits`))).toEqual({
    keyId: free.id,
    rate: null,
    credits: null,
  })
})
