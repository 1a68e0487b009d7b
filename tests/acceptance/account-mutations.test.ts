import { afterAll, beforeAll, expect, test } from 'bun:test'

import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'

/** How often an account may change something, at a whole running server. */

const operator = createTestWallet()
const upstreams = [{ url: 'http://127.0.0.1:8545' }]
const file = { endpoints: [{ name: 'testnet', chain: 'ethereum', upstreams }], queryKeyTypes: ['freeRPC'] }
const perMinute = 8

let installation: TestInstallation
let server: GatehouseProcess

beforeAll(async () => {
  installation = await createTestInstallation(file)
  server = await installation.start({
    GATEHOUSE_OPERATORS: operator.address,
    GATEHOUSE_MUTATIONS_PER_MINUTE: String(perMinute),
  })
}, 60_000)
afterAll(() => installation?.remove())

const contact = { name: 'Anna', email: null }

test('more changes than the limit are 429 with a time to wait, by tRPC and by REST, and reading goes on', async () => {
  const anna = await signInAt(server.url)
  const made = await anna.mutate('apiKeys.create', { name: 'CI', permissions: ['token_create'] })
  const { value } = made.data as { value: string }
  const create = () =>
    fetch(`${server.url}/account/create-api-keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${value}`, 'content-type': 'application/json' },
      body: JSON.stringify([
        { name: 'one', endpoint: 'testnet' },
        { name: 'two', endpoint: 'testnet' },
      ]),
    })
  expect((await create()).status).toBe(201)

  const batch = Array.from({ length: 20 }, () => 'accounts.shareContact')
  const body = JSON.stringify(Object.fromEntries(batch.map((_, place) => [place, contact])))
  for (const separator of [',', '%2C']) {
    const refused = await anna.send(`/trpc/${batch.join(separator)}?batch=1`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    expect([refused.status, await refused.text()]).toEqual([429, expect.stringContaining('"rate_limited"')])
  }

  const edits = await Promise.all(
    Array.from({ length: 20 }, () => anna.mutate('accounts.shareContact', contact)),
  )
  expect(edits.filter(({ status }) => status === 200)).toHaveLength(perMinute - 2)
  expect(edits.filter(({ status }) => status === 429)).toHaveLength(20 - perMinute + 2)

  for (const refused of [
    await create(),
    await anna.send('/trpc/accounts.withdrawContact', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    }),
  ]) {
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 61)
    expect(await refused.text()).toMatch(
      new RegExp(`at most ${perMinute} changes a minute and 1000 a day; try again in \\d+ seconds?`),
    )
  }
  expect((await anna.query('apiKeys.list')).status).toBe(200)
  expect((await (await signInAt(server.url)).mutate('accounts.shareContact', contact)).status).toBe(200)
})

test('what is repeated with its Idempotency-Key is no further change, and is answered at the limit, too', async () => {
  const anna = await signInAt(server.url)
  const made = await anna.mutate('apiKeys.create', { name: 'CI', permissions: ['token_create'] })
  const { value } = made.data as { value: string }
  async function post(path: string, key: string, body: object) {
    const headers = {
      authorization: `Bearer ${value}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    }
    const response = await fetch(`${server.url}/account/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return { status: response.status, answer: (await response.json()) as unknown }
  }
  const create = (key: string) => post('create-api-keys', key, [{ name: 'one', endpoint: 'testnet' }])
  const first = await create('create')
  const [{ id } = { id: '' }] = first.answer as { id: string }[]
  const rotate = (key: string) => post(`query-keys/${id}/rotate`, key, { overlapSeconds: 60 })
  const rotated = await rotate('rotate')
  expect([first.status, rotated.status]).toEqual([201, 200])

  for (let time = 0; time < perMinute; time++) {
    expect(await create('create')).toEqual(first)
    expect(await rotate('rotate')).toEqual(rotated)
  }
  // Three changes were made so far.
  for (let time = 3; time < perMinute; time++) {
    expect((await anna.mutate('accounts.shareContact', contact)).status).toBe(200)
  }
  expect((await create('another')).status).toBe(429)
  expect((await rotate('another rotation')).status).toBe(429)
  expect(await create('create')).toEqual(first)
  expect(await rotate('rotate')).toEqual(rotated)
})

test('operators are not limited', async () => {
  const boss = await signInAt(server.url, operator)
  const edits = await Promise.all(
    Array.from({ length: 3 * perMinute }, () => boss.mutate('accounts.shareContact', contact)),
  )
  expect(new Set(edits.map(({ status }) => status))).toEqual(new Set([200]))
})
