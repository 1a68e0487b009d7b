import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { gatehouseClient } from '../../scripts/client/client.ts'
import { writeRegistry } from '../../scripts/world/registry-folder.ts'
import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import type { ListedAccount } from '../../shared/accounts.ts'
import type { AuditPage } from '../../shared/audit.ts'
import { commandLineOf } from '../support/command-line.ts'
import type { CommandLine } from '../support/command-line.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { type SignedInClient, signInAt } from '../../scripts/world/signed-in-client.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import type { PlanUse } from '../../shared/plans.ts'

/**
 * What a stranger's account may do at a whole running server: nothing until it is approved, and then up to a cap. And what an
 * operator does in a day, done by a script.
 */

const operator = createTestWallet()
const upstreams = [{ url: 'http://127.0.0.1:8545' }]
const file = {
  verifiers: { builtIn: false },
  endpoints: [{ name: 'testnet', chain: 'ethereum', upstreams }],
  queryKeyTypes: ['freeRPC'],
  plans: [{ name: 'free', maxKeys: 3 }],
}

let installation: TestInstallation
let server: GatehouseProcess
let commands: CommandLine
let keyOfScript: string

beforeAll(async () => {
  installation = await createTestInstallation(file)
  server = await installation.start({
    GATEHOUSE_SIGN_UP: 'approval',
    GATEHOUSE_OPERATORS: operator.address,
    GATEHOUSE_QUERY_KEYS_PER_ACCOUNT: '3',
    GATEHOUSE_API_KEYS_PER_ACCOUNT: '1',
    GATEHOUSE_ALLOW_PRIVATE: '127.0.0.0/8',
  })
  commands = commandLineOf(installation.dataDir)
}, 60_000)
afterAll(() => installation?.remove())

/** What the audit log has of the script, in order. */
const wholeDay = `
  account.approve account.plan account.invite account.invitation_cancel account.delete
  service.add service.update endpoint.create endpoint.update verifier.token verifier.token_cancel
  channel.create alert_rule.create alert_rule.update silence.create maintenance.create maintenance.update
  status_page.create status_incident.start status_incident.update
  registry.import connection.create connection.update connection.update connection.update connection.delete
  status_incident.delete status_page.delete maintenance.delete silence.end alert_rule.delete channel.delete
  endpoint.remove service.remove
`
  .trim()
  .split(/\s+/)

test('a stranger waits, is approved at the command line, and has as many keys as the cap says', async () => {
  const stranger = await signInAt(server.url)
  const apiKey = { name: 'CI', permissions: ['token_create'] }
  const queryKey = { name: 'a key', endpoint: 'testnet' }
  expect(await stranger.mutate('apiKeys.create', apiKey)).toMatchObject({ status: 403 })
  expect(await stranger.mutate('queryKeys.create', queryKey)).toMatchObject({
    status: 403,
    error: { data: { fault: 'account_not_approved' } },
  })
  expect((await commands.run(['accounts', 'list'])).stdout).toContain('waits for approval')

  const { stdout } = await commands.run(['accounts', 'approve', stranger.wallet.address])
  expect(stdout).toBe(`${stranger.accountId} is approved.\n`)
  const [listed] = await commands.answerOf<ListedAccount[]>('accounts', 'list')
  expect(listed).toMatchObject({ id: stranger.accountId, state: 'active' })
  const audit = await commands.answerOf<AuditPage>('audit', 'list', '--action', 'account.approve')
  expect(audit.events).toMatchObject([{ actor: 'cli', subjectId: stranger.accountId }])

  const made = await stranger.mutate('apiKeys.create', apiKey)
  expect(made.status).toBe(200)
  expect((await stranger.mutate('apiKeys.create', apiKey)).status).toBe(409)
  const { value } = made.data as { value: string }
  const create = (count: number) =>
    fetch(`${server.url}/account/create-api-keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${value}`, 'content-type': 'application/json' },
      body: JSON.stringify(Array.from({ length: count }, () => queryKey)),
    })
  const tooMany = await create(4)
  expect([tooMany.status, await tooMany.text()]).toEqual([
    409,
    expect.stringContaining('An account has at most 3 query keys'),
  ])
  const answers = await Promise.all(Array.from({ length: 5 }, () => create(2)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409])
  expect((await create(1)).status).toBe(201)
  expect((await create(1)).status).toBe(409)
})

test('an operator waits for nobody, and has no such cap', async () => {
  const boss = await signInAt(server.url, operator)
  const key = { name: 'script', permissions: ['installation'] }
  keyOfScript = ((await boss.mutate('apiKeys.create', key)).data as { value: string }).value
  for (let count = 0; count < 4; count++) {
    const created = await boss.mutate('queryKeys.create', { name: 'a key', endpoint: 'testnet' })
    expect(created.status).toBe(200)
  }
})

test('a plan lowered in the file below what is used deletes nothing, and one that accounts have stays in it', async () => {
  const member = await signInAt(server.url)
  await commands.run(['accounts', 'approve', member.accountId])
  await commands.run(['accounts', 'plan', member.wallet.address, 'free'])
  const makeKey = (name: string) => member.mutate('queryKeys.create', { name, endpoint: 'testnet' })
  for (const name of ['a', 'b', 'c']) expect((await makeKey(name)).status).toBe(200)
  const becomes = (maxKeys: number) =>
    waitUntil(`the plan allows ${maxKeys}`, async () => (await ownPlan(member)).plan?.maxKeys === maxKeys)
  const isSaid = (text: string) =>
    waitUntil(`the log says ${text}`, () => server.output().includes(text), 5_000)

  installation.writeFile({ ...file, plans: [{ name: 'free', maxKeys: 1 }] })
  await becomes(1)
  expect((await ownPlan(member)).queryKeys).toBe(3)
  const [key] = (await member.query('queryKeys.list')).data as { id: string }[]
  expect((await member.mutate('queryKeys.delete', { id: key?.id })).status).toBe(200)
  const refused = await makeKey('d')
  expect([refused.status, JSON.stringify(refused.error)]).toEqual([
    409,
    expect.stringContaining('The plan free allows 1 query key, and the account would have 3'),
  ])

  installation.writeFile({ ...file, plans: [] })
  await isSaid('the plan free is missing, which 1 accounts have')
  installation.writeFile({ ...file, statements: { channels: ['nobody'] } })
  await isSaid('there is no channel of type webhook of this name')
  installation.writeFile(file)
  await becomes(3)
  await commands.run(['accounts', 'plan', member.accountId, 'none'])
}, 60_000)

const ownPlan = async (member: SignedInClient): Promise<PlanUse> =>
  (await member.query('plans.own')).data as PlanUse

test('off a loopback address approval is what holds when nothing is set', async () => {
  const own = await createTestInstallation()
  try {
    const { url } = await own.start({ GATEHOUSE_HOST: '0.0.0.0' })
    const stranger = await signInAt(url)
    expect(await stranger.query('apiKeys.list')).toMatchObject({
      status: 403,
      error: { data: { fault: 'account_not_approved' } },
    })
  } finally {
    await own.remove()
  }
})

const of = (id: string) => ({ params: { path: { id } } })

const client = () => gatehouseClient({ url: server.url, apiKey: keyOfScript })

/** Nothing of Gatehouse but the folder of its client: as a program of somebody else has it. */
describe('a script does the same day`s work of an operator', () => {
  const node = {
    id: 'day',
    name: 'Day',
    chain: 'ethereum',
    provider: 'acme',
    endpoint: 'http://127.0.0.1:9/x',
  }
  const channel = { name: 'Day / night', type: 'slack', url: 'http://127.0.0.1:9/hook' } as const
  const rule = { name: 'Day down', when: { decision: ['DOWN' as const] }, channels: [channel.name] }
  const page = {
    page: 'day',
    title: 'Day',
    groups: [{ name: 'Nodes', services: [{ id: 'day', as: 'Node' }] }],
  }

  test('lets in who waits, with a plan, invites another, and takes that back', async () => {
    const { GET, POST, PATCH, DELETE } = client()
    const stranger = await signInAt(server.url)
    const waiting = await GET('/admin/accounts', { params: { query: { state: 'pending' } } })
    expect(waiting.data?.items.map(({ id }) => id)).toEqual([stranger.accountId])
    const account = of(stranger.accountId)
    await PATCH('/admin/accounts/{id}', { ...account, body: { state: 'active' } })
    const planned = await PATCH('/admin/accounts/{id}', { ...account, body: { plan: 'free' } })
    expect(planned.data).toMatchObject({ state: 'active', plan: 'free' })
    expect((await stranger.query('queryKeys.list')).status).toBe(200)
    const plans = await GET('/admin/plans', { params: { query: { limit: 1 } } })
    expect(plans.data).toMatchObject({
      items: [{ name: 'free', accounts: 1, managedBy: 'file' }],
      nextCursor: null,
    })
    const { data: used } = await GET('/admin/statements', {})
    expect(used).toEqual({ items: [], nextCursor: null })

    const body = { note: 'Ada', for: createTestWallet().address, days: 3 }
    const invited = await POST('/admin/invitations', { body, headers: { 'idempotency-key': 'ada' } })
    expect(invited.data).toMatchObject({ note: 'Ada', state: 'open', createdBy: 'API key script' })
    expect(invited.data?.link).toStartWith(`${server.url}/sign-in#invitation=`)
    const again = await POST('/admin/invitations', { body, headers: { 'idempotency-key': 'ada' } })
    expect(again.data).toEqual(invited.data)
    const { data: listed } = await GET('/admin/invitations', {})
    expect(listed?.items).toHaveLength(1)
    expect(listed?.items[0]).not.toHaveProperty('link')
    expect((await DELETE('/admin/invitations/{id}', of(invited.data?.id ?? ''))).response.status).toBe(204)
    expect((await DELETE('/admin/accounts/{id}', account)).response.status).toBe(204)
    expect((await GET('/admin/accounts/{id}', account)).response.status).toBe(404)
  })

  test('makes a service, an endpoint that uses it, and a token for a verifier', async () => {
    const { GET, POST, PATCH, DELETE } = client()
    const created = await POST('/admin/services', { body: { ...node, policy: { maxRttMs: 2_000 } } })
    expect(created.data).toMatchObject({ id: 'day', managedBy: 'operator', policy: { maxRttMs: 2_000 } })
    const header = { 'if-match': created.response.headers.get('etag') ?? '' }
    const change = (provider: string) =>
      PATCH('/admin/services/{id}', { params: { ...of('day').params, header }, body: { provider } })
    expect((await change('other')).data?.provider).toBe('other')
    expect((await change('again')).error?.error.code).toBe('precondition_failed')
    const endpoint = { name: 'day', chain: 'ethereum', upstreams: [{ service: 'day' }] }
    expect((await POST('/admin/endpoints', { body: endpoint })).data?.upstreams[0]?.serviceId).toBe('day')
    const weighed = { ...of('day'), body: { upstreams: [{ service: 'day', weight: 7 }] } }
    expect((await PATCH('/admin/endpoints/{id}', weighed)).data?.upstreams[0]?.weight).toBe(7)

    const token = (await POST('/admin/verifier-tokens', { body: { label: 'Frankfurt' } })).data
    expect(token?.token).toBeString()
    const { data: tokens } = await GET('/admin/verifier-tokens', {})
    expect(tokens?.items).toEqual([
      { id: token?.id ?? '', label: 'Frankfurt', expiresAt: token?.expiresAt ?? 0 },
    ])
    expect((await DELETE('/admin/verifier-tokens/{id}', of(token?.id ?? ''))).response.status).toBe(204)
    expect((await GET('/admin/verifiers', {})).data).toEqual({ items: [], nextCursor: null })
  })

  test('has alerts told, holds them back, and tells visitors', async () => {
    const { DELETE, GET, POST, PATCH } = client()
    expect((await POST('/admin/channels', { body: channel })).data?.target).toBe('http://127.0.0.1:9')
    expect((await POST('/admin/alerts', { body: rule })).data?.enabled).toBe(true)
    const off = await PATCH('/admin/alerts/{id}', { ...of(rule.name), body: { enabled: false } })
    expect(off.data).toMatchObject({ enabled: false, channels: [channel.name], when: { decision: ['DOWN'] } })
    const kept = await DELETE('/admin/channels/{id}', of(channel.name))
    expect([kept.response.status, kept.error?.error.message]).toEqual([
      409,
      `The rule "${rule.name}" names this channel: take it out there before you delete it`,
    ])
    const until = new Date(Date.now() + 3_600_000).toISOString()
    const silence = { services: { id: 'day' }, until, reason: 'moved' }
    const silenced = (await POST('/admin/silences', { body: silence })).data
    expect(silenced).toMatchObject({ ...silence, until: Date.parse(until), createdBy: 'API key script' })
    const work = { name: 'Disks', services: { id: 'day' }, every: { from: '02:00', to: '04:00' } }
    expect((await POST('/admin/maintenance', { body: work })).data).toMatchObject({ ...work, reason: '' })
    const once = { from: Date.now(), to: Date.now() + 3_600_000 }
    const moved = { ...of('Disks'), body: { every: null, once } }
    const { data: planned } = await PATCH('/admin/maintenance/{id}', moved)
    expect([planned?.once, planned?.every, planned?.isUnderWay]).toEqual([once, undefined, true])

    expect((await POST('/admin/status-pages', { body: page })).data?.published).toBe(true)
    const incident = { page: 'day', kind: 'incident' as const, title: 'Slow', services: ['day'] }
    const told = await POST('/admin/incidents', {
      body: { ...incident, stage: 'investigating', text: 'We look.' },
    })
    const header = { 'if-match': told.response.headers.get('etag') ?? '' }
    const updated = () =>
      PATCH('/admin/incidents/{id}', {
        params: { ...of(told.data?.id ?? '').params, header },
        body: { stage: 'resolved', text: 'A full disk.' },
      })
    const { data: over } = await updated()
    expect([over?.isOver, over?.updates.map(({ text }) => text)]).toEqual([
      true,
      ['We look.', 'A full disk.'],
    ])
    expect((await updated()).response.status).toBe(412)
    expect((await GET('/admin/incidents/{id}', of(told.data?.id ?? ''))).data?.updates).toHaveLength(2)
    expect(await (await fetch(`${server.url}/status/day`)).text()).toContain('A full disk.')
  })

  test('imports a registry, and connects to a tool server of it', async () => {
    const { GET, POST, PATCH, DELETE } = client()
    const url = 'https://tools.example.com/mcp'
    const tools = { slug: 'tools', provider: 'Tools', url, auth: 'API Key', chains: ['ethereum'] }
    const folder = writeRegistry([tools])
    const archive = Bun.spawnSync(['tar', 'cz', '-C', folder, '.']).stdout.toString('base64')
    const imported = (await POST('/admin/registry', { body: { source: 'day.tar.gz', content: archive } }))
      .data
    expect(imported).toMatchObject({ origin: 'day.tar.gz', counts: { mcpServers: 1 } })
    expect(imported?.problems.map(({ effect }) => effect)).toEqual(['changed'])
    const { data: active } = await GET('/admin/registry/{id}', of(imported?.version ?? ''))
    expect(active?.origin).toBe('day.tar.gz')

    const secret = 'hush-hush-of-tools'
    const answers = [await POST('/admin/connections', { body: { serviceId: 'mcpservers:tools', secret } })]
    const connection = of(answers[0]?.data?.id ?? '')
    const changes = [
      { label: 'Tools' },
      { use: { onChange: 'block' as const } },
      { keepContentHours: 1 as const },
    ]
    for (const body of changes) answers.push(await PATCH('/admin/connections/{id}', { ...connection, body }))
    expect(answers.at(-1)?.data).toMatchObject({
      label: 'Tools',
      use: { onChange: 'block', showsSecrets: false },
    })
    expect(answers.at(-1)?.data?.contentKeptUntil).toBeGreaterThan(Date.now())
    const { data: listed } = await GET('/admin/connections', {})
    expect(listed?.items).toMatchObject([{ endpoint: url, authSource: 'saved_connection' }])
    expect(JSON.stringify([answers.map(({ data }) => data), listed])).not.toContain(secret)
    expect((await DELETE('/admin/connections/{id}', connection)).response.status).toBe(204)
  })

  test('and takes everything away again, as the audit log says', async () => {
    const { DELETE, GET } = client()
    const silences = (await GET('/admin/silences', {})).data?.items ?? []
    const incidents = (await GET('/admin/incidents', {})).data?.items ?? []
    const gone = [
      await DELETE('/admin/incidents/{id}', of(incidents[0]?.id ?? '')),
      await DELETE('/admin/status-pages/{id}', of('day')),
      await DELETE('/admin/maintenance/{id}', of('Disks')),
      await DELETE('/admin/silences/{id}', of(silences[0]?.id ?? '')),
      await DELETE('/admin/alerts/{id}', of(rule.name)),
      await DELETE('/admin/channels/{id}', of(channel.name)),
      await DELETE('/admin/endpoints/{id}', of('day')),
      await DELETE('/admin/services/{id}', of('day')),
    ]
    expect(gone.map(({ response }) => response.status)).toEqual(gone.map(() => 204))
    const { data: audit } = await GET('/admin/audit', { params: { query: { limit: 100 } } })
    const done = (audit?.items ?? []).filter(({ actorLabel }) => actorLabel === 'API key script')
    expect(done.map(({ action }) => action).toReversed()).toEqual(wholeDay)
    expect(JSON.stringify(done)).not.toMatch(/hush-hush|invitation=/)
  })
})
