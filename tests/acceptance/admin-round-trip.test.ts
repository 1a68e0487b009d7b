import { afterAll, beforeAll, expect, test } from 'bun:test'

import { type TestInstallation, createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import { createTestWallet } from '../../scripts/world/test-wallet.ts'

/** A program that keeps things as they are described reads each under `/admin`, edits a field of it, and sends all back. */

type Fields = Readonly<Record<string, unknown>>

let installation: TestInstallation
let authorization: string

beforeAll(async () => {
  installation = await createTestInstallation({ verifiers: { builtIn: false } })
  const wallet = createTestWallet()
  await installation.start({ GATEHOUSE_OPERATORS: wallet.address })
  const boss = await signInAt(installation.url, wallet)
  const { data } = await boss.mutate('apiKeys.create', { name: 'Terraform', permissions: ['installation'] })
  authorization = `Bearer ${(data as { value: string }).value}`
}, 60_000)

afterAll(() => installation?.remove(), 60_000)

const send = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  fetch(`${installation.url}/admin/${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

const node = { chain: 'rollup', provider: 'acme', endpoint: 'http://127.0.0.1:9' }
const made: readonly [path: string, id: string, body: Fields, edited: Fields][] = [
  [
    'chains',
    'rollup',
    { key: 'rollup', name: 'Rollup', family: 'evm', chainId: 424_242 },
    { name: 'The rollup' },
  ],
  ['services', 'node', { id: 'node', name: 'Node', ...node }, { name: 'Node one' }],
  [
    'services',
    'page',
    { id: 'page', name: 'Page', family: 'http', provider: 'acme', endpoint: node.endpoint },
    { rule: { method: 'HEAD', statuses: [204] } },
  ],
  [
    'endpoints',
    'rollup',
    { name: 'rollup', chain: 'rollup', upstreams: [{ service: 'node' }, { url: 'http://127.0.0.1:9' }] },
    { methods: { allow: ['eth_blockNumber'], deny: [], unknown: 'refuse' } },
  ],
  ['plans', 'small', { name: 'small', maxKeys: 3 }, { maxKeys: 4 }],
  [
    'channels',
    'on-call',
    { name: 'on-call', type: 'webhook', url: 'https://hooks.example.com/gatehouse' },
    { quietHours: { from: '22:00', to: '06:00', zone: 'UTC' } },
  ],
  ['alerts', 'Down', { name: 'Down', when: { decision: ['DOWN'] } }, { repeat: '1h' }],
  [
    'maintenance',
    'nights',
    { name: 'nights', every: { from: '02:00', to: '04:00' } },
    { reason: 'new disks' },
  ],
  [
    'status-pages',
    'main',
    { page: 'main', title: 'Main', groups: [{ name: 'All', services: [{ id: 'node' }] }] },
    { title: 'The main one' },
  ],
  [
    'accounts',
    '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
    { identity: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045' },
    { plan: 'small' },
  ],
]

/** What every change is told by. */
const withoutVersion = ({ revision: _revision, updatedAt: _at, ...item }: Fields): Fields => item

async function read(path: string): Promise<{ item: Fields; tag: string }> {
  const answer = await send('GET', path)
  expect([path, answer.status]).toEqual([path, 200])
  return { item: (await answer.json()) as Fields, tag: answer.headers.get('etag') ?? '' }
}

test('all that was read is accepted as it was read, and an edited field is what changes', async () => {
  for (const [collection, id, body, edited] of made) {
    expect([collection, (await send('POST', collection, body)).status]).toEqual([collection, 201])
    const path = `${collection}/${id}`
    const { item, tag } = await read(path)
    const same = await send('PATCH', path, item, { 'if-match': tag })
    expect([path, same.status, await same.json(), same.headers.get('etag')]).toEqual([path, 200, item, tag])
    const answer = await send('PATCH', path, { ...item, ...edited }, { 'if-match': tag })
    const changed = withoutVersion((await answer.json()) as Fields)
    expect([path, answer.status, changed]).toEqual([path, 200, { ...withoutVersion(item), ...edited }])
    expect(answer.headers.get('etag')).not.toBe(tag)
  }
})

test('what nobody changes is refused by its name when it is another one', async () => {
  const { item } = await read('services/node')
  const answer = await send('PATCH', 'services/node', { ...item, name: 'Other', managedBy: 'file' })
  expect([answer.status, await answer.json()]).toEqual([
    422,
    { error: { code: 'invalid_request', message: 'body: unknown field managedBy' } },
  ])
  expect((await read('services/node')).item).toEqual(item)
})
