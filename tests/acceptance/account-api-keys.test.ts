import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'

import type { ApiKeyInput, Permission } from '../../shared/api-keys.ts'
import { permissionsFor } from '../../shared/api-keys.ts'
import type { ErrorResponse } from '../../shared/faults.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import type { SignedInClient } from '../../scripts/world/signed-in-client.ts'
import { covers } from '../support/covers.ts'

/**
 * Every route that takes an API key, of a whole running server, with every kind of key. A route that is added and not
 * entered here makes the first test fail.
 */
const creators = ['token_create'] as const
/** What only keys of operators may have is looked at in `admin-rest.test.ts`, with its routes. */
const permissions = permissionsFor(false, [])
const readers = ['statistics_read', 'token_create'] as const
/** There is no such key: whoever may ask is told so. */
const oneKey = '/account/query-keys/{id}'
const routes: readonly {
  method: string
  path: string
  /** One of them; null: any key. */
  needs: readonly Permission[] | null
  body?: unknown
  succeedsWith: number
}[] = [
  { method: 'GET', path: '/account/api-key', needs: null, succeedsWith: 200 },
  {
    method: 'POST',
    path: '/account/create-api-keys',
    needs: creators,
    body: [{ name: 'a key', endpoint: 'testnet' }],
    succeedsWith: 201,
  },
  { method: 'GET', path: '/account/query-keys', needs: readers, succeedsWith: 200 },
  { method: 'GET', path: oneKey, needs: readers, succeedsWith: 404 },
  { method: 'PATCH', path: oneKey, needs: creators, body: { name: 'b' }, succeedsWith: 404 },
  { method: 'DELETE', path: oneKey, needs: creators, succeedsWith: 404 },
  { method: 'GET', path: `${oneKey}/limits`, needs: readers, succeedsWith: 404 },
  { method: 'POST', path: `${oneKey}/rotate`, needs: creators, body: {}, succeedsWith: 404 },
  { method: 'GET', path: '/account/statistics/keys', needs: ['statistics_read'], succeedsWith: 200 },
  { method: 'GET', path: '/account/statistics/methods', needs: ['statistics_read'], succeedsWith: 200 },
  { method: 'GET', path: '/account/statistics/key-methods', needs: ['statistics_read'], succeedsWith: 200 },
  { method: 'GET', path: '/account/statistics/classes', needs: ['statistics_read'], succeedsWith: 200 },
  { method: 'GET', path: '/account/statistics/upstreams', needs: ['statistics_read'], succeedsWith: 200 },
  { method: 'GET', path: '/account/statistics/tools', needs: ['statistics_read'], succeedsWith: 200 },
  { method: 'GET', path: '/account/statistics/tool-outcomes', needs: ['statistics_read'], succeedsWith: 200 },
]

const file = {
  endpoints: [{ name: 'testnet', chain: 'ethereum', upstreams: [{ url: 'http://127.0.0.1:8545' }] }],
}

/** One account makes the keys of all tests, faster than a person would; the limit itself is tested elsewhere. */
const manyChanges = { GATEHOUSE_MUTATIONS_PER_MINUTE: '1000' }
const page = 'https://app.example.com'
let installation: TestInstallation
let server: GatehouseProcess
let owner: SignedInClient

beforeAll(async () => {
  installation = await createTestInstallation(file)
  server = await installation.start({ GATEHOUSE_LOG_LEVEL: 'debug', ...manyChanges })
  owner = await signInAt(server.url)
}, 60_000)
afterAll(() => installation?.remove())

interface Made {
  id: string
  value: string
}

async function make(input: Partial<ApiKeyInput>): Promise<Made> {
  const made = await owner.mutate('apiKeys.create', { name: 'a key', ...input })
  expect(made.status).toBe(200)
  const { key, value } = made.data as { key: { id: string }; value: string }
  return { id: key.id, value }
}

const change = async (procedure: string, input: object): Promise<unknown> => {
  const { status, data } = await owner.mutate(`apiKeys.${procedure}`, input)
  expect(status).toBe(200)
  return data
}

interface Answer {
  status: number
  text: string
  code: string | null
}

async function ask(
  { method, path, body }: Pick<(typeof routes)[number], 'method' | 'path' | 'body'>,
  headers: Record<string, string>,
): Promise<Answer> {
  const response = await fetch(`${server.url}${path.replace('{id}', 'qkey_none')}`, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const code = response.ok ? null : (JSON.parse(text) as ErrorResponse).error.code
  return { status: response.status, text, code }
}

const bearer = (value: string) => ({ authorization: `Bearer ${value}` })

const own = { method: 'GET', path: '/account/api-key' }

const isForOperators = ({ name }: { name: string }): boolean => name.includes(' /admin/')

test('the API description names every route that takes a key, and no other is below /account', async () => {
  covers('account-api-bearer', 'api-key-programmatic-endpoints')
  const { paths } = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { security?: unknown }>>
  }
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { security }]) => ({
      name: `${method.toUpperCase()} ${path}`,
      isGuarded: security !== undefined,
    })),
  )
  const listed = routes.map(({ method, path }) => `${method} ${path}`)
  const guarded = operations.filter(({ isGuarded }) => isGuarded)
  expect(guarded.filter((one) => !isForOperators(one)).map(({ name }) => name)).toEqual(listed)
  expect(operations.filter(isForOperators)).toEqual(guarded.filter(isForOperators))
  expect(operations.filter(({ name }) => name.includes(' /account')).map(({ name }) => name)).toEqual(listed)
})

const permissionSets = Array.from({ length: 2 ** permissions.length }, (_, bits) =>
  permissions.filter((_permission, place) => (bits & (1 << place)) !== 0),
)

const restrictions: [restriction: Partial<ApiKeyInput>, refusal: string | null][] = [
  [{}, null],
  [{ allowedIps: ['127.0.0.0/8'] }, null],
  [{ allowedIps: ['203.0.113.1'] }, 'ip_not_allowed'],
  [{ allowedDomains: ['*.example.com'] }, null],
  [{ allowedDomains: ['example.com'] }, 'domain_not_allowed'],
  [{ allowedIps: ['203.0.113.1'], allowedDomains: ['example.com'] }, 'ip_not_allowed'],
]

describe('every route', () => {
  covers('threat-8')
  test.each(permissionSets.map((granted) => [granted]))(
    'with the permissions %j and each restriction',
    async (granted) => {
      covers('api-key-ip-restriction', 'api-key-domain-restriction', 'account-error-permission')
      for (const [restriction, refusal] of restrictions) {
        const { value } = await make({ permissions: granted, ...restriction })
        for (const route of routes) {
          const isPermitted = route.needs?.some((permission) => granted.includes(permission)) ?? true
          const answer = await ask(route, { ...bearer(value), origin: page })
          const isReached = refusal === null && isPermitted
          expect(answer.status).toBe(isReached ? route.succeedsWith : 403)
          if (!isReached) expect(answer.code).toBe(refusal ?? 'permission_missing')
        }
      }
    },
  )

  test('answers with one body to no key and to every key that is none', async () => {
    covers(
      'account-error-unauthorized',
      'account-error-body',
      'api-key-expired-refused',
      'api-key-disabled-refused',
      'api-key-expire',
      'threat-4',
    )
    const all = { permissions: [...permissions] }
    const deleted = await make(all)
    await change('delete', { id: deleted.id })
    const disabled = await make({ ...all, allowedIps: ['203.0.113.1'] })
    await change('setEnabled', { id: disabled.id, isEnabled: false })
    const rotated = await make(all)
    await change('rotate', { id: rotated.id })
    const expiring = await make({ ...all, expiresAt: Date.now() + 300 })
    await waitUntil('it expires', async () => (await ask(own, bearer(expiring.value))).status === 401)
    const shown = {
      nothing: {},
      'another scheme': { authorization: `Basic ${rotated.value}` },
      nonsense: bearer('nonsense'),
      'a typo': bearer(disabled.value.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))),
      deleted: bearer(deleted.value),
      disabled: bearer(disabled.value),
      expired: bearer(expiring.value),
      replaced: bearer(rotated.value),
    }
    const bodies = new Set<string>()
    for (const headers of Object.values<Record<string, string>>(shown)) {
      for (const route of routes) {
        const { status, text } = await ask(route, headers)
        expect(status).toBe(401)
        bodies.add(text)
      }
    }
    expect([...bodies]).toEqual([
      '{"error":{"code":"unauthorized","message":"A valid API key is needed, as Authorization: Bearer <API key>"}}',
    ])
  })
})

test('a key can be asked what it may do, and never tells its value', async () => {
  covers('api-key-wire-names')
  const input = {
    permissions: ['gateway_use' as const],
    allowedIps: ['127.0.0.1'],
    expiresAt: Date.UTC(2090, 0, 1),
  }
  const { id, value } = await make({ name: 'Deployment', ...input })
  const response = await fetch(`${server.url}/account/api-key`, { headers: bearer(value) })
  expect(response.headers.get('cache-control')).toBe('private, no-store')
  expect(await response.json()).toEqual({
    id,
    name: 'Deployment',
    permissions: ['gateway_use'],
    allowedIps: ['127.0.0.1'],
    allowedDomains: [],
    enabled: true,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    expiresAt: '2090-01-01T00:00:00.000Z',
  })
})

test('Allowed IPs go by the peer, whatever the request says of itself', async () => {
  covers('account-error-ip', 'threat-9')
  const { value } = await make({ allowedIps: ['203.0.113.9'] })
  const spoofed = ['203.0.113.9', '203.0.113.9, 127.0.0.1', '127.0.0.1, 203.0.113.9']
  for (const forwarded of spoofed) {
    const headers = { ...bearer(value), 'x-forwarded-for': forwarded, 'x-real-ip': '203.0.113.9' }
    expect((await ask(own, headers)).code).toBe('ip_not_allowed')
  }
})

test('Allowed Domains are no suffixes, and nothing rescues a page without an origin', async () => {
  covers('api-key-domain-matching', 'threat-10')
  const { value } = await make({ allowedDomains: ['*.example.com', 'https://example.org'] })
  const codeFrom = async (origin: string | null, referer?: string) =>
    (await ask(own, { ...bearer(value), ...(origin !== null && { origin }), ...(referer && { referer }) }))
      .code
  for (const good of ['https://a.example.com', 'http://a.b.EXAMPLE.com:8080', 'https://example.org']) {
    expect([good, await codeFrom(good)]).toEqual([good, null])
  }
  expect(await codeFrom(null, 'https://a.example.com/page')).toBeNull()
  for (const evil of [
    'https://example.com',
    'https://evil-example.com',
    'https://a.example.com.evil.net',
    'https://a.example.com@evil.net',
    'http://example.org',
    'null',
    'file://a.example.com',
  ]) {
    expect([evil, await codeFrom(evil, 'https://a.example.com/')]).toEqual([evil, 'domain_not_allowed'])
  }
})

test('a key in the address of any route is a 400, and no log holds it', async () => {
  covers('threat-6')
  const { value } = await make({ permissions: [...permissions] })
  const paths = ['/account/api-key', '/health/my-service', '/healthz', '/', '/nothing', '/trpc/accounts.me', '/auth/callback/github'] // prettier-ignore
  for (const path of paths) {
    for (const query of [`api_key=${value}`, `x=Bearer%20${value}`, value, 'access_token=anything']) {
      const { status, text } = await ask({ method: 'GET', path: `${path}?${query}` }, bearer(value))
      expect([path, status]).toEqual([path, 400])
      expect(text).not.toContain(value)
    }
  }
  expect(server.output()).toContain('request refused')
  expect(server.output()).not.toContain(value.slice(4, 30))
})

test('a value is shown again to its owner only, by a fresh session, uncached, and on record', async () => {
  covers('threat-7')
  const { id, value } = await make({})
  const shown = await owner.send('/trpc/apiKeys.reveal', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id }),
  })
  expect(shown.headers.get('cache-control')).toBe('private, no-store')
  expect(await shown.json()).toEqual({ result: { data: { value } } })
  const stranger = await signInAt(server.url)
  expect((await stranger.mutate('apiKeys.reveal', { id })).status).toBe(404)
  const { events } = await server.operator.audit.list.query({ subjectId: id })
  expect(events.map(({ action, actor }) => [action, actor])).toEqual([
    ['api_key.reveal', owner.accountId],
    ['api_key.create', owner.accountId],
  ])
})

test('what belongs to somebody else is not there, whatever is called with its id', async () => {
  covers('threat-38')
  const { id } = await make({ name: 'untouched' })
  const stranger = await signInAt(server.url)
  const before = await owner.query('apiKeys.list')
  const calls: [procedure: string, input: object][] = [
    ['apiKeys.update', { id, name: 'taken' }],
    ['apiKeys.setEnabled', { id, isEnabled: false }],
    ['apiKeys.rotate', { id }],
    ['apiKeys.delete', { id }],
    ['apiKeys.reveal', { id }],
  ]
  for (const [procedure, input] of calls) {
    expect([procedure, (await stranger.mutate(procedure, input)).status]).toEqual([procedure, 404])
  }
  expect((await stranger.query('apiKeys.list')).data).toEqual([])
  expect(await owner.query('apiKeys.list')).toEqual(before)
})

test('a restart under another master key, behind a proxy: keys work, are shown again, and are held to the forwarded address', async () => {
  const { id, value } = await make({ allowedIps: ['203.0.113.9'] })
  const old = (await Bun.file(join(installation.dataDir, 'private', 'master-key')).text()).trim()
  expect(await server.stop()).toBe(0)
  const fresh = randomBytes(32).toString('base64')
  server = await installation.start({
    GATEHOUSE_MASTER_KEY: `${fresh},${old}`,
    GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1/32',
    ...manyChanges,
  })
  const codeFor = async (forwarded: string) =>
    (await ask(own, { ...bearer(value), 'x-forwarded-for': forwarded })).code
  expect(await codeFor('203.0.113.9')).toBeNull()
  expect(await codeFor('198.51.100.1, 203.0.113.9')).toBeNull()
  for (const bad of ['203.0.113.9, 198.51.100.1', 'unknown', '203.0.113.9, ', '203.0.113.09']) {
    expect([bad, await codeFor(bad)]).toEqual([bad, 'ip_not_allowed'])
  }
  expect(await change('reveal', { id })).toEqual({ value })
  await waitUntil('the old master key is not needed any more', () => server.output().includes('sealed anew'))
  expect(await server.stop()).toBe(0)
  server = await installation.start({ GATEHOUSE_MASTER_KEY: fresh, ...manyChanges })
  expect(await change('reveal', { id })).toEqual({ value })
})
