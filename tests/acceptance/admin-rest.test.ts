import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { clientTypesOf } from '../../scripts/client/client-types.ts'
import { type TestDatabase, testDatabase } from '../../scripts/world/database.ts'
import { type Replicas, startReplicas } from '../../scripts/world/replicas.ts'
import { type SignedInClient, signInAt } from '../../scripts/world/signed-in-client.ts'
import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import type { ErrorResponse } from '../../shared/faults.ts'

/** What a program does under `/admin`, at two processes of the real server that share a database. */

const configured = createTestWallet()
let database: TestDatabase
let replicas: Replicas
let boss: SignedInClient
let owner: SignedInClient
let apiKey: string

const file = {
  verifiers: { builtIn: false },
  chains: { testnet: { family: 'evm', chainId: 31_337, blockMs: 1_000 } },
  services: [
    {
      id: 'of-file',
      name: 'Of the file',
      chain: 'testnet',
      provider: 'acme',
      endpoint: 'http://127.0.0.1:9',
    },
  ],
  plans: [{ name: 'free', maxKeys: 3 }],
  maintenance: [{ name: 'of-file', every: { from: '02:00', to: '04:00' } }],
}

beforeAll(async () => {
  database = await testDatabase()
  replicas = await startReplicas({
    count: 2,
    file,
    databaseUrl: database.url,
    redisUrl: null,
    environment: {
      GATEHOUSE_LOG_LEVEL: 'error',
      GATEHOUSE_OPERATORS: configured.address,
      GATEHOUSE_ALLOW_PRIVATE: '127.0.0.0/8',
    },
  })
  boss = await signInAt(urlOf(0), configured)
  owner = await signInAt(urlOf(0))
  await boss.mutate('accounts.setRole', { account: owner.accountId, role: 'operator' })
  apiKey = await makeKey(['installation'])
}, 180_000)

afterAll(async () => {
  await replicas?.remove()
  await database?.drop()
}, 60_000)

const urlOf = (replica: number): string => replicas.servers[replica]?.url ?? ''

async function makeKey(permissions: readonly string[]): Promise<string> {
  const { data } = await owner.mutate('apiKeys.create', { name: 'CI', permissions })
  return (data as { value: string }).value
}

interface Sent {
  readonly body?: unknown
  readonly headers?: Record<string, string>
  readonly replica?: number
  readonly key?: string
}

const send = (method: string, path: string, { body, headers = {}, replica = 0, key = apiKey }: Sent = {}) =>
  fetch(`${urlOf(replica)}/admin/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

async function made(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  const response = await send('POST', path, { body, headers })
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`)
  return response
}

async function refusalOf(answering: Promise<Response>): Promise<[number, string, string]> {
  const response = await answering
  const { error } = (await response.json()) as ErrorResponse
  return [response.status, error.code, error.message]
}

const service = (id: string) => ({
  id,
  name: `Node ${id}`,
  chain: 'testnet',
  provider: 'acme',
  endpoint: 'http://127.0.0.1:9/secret-path',
})

const incidentOf = (page: string) => ({
  page,
  kind: 'incident',
  title: 'Slow',
  stage: 'investigating',
  text: 'We look.',
})

interface Listed {
  readonly items: readonly Record<string, unknown>[]
  readonly nextCursor: string | null
}

const list = async (path: string): Promise<Listed> => (await (await send('GET', path)).json()) as Listed

test('every route is for keys of operators with the permission, and for nobody else', async () => {
  const { paths } = (await (await fetch(`${urlOf(0)}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { readonly requestBody?: object }>>
  }
  const other = await makeKey(['statistics_read', 'token_create', 'gateway_use'])
  const routes = Object.entries(paths)
    .filter(([path]) => path.startsWith('/admin/'))
    .flatMap(([path, item]) =>
      Object.keys(item).map((method) => [method.toUpperCase(), path.slice(7)] as const),
    )
  expect(routes.length).toBeGreaterThan(25)
  for (const [method, path] of routes) {
    const named = path.replace('{id}', 'of-file')
    const sent = { ...(['POST', 'PATCH'].includes(method) && { body: {} }) }
    expect([path, (await refusalOf(send(method, named, { ...sent, key: other })))[1]]).toEqual([
      path,
      'permission_missing',
    ])
    expect([path, (await refusalOf(send(method, named, { ...sent, key: 'gak_none' })))[0]]).toEqual([
      path,
      401,
    ])
  }
  const stranger = await signInAt(urlOf(0))
  const { status, error } = await stranger.mutate('apiKeys.create', {
    name: 'x',
    permissions: ['installation'],
  })
  expect([status, JSON.stringify(error)]).toEqual([422, expect.stringContaining('only keys of operators')])
})

test('the client is made of what the server says', async () => {
  expect(await Bun.file('scripts/client/schema.d.ts').text()).toBe(await clientTypesOf(urlOf(0)))
})

describe('a version', () => {
  test('that is not the newest changes nothing, and the newest one does', async () => {
    const created = await made('services', service('versioned'))
    const first = created.headers.get('etag') ?? ''
    expect(created.headers.get('location')).toBe('/admin/services/versioned')
    const changed = await send('PATCH', 'services/versioned', {
      body: { endpoint: 'http://127.0.0.1:9/other-path' },
      headers: { 'if-match': first },
      replica: 1,
    })
    expect(changed.status).toBe(200)
    const second = changed.headers.get('etag') ?? ''
    expect(second).not.toBe(first)
    for (const replica of [0, 1]) {
      const stale = { headers: { 'if-match': first }, replica }
      const change = send('PATCH', 'services/versioned', { ...stale, body: { name: 'stale' } })
      expect((await refusalOf(change)).slice(0, 2)).toEqual([412, 'precondition_failed'])
      expect((await send('DELETE', 'services/versioned', stale)).status).toBe(412)
    }
    const shown = await send('GET', 'services/versioned', { replica: 1 })
    expect(shown.headers.get('etag')).toBe(second)
    const text = await shown.text()
    expect(text).not.toContain('path')
    expect(JSON.parse(text)).toMatchObject({ name: 'Node versioned', endpointOrigin: 'http://127.0.0.1:9' })
    expect((await send('DELETE', 'services/versioned', { headers: { 'if-match': second } })).status).toBe(204)
    expect((await send('GET', 'services/versioned', { replica: 1 })).status).toBe(404)
  })

  test('is one under each name of an account', async () => {
    const { headers } = await send('GET', `accounts/${configured.address}`)
    const change = { body: { plan: null }, headers: { 'if-match': headers.get('etag') ?? '' } }
    expect((await send('PATCH', `accounts/${boss.accountId}`, change)).status).toBe(200)
  })
})

describe('an Idempotency-Key', () => {
  test('makes one thing of requests to both processes at once', async () => {
    const headers = { 'idempotency-key': 'once' }
    const { id: _, ...unnamed } = service('')
    const body = { ...unnamed, name: 'Made once' }
    const answers = await Promise.all(
      [0, 1, 0, 1].map((replica) => send('POST', 'services', { body, headers, replica })),
    )
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    const bodies = new Set(await Promise.all(answers.map((answer) => answer.text())))
    expect(bodies.size).toBe(1)
    expect(new Set(answers.map((answer) => answer.headers.get('etag'))).size).toBe(1)
    expect((await list('services?limit=100')).items.filter(({ name }) => name === body.name)).toHaveLength(1)
    const another = { body: { ...body, name: 'another' }, headers, replica: 1 }
    expect((await refusalOf(send('POST', 'services', another)))[1]).toBe('conflict')
  })

  test('keeps the secret that is shown once, and nothing of a refusal', async () => {
    const channel = { name: 'kept', type: 'webhook', url: 'http://127.0.0.1:9/hook' }
    const headers = { 'idempotency-key': 'secret' }
    const unknown = { ...channel, colour: 'red' }
    expect((await refusalOf(send('POST', 'channels', { body: unknown, headers })))[0]).toBe(422)
    const first = (await (await made('channels', channel, headers)).json()) as { secret: string }
    expect(first.secret).toStartWith('whsec_')
    expect(await (await made('channels', channel, headers)).json()).toEqual(first)
    expect((await list('channels')).items[0]).not.toHaveProperty('secret')
  })

  test('sends a password that nobody can read to no other address', async () => {
    const url = 'http://127.0.0.1:9'
    await made('channels', { name: 'moved', type: 'alertmanager', url, user: 'u', password: 'p' })
    const body = { type: 'alertmanager', url: 'http://127.0.0.1:10' }
    const refused = await refusalOf(send('PATCH', 'channels/moved', { body }))
    expect(refused).toEqual([422, 'invalid_request', expect.stringContaining('password: give it again')])
  })
})

type RefusedCase = [method: string, path: string, body: object | undefined, status: number, text: string]

const casesOfPlans: RefusedCase[] = [
  ['POST', 'plans', { name: 'free' }, 409, 'a plan of this name already'],
  ['POST', 'plans', { name: 'new', keyMost: {} }, 422, 'keyMost: expected rate, credits or both'],
  ['POST', 'plans', { name: 'pl\u202Ean' }, 422, 'name: expected a name of lower-case letters'],
  ['PATCH', 'plans/free', { maxKeys: 4 }, 409, "in the installation's file"],
  ['DELETE', 'plans/free', undefined, 409, "in the installation's file"],
  ['DELETE', 'plans/none', undefined, 404, 'no plan'],
  ['POST', 'statements', {}, 405, 'made of what was counted'],
  ['GET', 'statements?month=2026-13', undefined, 422, 'month'],
  ['GET', 'statements?cursor=a%20b', undefined, 422, 'cursor: expected nextCursor'],
  ['GET', 'statements/2026-01:acc_none', undefined, 404, 'No account'],
]

const casesOfChains: RefusedCase[] = [
  ['POST', 'chains', { key: 'ethereum', name: 'E', family: 'evm' }, 409, 'built in'],
  ['POST', 'chains', { key: 'testnet', name: 'T', family: 'evm' }, 409, 'of this key already'],
  ['POST', 'chains', { key: 'x', name: 'X', family: 'evm', chainId: 'one' }, 422, 'chainId: a chain id of'],
  ['POST', 'chains', { key: 'x', name: 'X' }, 422, 'family: '],
  ['PATCH', 'chains/ethereum', { blockMs: 1_000 }, 409, 'built in'],
  ['DELETE', 'chains/testnet', undefined, 404, 'No operator has added'],
  ['DELETE', 'chains/nowhere', undefined, 404, 'no chain of this key'],
]

const casesOfAddresses: RefusedCase[] = [
  ['POST', 'allowed-addresses', { address: '169.254.169.254' }, 422, 'address: '],
  ['POST', 'allowed-addresses', { address: '127.0.0.1' }, 409, 'GATEHOUSE_ALLOW_PRIVATE allows it already'],
  ['PATCH', 'allowed-addresses/10.0.0.5', {}, 405, 'allow another one'],
  ['DELETE', 'allowed-addresses/10.0.0.5', undefined, 404, 'No operator allowed'],
]

describe('what is refused', () => {
  test('is told by its field or its reason, and nothing happens', async () => {
    const hidden = { ...service('hidden'), name: 'Node\u202Egnp' }
    expect(await refusalOf(send('POST', 'services', { body: hidden }))).toEqual([
      422,
      'invalid_request',
      'name: expected text without control, invisible or direction-changing characters',
    ])
    const cases: RefusedCase[] = [
      ['PATCH', 'services/of-file', { name: 'x' }, 409, 'managed by the file'],
      ['DELETE', 'services/of-file', undefined, 409, 'managed by the file'],
      ['PATCH', 'services/nobody', { name: 'x' }, 404, 'no service'],
      ['PATCH', 'services/of-file', {}, 422, 'at least one field'],
      ...casesOfPlans,
      ...casesOfChains,
      ...casesOfAddresses,
      ['POST', 'audit', {}, 405, 'written by what is done'],
      ['PATCH', 'maintenance/of-file', { reason: 'x' }, 409, "in the installation's file"],
      ['POST', 'maintenance', { name: 'never' }, 422, 'expected either once or every'],
      ['POST', 'silences', { until: 1 }, 422, 'until: expected an instant in the future'],
      ['PATCH', 'silences/none', { until: 1 }, 405, 'make another one'],
      ['POST', 'incidents', incidentOf('nowhere'), 404, 'no such status page'],
      ['POST', 'invitations', { for: 'Ada' }, 422, 'for: expected a wallet address'],
      ['PATCH', 'invitations/none', {}, 405, 'make another one'],
      ['POST', 'verifiers', {}, 405, 'POST /admin/verifier-tokens'],
      ['DELETE', 'verifiers/none', undefined, 404, 'no verifier'],
      ['POST', 'registry', { source: 'x', content: 'AAAA' }, 422, 'The registry: '],
      [
        'POST',
        'connections',
        { serviceId: 'mcpservers:none', secret: 'hush-hush' },
        404,
        'no such tool server',
      ],
      ['POST', 'connections', { serviceId: 'mcpservers:none' }, 422, 'expected a token or key, or none'],
      ['DELETE', 'audit/1', undefined, 405, 'written by what is done'],
      ['PATCH', `accounts/${owner.accountId}`, { state: 'disabled' }, 409, 'of the API key itself'],
      [
        'PATCH',
        `accounts/${boss.accountId}`,
        { plan: 'free', role: 'account' },
        422,
        'expected one of state, plan, role',
      ],
      ['DELETE', `accounts/${owner.accountId}`, undefined, 409, 'of the API key itself'],
      ['PATCH', `accounts/${boss.accountId}`, { plan: 'gold' }, 422, 'expected one of "free"'],
      ['GET', 'services?limit=101', undefined, 422, 'from 1 to 100'],
      ['GET', 'audit?cursor=x', undefined, 422, 'cursor'],
      ['PUT', 'plans/free', {}, 405, 'answers to'],
    ]
    for (const [method, path, body, status, text] of cases) {
      const [found, , message] = await refusalOf(send(method, path, { ...(body && { body }) }))
      expect([method, path, found, message]).toEqual([method, path, status, expect.stringContaining(text)])
    }
    const loose = { body: { name: 'x' }, headers: { 'if-match': 'abc' } }
    expect((await refusalOf(send('PATCH', 'services/of-file', loose)))[2]).toContain('if-match')
  })
})

test('a private address is allowed at one process, listed at the other, and revoked', async () => {
  const { headers } = await made('allowed-addresses', { address: 'http://[fd00:1::5]:8545' })
  expect(headers.get('location')).toBe('/admin/allowed-addresses/fd00%3A1%3A%3A5')
  const listed = await (await send('GET', 'allowed-addresses', { replica: 1 })).json()
  expect(listed).toMatchObject({ items: [{ address: 'fd00:1::5', name: null }] })
  expect((await send('DELETE', 'allowed-addresses/fd00%3A1%3A%3A5', { replica: 1 })).status).toBe(204)
  expect((await list('allowed-addresses')).items).toEqual([])
})

test('a plan that was made by REST holds at both processes, lowered too, and stays while accounts have it', async () => {
  const endpoint = 'of-plan'
  await made('endpoints', { name: endpoint, chain: 'testnet', upstreams: [{ url: 'http://127.0.0.1:9' }] })
  await made('plans', { name: 'small', maxKeys: 2, totalMost: { rate: '1000/hour' } })
  const member = await signInAt(urlOf(1))
  const account = `accounts/${member.accountId}`
  expect((await send('PATCH', account, { body: { plan: 'small' }, replica: 1 })).status).toBe(200)
  const makeOne = async (name: string) => {
    const { status, error } = await member.mutate('queryKeys.create', { name, endpoint })
    return [status, error === undefined ? '' : JSON.stringify(error)]
  }
  expect([(await makeOne('a'))[0], (await makeOne('b'))[0]]).toEqual([200, 200])
  expect(await makeOne('c')).toEqual([409, expect.stringContaining('allows 2 query keys')])
  expect(await (await send('GET', account)).json()).toMatchObject({ plan: 'small', queryKeys: 2, calls: 0 })

  const { headers } = await send('GET', 'plans/small', { replica: 1 })
  const lower = { maxKeys: 1, keyMost: { rate: '10/minute' }, totalMost: null }
  const version = { 'if-match': headers.get('etag') ?? '' }
  const lowered = await send('PATCH', 'plans/small', { body: lower, headers: version })
  expect(await lowered.json()).toEqual({
    name: 'small',
    maxKeys: 1,
    keyMost: { rate: '10/minute' },
    managedBy: 'operator',
    accounts: 1,
    isForSignUp: false,
  })
  const stale = { body: { maxKeys: 9 }, headers: version, replica: 1 }
  expect((await refusalOf(send('PATCH', 'plans/small', stale)))[0]).toBe(412)
  expect((await member.query('plans.own')).data).toMatchObject({ plan: { maxKeys: 1 }, queryKeys: 2 })
  expect(await makeOne('c')).toEqual([409, expect.stringContaining('allows 1 query key,')])

  expect(await refusalOf(send('DELETE', 'plans/small', { replica: 1 }))).toEqual([
    409,
    'conflict',
    'The plan small is that of accounts (1): give them another one first',
  ])
  await send('PATCH', account, { body: { plan: null } })
  expect((await send('DELETE', 'plans/small')).status).toBe(204)
  expect((await send('GET', 'plans/small', { replica: 1 })).status).toBe(404)
  const { items } = await list('audit?subjectKind=plan&subjectId=small')
  expect(items.map(({ action }) => action)).toEqual(['plan.delete', 'plan.update', 'plan.create'])
})

test('the audit log names the key, in pages that hold each entry once', async () => {
  await made('alerts', { name: 'Down', when: { decision: ['DOWN'] } })
  const { items } = await list('audit?action=alert_rule.create&limit=1')
  expect(items[0]).toMatchObject({ actorLabel: 'API key CI', subjectId: 'Down', subjectKind: 'alert_rule' })
  const one = await send('GET', `audit/${String(items[0]?.['seq'])}`)
  expect(await one.json()).toEqual(items[0])
  const seen: unknown[] = []
  for (let path: string | null = 'audit?limit=3'; path !== null;) {
    const page: Listed = await list(path)
    seen.push(...page.items.map(({ seq }) => seq))
    path = page.nextCursor === null ? null : `audit?limit=3&cursor=${page.nextCursor}`
  }
  expect(seen).toEqual(Array.from({ length: seen.length }, (_, index) => seen.length - index))
})

const plansAtEach = async (): Promise<number[]> =>
  Promise.all([0, 1].map(async (replica) => (await send('GET', 'plans', { replica })).status))

test('a key of somebody who is no operator any more is refused by every process', async () => {
  expect(await plansAtEach()).toEqual([200, 200])
  await boss.mutate('accounts.setRole', { account: owner.accountId, role: 'account' })
  expect(await plansAtEach()).toEqual([403, 403])
  const { status } = await owner.mutate('apiKeys.create', { name: 'again', permissions: ['installation'] })
  expect(status).toBe(422)
  await boss.mutate('accounts.setRole', { account: owner.accountId, role: 'operator' })
  expect(await plansAtEach()).toEqual([200, 200])
})
