import { afterAll, beforeAll, expect, test } from 'bun:test'

import { testDatabase, type TestDatabase } from '../../scripts/world/database.ts'
import { makeQueryKeys } from '../../scripts/world/made-query-keys.ts'
import { type Replicas, startReplicas } from '../../scripts/world/replicas.ts'
import { signInAt, type SignedInClient } from '../../scripts/world/signed-in-client.ts'
import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import type { AccountExport } from '../../shared/account-export.ts'
import type { AccountChange, AccountsPage } from '../../shared/accounts.ts'
import type { FoundThing, GlobalSearchAnswer } from '../../shared/global-search.ts'
import { type ScriptedChainNode, startChainNode } from '../../server/relay/test-support/chain-node.ts'

/** Three processes of the real server: an account that one of them disables is refused by all when its answer is there. */

const operator = createTestWallet()
let node: ScriptedChainNode
let database: TestDatabase
let replicas: Replicas
let boss: SignedInClient

beforeAll(async () => {
  node = startChainNode('node', 100)
  database = await testDatabase()
  replicas = await startReplicas({
    count: 3,
    file: {
      verifiers: { builtIn: false },
      chains: { testnet: { family: 'evm', chainId: 31_337, finalityDepth: 64 } },
      endpoints: [{ name: 'testnet', chain: 'testnet', upstreams: [{ url: node.url }] }],
    },
    databaseUrl: database.url,
    redisUrl: null,
    environment: { GATEHOUSE_LOG_LEVEL: 'error', GATEHOUSE_OPERATORS: operator.address },
  })
  boss = await signInAt(urls()[0] ?? '', operator)
}, 180_000)

afterAll(async () => {
  await replicas?.remove()
  await node?.stop()
  await database?.drop()
}, 60_000)

const urls = (): readonly string[] => replicas.servers.map(({ url }) => url)

const everywhere = <Answer>(ask: (url: string) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(urls().map(ask))

async function statusOfCall(url: string, key: string | undefined): Promise<number> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] })
  return (await fetch(`${url}/rpc/testnet/${key}`, { method: 'POST', body })).status
}

test('disabled at one process, an account is refused by all: keys of both kinds, and its browser', async () => {
  const first = urls()[0] ?? ''
  const owner = await signInAt(first)
  const [made] = await makeQueryKeys(owner, first, [{ name: 'app', endpoint: 'testnet' }])
  const { data } = await owner.mutate('apiKeys.create', { name: 'CI', permissions: ['statistics_read'] })
  const apiKey = (data as { value: string }).value
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const statusOfStatistics = async (url: string) =>
    (await fetch(`${url}/account/statistics/keys`, { headers: { authorization: `Bearer ${apiKey}` } })).status
  const statusOfBrowser = async (url: string) =>
    (await fetch(`${url}/trpc/apiKeys.list`, { headers: { cookie } })).status

  expect(await everywhere((url) => statusOfCall(url, made?.key))).toEqual([200, 200, 200])
  const before = await everywhere(statusOfStatistics)
  expect(before).not.toContain(401)
  expect(await everywhere(statusOfBrowser)).toEqual([200, 200, 200])

  const disabled = await boss.mutate('accounts.disable', { account: owner.accountId })
  const answers = await Promise.all([
    everywhere((url) => statusOfCall(url, made?.key)),
    everywhere(statusOfStatistics),
    everywhere(statusOfBrowser),
  ])
  expect(answers).toEqual([
    [401, 401, 401],
    [401, 401, 401],
    [401, 401, 401],
  ])
  const change = disabled.data as AccountChange
  expect(change).toMatchObject({ id: owner.accountId, propagated: true })
  expect(change.keys).toBeGreaterThanOrEqual(2)
  expect(await signInAt(first, owner.wallet).catch((error: unknown) => String(error))).toContain(
    'is disabled',
  )
  expect((await boss.mutate('accounts.disable', { account: owner.accountId })).status).toBe(409)

  // A key that an operator makes for it meanwhile works no more than the others.
  const added = await boss.mutate('operatorQueryKeys.create', {
    account: owner.accountId,
    name: 'later',
    endpoint: 'testnet',
  })
  const { value } = added.data as { value: string }
  expect(await everywhere((url) => statusOfCall(url, value))).toEqual([401, 401, 401])

  expect((await boss.mutate('accounts.enable', { account: owner.accountId })).status).toBe(200)
  expect(await everywhere((url) => statusOfCall(url, made?.key))).toEqual([200, 200, 200])
  expect(await everywhere((url) => statusOfCall(url, value))).toEqual([200, 200, 200])
  expect(await everywhere(statusOfStatistics)).toEqual(before)
  await signInAt(first, owner.wallet)
}, 60_000)

async function finds(client: SignedInClient, text: string): Promise<readonly FoundThing[]> {
  const input = encodeURIComponent(JSON.stringify({ text }))
  return ((await client.query(`globalSearch.find?input=${input}`)).data as GlobalSearchAnswer).found
}

test('operators find the accounts and the keys of others, who do not find each other', async () => {
  const [first = ''] = urls()
  const owner = await signInAt(first)
  const [made] = await makeQueryKeys(owner, first, [{ name: 'app', endpoint: 'testnet' }])
  const ofBoss = [...(await finds(boss, owner.wallet.address)), ...(await finds(boss, made?.id ?? ''))]
  expect(ofBoss).toContainEqual(expect.objectContaining({ kind: 'account', id: owner.accountId }))
  expect(ofBoss).toContainEqual(expect.objectContaining({ kind: 'queryKey', owner: owner.accountId }))
  expect((await finds(owner, made?.id ?? '')).map(({ owner: other }) => other)).toEqual([undefined])
  const stranger = await signInAt(first)
  expect(await finds(stranger, made?.id ?? '')).toEqual([])
  expect(await finds(stranger, owner.accountId)).toEqual([])
})

test('deleted at one process, an account is gone at all: keys of both kinds, its browser, and from lists', async () => {
  const [first = ''] = urls()
  const owner = await signInAt(first)
  const [made] = await makeQueryKeys(owner, first, [{ name: 'app', endpoint: 'testnet' }])
  const { data } = await owner.mutate('apiKeys.create', { name: 'CI', permissions: ['statistics_read'] })
  const apiKey = (data as { value: string }).value
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  expect(await everywhere((url) => statusOfCall(url, made?.key))).toEqual([200, 200, 200])

  const account = encodeURIComponent(JSON.stringify({ account: owner.accountId }))
  const exported = (await boss.query(`accounts.export?input=${account}`)).data as AccountExport
  expect(exported).toMatchObject({
    account: { id: owner.accountId },
    queryKeys: [{ name: 'app' }],
    apiKeys: [{ name: 'CI' }, { name: 'maker' }],
    isAuditComplete: true,
  })
  expect(exported.audit.map(({ action }) => action)).toContain('api_key.create')
  const text = JSON.stringify(exported)
  for (const secret of [made?.key, apiKey, cookie]) expect(text).not.toContain(secret ?? 'a value')

  const deleted = await boss.mutate('accounts.delete', { account: owner.accountId })
  const answers = await Promise.all([
    everywhere((url) => statusOfCall(url, made?.key)),
    everywhere(
      async (url) =>
        (await fetch(`${url}/account/statistics/keys`, { headers: { authorization: `Bearer ${apiKey}` } }))
          .status,
    ),
    everywhere(async (url) => (await fetch(`${url}/trpc/apiKeys.list`, { headers: { cookie } })).status),
  ])
  expect(answers.flat().every((status) => status === 401)).toBe(true)
  expect(deleted.data).toMatchObject({
    id: owner.accountId,
    removed: { queryKeys: 1, apiKeys: 2, connections: 0 },
    propagated: true,
  })
  expect((await boss.mutate('accounts.delete', { account: owner.accountId })).status).toBe(404)
  expect((await boss.query(`accounts.export?input=${account}`)).status).toBe(404)
  const page = await boss.query(
    `accounts.page?input=${encodeURIComponent(JSON.stringify({ search: owner.accountId }))}`,
  )
  expect((page.data as AccountsPage).accounts).toEqual([])
}, 60_000)

test('whoever comes back is new, and what is still made for the deleted account is refused', async () => {
  const [first = '', second = ''] = urls()
  const owner = await signInAt(first)
  expect((await boss.mutate('accounts.delete', { account: owner.accountId })).status).toBe(200)
  const again = await signInAt(second, owner.wallet)
  expect(again.accountId).not.toBe(owner.accountId)
  const [late] = await makeQueryKeys(again, second, [{ name: 'late', endpoint: 'testnet' }])
  expect(await everywhere((url) => statusOfCall(url, late?.key))).toEqual([200, 200, 200])
  // As if a request under way had made it.
  await database.database.sql`
    WITH moved AS (UPDATE query_keys SET account_id = ${owner.accountId} WHERE id = ${late?.id ?? ''})
    INSERT INTO key_changes (version, kind, key_ids)
    SELECT max(version) + 1, 'query_key', ARRAY[${late?.id ?? ''}] FROM key_changes`
  await waitUntil('every process refuses it', async () =>
    (await everywhere((url) => statusOfCall(url, late?.key))).every((status) => status === 401),
  )

  const own = await again.mutate('accounts.deleteOwn', { id: owner.accountId })
  expect(own.status).toBe(409)
  expect((await again.mutate('accounts.deleteOwn', { id: again.accountId })).status).toBe(200)
  expect((await again.query('apiKeys.list')).status).toBe(401)
}, 60_000)

test('nobody disables themselves, nor whom the settings make an operator; others become operators and cease to be', async () => {
  const [first = '', second = ''] = urls()
  const refused = await boss.mutate('accounts.disable', { account: boss.accountId })
  expect([refused.status, JSON.stringify(refused.error)]).toEqual([
    409,
    expect.stringContaining('You cannot disable'),
  ])

  const other = await signInAt(second)
  expect((await other.query('accounts.page?input=%7B%7D')).status).toBe(403)
  const role = (account: string, wanted: string) => boss.mutate('accounts.setRole', { account, role: wanted })
  expect((await role(other.accountId, 'operator')).status).toBe(200)
  expect((await other.query('accounts.page?input=%7B%7D')).status).toBe(200)
  const named = await other.mutate('accounts.disable', { account: boss.accountId })
  expect(JSON.stringify(named.error)).toContain('GATEHOUSE_OPERATORS makes this account an operator')
  const gone = await other.mutate('accounts.delete', { account: boss.accountId })
  expect([gone.status, JSON.stringify(gone.error)]).toEqual([
    409,
    expect.stringContaining('GATEHOUSE_OPERATORS'),
  ])
  const ownOperator = await other.mutate('accounts.deleteOwn', { id: other.accountId })
  expect([ownOperator.status, JSON.stringify(ownOperator.error)]).toEqual([
    409,
    expect.stringContaining('another operator has to make it an ordinary one first'),
  ])
  expect((await role(other.accountId, 'account')).status).toBe(200)
  expect((await other.query('accounts.page?input=%7B%7D')).status).toBe(403)
  expect((await boss.mutate('accounts.disable', { account: 'acc_none' })).status).toBe(404)
  expect(first).not.toBe('')
})

test('accounts are found by what they are called, in every order, page by page', async () => {
  await database.database.sql`
    INSERT INTO accounts (id, role, state, created_at, name, recent_calls)
    SELECT 'acc_' || n, 'account', 'active', now() - make_interval(hours => n), 'Person ' || n, n % 7
    FROM generate_series(1, 120) AS n`
  const page = async (input: object): Promise<AccountsPage> =>
    (await boss.query(`accounts.page?input=${encodeURIComponent(JSON.stringify(input))}`))
      .data as AccountsPage

  expect((await page({ search: 'person 77' })).accounts.map(({ id }) => id)).toEqual(['acc_77'])
  expect(
    (await page({ search: boss.wallet.address.toUpperCase().replace('0X', '0x') })).accounts,
  ).toMatchObject([{ id: boss.accountId, role: 'operator' }])
  expect((await page({ search: "%_' OR 1=1" })).accounts).toEqual([])
  for (const order of ['created', 'seen', 'calls', 'credits']) {
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const found: AccountsPage = await page({ order, limit: 50, ...(cursor !== null && { cursor }) })
      seen.push(...found.accounts.map(({ id }) => id))
      cursor = found.nextCursor
    } while (cursor !== null)
    const { active, pending, disabled } = (await page({})).counts
    expect([order, seen.length, new Set(seen).size]).toEqual([
      order,
      active + pending + disabled,
      seen.length,
    ])
  }
  const wrong = await boss.query(`accounts.page?input=${encodeURIComponent('{"cursor":"made-up"}')}`)
  expect(wrong.status).toBe(422)
})
