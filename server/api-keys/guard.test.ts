import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { Elysia } from 'elysia'
import * as z from 'zod/mini'

import { type ApiKeyInput, permissionLabels, permissions } from '../../shared/api-keys.ts'
import type { ErrorResponse } from '../../shared/faults.ts'
import { appUnderTest, ask } from '../../tests/acceptance/http-app-under-test.ts'
import { type TestDatabase, testDatabase } from '../../scripts/world/database.ts'
import { createAddressLimit } from '../platform/http/address-limit.ts'
import { openApiDocument } from '../http/openapi.ts'
import { jsonBody } from '../platform/http/request-body.ts'
import { fault } from '../platform/fault.ts'
import type { ApiKeyGuard } from './api-keys.ts'
import type { Needs } from './check.ts'
import { createGuard } from './guard.ts'
import { type HandClock, author, handClock } from '../keys/test-support/key-world.ts'
import { type KeyNode, keyInput, keyNode } from './test-support/key-nodes.ts'
import { covers } from '../../tests/support/covers.ts'

/** How another domain's routes look. */
const sampleRoutes = (guard: ApiKeyGuard) =>
  new Elysia({ name: 'samples' })
    .use(guard)
    .get('/sample/statistics', ({ apiKey }) => apiKey, {
      needs: 'statistics_read',
      query: z.strictObject({ limit: z.optional(z.coerce.number()) }),
    })
    .post('/sample/keys', ({ apiKey, body }) => ({ ...apiKey, count: body.length }), {
      needs: 'token_create',
      parse: jsonBody(),
      body: z.array(z.strictObject({ name: z.string() })),
      detail: { operationId: 'createSamples', summary: 'Makes samples' },
    })
    .get('/sample/gateway/:name', ({ apiKey, params }) => ({ ...apiKey, name: params.name }), {
      needs: 'gateway_use',
      params: z.object({ name: z.string() }),
    })
    .get('/sample/either', ({ apiKey }) => apiKey, { needs: ['statistics_read', 'token_create'] })
    .get('/sample/own', ({ apiKey }) => apiKey, { needs: 'valid_key' })
    .get('/sample/open', () => ({ open: true }))

interface Route {
  path: string
  needs: Needs
  init: RequestInit
}

const json = { 'content-type': 'application/json' }
const routes: Route[] = [
  { path: '/sample/statistics?limit=5', needs: 'statistics_read', init: {} },
  {
    path: '/sample/keys',
    needs: 'token_create',
    init: { method: 'POST', body: '[{"name":"a"}]', headers: json },
  },
  { path: '/sample/gateway/x', needs: 'gateway_use', init: {} },
  { path: '/sample/either', needs: ['statistics_read', 'token_create'], init: {} },
  { path: '/sample/own', needs: 'valid_key', init: {} },
]

const here = '198.51.100.7'
const page = 'https://app.example.com'
const anna = author('acc_anna')
const permissionSets = Array.from({ length: 2 ** permissions.length }, (_, bits) =>
  permissions.filter((_permission, place) => (bits & (1 << place)) !== 0),
)

let own: TestDatabase
let node: KeyNode
let clock: HandClock
let under: ReturnType<typeof appUnderTest>

beforeAll(async () => {
  own = await testDatabase()
  clock = handClock()
  node = await keyNode(own.database, { clock })
})

beforeEach(() => {
  const guard = createGuard(
    node.apiKeys,
    createAddressLimit(1_000, () => 0),
  )
  under = appUnderTest({ plugins: [sampleRoutes(guard)] })
})

afterAll(async () => {
  await node.apiKeys.stop()
  await own.drop()
})

const call = (
  route: Pick<Route, 'path' | 'init'>,
  value: string | null,
  headers: Record<string, string> = {},
) =>
  ask(
    under,
    route.path,
    {
      ...route.init,
      headers: {
        ...(route.init.headers as Record<string, string>),
        ...(value !== null && { authorization: `Bearer ${value}` }),
        ...headers,
      },
    },
    here,
  )

const unauthorized = {
  error: { code: 'unauthorized', message: 'A valid API key is needed, as Authorization: Bearer <API key>' },
}

type Restriction = Partial<Pick<ApiKeyInput, 'allowedIps' | 'allowedDomains'>>

async function valueOf(input: Partial<ApiKeyInput>): Promise<string> {
  const { value } = await node.apiKeys.create(anna, keyInput(input))
  return value
}

/** Each state in which a key can be but active, as the value that somebody still has. */
const states: Record<string, (input: Partial<ApiKeyInput>) => Promise<string | null>> = {
  missing: async () => null,
  malformed: async () => 'gak_nonsense',
  unknown: async (input) => {
    const { key, value } = await node.apiKeys.create(anna, keyInput(input))
    await node.apiKeys.delete(anna, key.id)
    return value
  },
  disabled: async (input) => {
    const { key, value } = await node.apiKeys.create(anna, keyInput(input))
    await node.apiKeys.setEnabled(anna, key.id, false)
    return value
  },
  expired: async (input) => {
    const value = await valueOf({ ...input, expiresAt: clock.at + 1 })
    clock.at += 1
    return value
  },
  replaced: async (input) => {
    const { key, value } = await node.apiKeys.create(anna, keyInput(input))
    await node.apiKeys.rotate(anna, key.id, 0)
    return value
  },
}

/** Each restriction, with what becomes of a call from `here` and `page`. */
const restrictions: [restriction: Restriction, refusal: string | null][] = [
  [{}, null],
  [{ allowedIps: [`${here}/28`] }, null],
  [{ allowedIps: ['203.0.113.1'] }, 'ip_not_allowed'],
  [{ allowedDomains: ['*.example.com'] }, null],
  [{ allowedDomains: ['example.com'] }, 'domain_not_allowed'],
  [{ allowedIps: ['203.0.113.1'], allowedDomains: ['example.com'] }, 'ip_not_allowed'],
]
const refusing = restrictions.filter(([, refusal]) => refusal !== null)

describe('every route with every permission set', () => {
  covers('api-key-permission-statistics-read', 'api-key-permission-token-create')
  for (const granted of permissionSets) {
    const name = granted.length === 0 ? 'none' : granted.join('+')

    test(`${name}: an active key, without and with each restriction`, async () => {
      for (const [restriction, refusal] of restrictions) {
        const value = await valueOf({ permissions: granted, ...restriction })
        for (const route of routes) {
          const isPermitted =
            route.needs === 'valid_key' || granted.some((permission) => route.needs.includes(permission))
          const code = refusal ?? (isPermitted ? null : 'permission_missing')
          const answer = await call(route, value, { origin: page })
          expect(answer.status).toBe(code === null ? 200 : 403)
          expect(JSON.parse(answer.text)).toMatchObject(
            code === null ? { accountId: 'acc_anna' } : { error: { code } },
          )
        }
      }
    })

    test(`${name}: a key in any state but enabled has the same answer as none, whatever restricts it`, async () => {
      const bodies = new Set<string>()
      for (const make of Object.values(states)) {
        for (const [restriction] of [[{}] as const, ...refusing]) {
          const value = await make({ permissions: granted, ...restriction })
          for (const route of routes) {
            const answer = await call(route, value, { origin: page })
            expect(answer.status).toBe(401)
            expect(answer.headers.get('www-authenticate')).toBe('Bearer')
            bodies.add(answer.text)
          }
        }
      }
      expect([...bodies].map((text) => JSON.parse(text) as unknown)).toEqual([unauthorized])
    })
  }
})

/** Why a key with a restriction and without permissions is refused. */
async function message(restriction: Restriction, headers: Record<string, string> = {}): Promise<string> {
  const value = await valueOf({ permissions: [], ...restriction })
  const answer = await call({ path: '/sample/statistics', init: {} }, value, headers)
  const { error } = JSON.parse(answer.text) as ErrorResponse
  return error.message
}

describe('refusals say what to change', () => {
  test('the address', async () => {
    covers('account-error-ip')
    expect(await message({ allowedIps: ['203.0.113.1'] })).toBe(
      `This key does not work from ${here}: add the address to its Allowed IPs`,
    )
  })
  test('the domain', async () => {
    covers('account-error-domain')
    expect(await message({ allowedDomains: ['a.example'] }, { origin: page })).toBe(
      `This key does not work from ${page}: add the domain to its Allowed Domains`,
    )
    expect(await message({ allowedDomains: ['a.example'] })).toInclude('names no page in its Origin header')
  })
  test('the kind of key, whether there is such a query key or not', async () => {
    for (const route of routes) {
      const answer = await call(route, 'gqk_nonsense')
      expect([answer.status, JSON.parse(answer.text)]).toMatchObject([
        401,
        { error: { code: 'unauthorized', message: expect.stringContaining('This is a query key') } },
      ])
    }
  })
  test('the permission', async () => {
    covers('account-error-permission')
    expect(await message({})).toBe(
      `This key lacks the permission ${permissionLabels.statistics_read}: tick it in the key`,
    )
  })
})

describe('nothing of a request is looked at before its key', () => {
  test.each([
    ['a body that is no JSON', '/sample/keys', { method: 'POST', body: '{', headers: json }],
    ['a body of another type', '/sample/keys', { method: 'POST', body: 'a=b' }],
    ['a huge body', '/sample/keys', { method: 'POST', body: 'x'.repeat(300_000), headers: json }],
    ['a wrong body', '/sample/keys', { method: 'POST', body: '[{"name":1}]', headers: json }],
    ['no body', '/sample/keys', { method: 'POST' }],
    ['a wrong query', '/sample/statistics?limit=x&y=1', {}],
  ])('%s', async (_title, path, init) => {
    const answer = await call({ path, init }, null)
    expect([answer.status, JSON.parse(answer.text)]).toEqual([401, unauthorized])
    const value = await valueOf({ permissions: [...permissions] })
    expect((await call({ path, init }, value)).status).toBeWithin(400, 423)
    expect((await call({ path, init }, value)).status).not.toBe(401)
  })

  test('a route without needs is open', async () => {
    expect((await call({ path: '/sample/open', init: {} }, null)).status).toBe(200)
  })
})

test('a key in the query is a 400 on every route, and no log line holds it', async () => {
  const value = await valueOf({ permissions: [...permissions] })
  const open: Route = { path: '/sample/open', needs: 'gateway_use', init: {} }
  for (const route of [...routes, open]) {
    for (const query of [`api_key=${value}`, `x=${value}`, `${value}`]) {
      const path = `${route.path}${route.path.includes('?') ? '&' : '?'}${query}`
      const answer = await call({ ...route, path }, value)
      expect(answer.status).toBe(400)
      expect(answer.text).toInclude('Authorization: Bearer')
      expect(answer.text).not.toInclude(value)
    }
  }
  expect(under.lines.length).toBeGreaterThan(0)
  expect(under.lines.join('\n')).not.toInclude(value.slice(4, 36))
})

test('a refused key is in no log line either', async () => {
  const values = await Promise.all(Object.values(states).map((make) => make({ permissions: [] })))
  for (const value of values) await call({ path: '/sample/statistics', init: {} }, value)
  expect(under.lines.join('\n')).toInclude('"why":"disabled"')
  for (const value of values) if (value !== null) expect(under.lines.join('\n')).not.toInclude(value.slice(4))
})

test('too many bad keys from one address are a 429 that says for how long; a good one works', async () => {
  covers('threat-4')
  const value = await valueOf({ permissions: ['statistics_read'] })
  const route = { path: '/sample/statistics', init: {} }
  for (let count = 0; count < 1_000; count++) expect((await call(route, 'gak_bad')).status).toBe(401)
  const answer = await call(route, 'gak_bad')
  expect(answer.status).toBe(429)
  expect(Number(answer.headers.get('retry-after'))).toBeWithin(1, 66)
  expect((await call(route, null)).status).toBe(401)
  expect((await call(route, value)).status).toBe(200)
  const elsewhere = await ask(
    under,
    route.path,
    { headers: { authorization: 'Bearer gak_bad' } },
    '203.0.113.9',
  )
  expect(elsewhere.status).toBe(401)
})

test('while look-ups ask the database, a flood does not reach it', async () => {
  let asked = 0
  const authority = {
    authorize: () => {
      asked += 1
      return Promise.resolve({ kind: 'invalid', why: 'unknown' } as const)
    },
    isAnsweringFromMemory: () => false,
  }
  under = appUnderTest({
    plugins: [
      sampleRoutes(
        createGuard(
          authority,
          createAddressLimit(1_000, () => 0),
        ),
      ),
    ],
  })
  const route = { path: '/sample/statistics', init: {} }
  for (let count = 0; count < 1_010; count++) await call(route, 'gak_bad')
  expect(asked).toBe(1_000)
})

test('when the keys cannot be asked, nobody gets in, and everybody hears why', async () => {
  const authority = {
    authorize: () =>
      Promise.reject(fault('unavailable', 'The database does not answer', { retryAfterSec: 2 })),
    isAnsweringFromMemory: () => false,
  }
  under = appUnderTest({
    plugins: [
      sampleRoutes(
        createGuard(
          authority,
          createAddressLimit(1_000, () => 0),
        ),
      ),
    ],
  })
  for (const route of routes) {
    const answer = await call(route, 'gak_any')
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
  }
})

test('the API description says which routes need a key', () => {
  const guard = createGuard(
    node.apiKeys,
    createAddressLimit(1_000, () => 0),
  )
  const document = openApiDocument(sampleRoutes(guard).routes, { title: 't', version: '1', description: 'd' })
  expect(document).toMatchObject({
    paths: { '/sample/keys': { post: { operationId: 'createSamples', security: [{ apiKey: [] }] } } },
  })
})
