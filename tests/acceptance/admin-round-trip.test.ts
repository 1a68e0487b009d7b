import { afterAll, beforeAll, expect, test } from 'bun:test'

import { type TestInstallation, createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import { createTestWallet } from '../../scripts/world/test-wallet.ts'

/** A program that keeps things as they are described reads each under `/admin`, and sends back what can be changed of it. */

type Fields = Readonly<Record<string, unknown>>

let installation: TestInstallation
let authorization: string
let changeable: (path: string) => readonly string[]

beforeAll(async () => {
  installation = await createTestInstallation({ verifiers: { builtIn: false } })
  const wallet = createTestWallet()
  await installation.start({ GATEHOUSE_OPERATORS: wallet.address })
  const boss = await signInAt(installation.url, wallet)
  const { data } = await boss.mutate('apiKeys.create', { name: 'Terraform', permissions: ['installation'] })
  authorization = `Bearer ${(data as { value: string }).value}`
  changeable = await changeableFields()
}, 60_000)

afterAll(() => installation?.remove(), 60_000)

const send = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  fetch(`${installation.url}/admin/${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

/** The fields that `PATCH` takes, as the API's description says. */
async function changeableFields(): Promise<typeof changeable> {
  const { paths } = (await (await fetch(`${installation.url}/openapi.json`)).json()) as {
    paths: Record<string, { patch?: { requestBody: { content: Record<string, { schema: Fields }> } } }>
  }
  return (path) => {
    const schema = paths[`/admin/${path}/{id}`]?.patch?.requestBody.content['application/json']?.schema
    return Object.keys((schema?.['properties'] ?? {}) as Fields)
  }
}

const node = { chain: 'rollup', provider: 'acme', endpoint: 'http://127.0.0.1:9' }
const made: readonly [path: string, id: string, body: Fields][] = [
  ['chains', 'rollup', { key: 'rollup', name: 'Rollup', family: 'evm', chainId: 424_242 }],
  ['services', 'node', { id: 'node', name: 'Node', ...node }],
  [
    'services',
    'page',
    { id: 'page', name: 'Page', family: 'http', provider: 'acme', endpoint: node.endpoint },
  ],
  [
    'endpoints',
    'rollup',
    { name: 'rollup', chain: 'rollup', upstreams: [{ service: 'node' }, { url: 'http://127.0.0.1:9' }] },
  ],
  ['plans', 'small', { name: 'small', maxKeys: 3 }],
  ['alerts', 'Down', { name: 'Down', when: { decision: ['DOWN'] } }],
  ['maintenance', 'nights', { name: 'nights', every: { from: '02:00', to: '04:00' } }],
  [
    'status-pages',
    'main',
    { page: 'main', title: 'Main', groups: [{ name: 'All', services: [{ id: 'node' }] }] },
  ],
]

/** Upstreams are named by their ids, as nobody reads their addresses; what changes by itself is not sent. */
function upstreamsToKeep(item: Fields): Fields {
  if (!('upstreams' in item)) return {}
  const upstreams = item['upstreams'] as Fields[]
  return {
    upstreams: upstreams.map(({ id: keep, weight, tier, budget, compression }) => ({
      keep,
      weight,
      tier,
      budget,
      compression,
    })),
  }
}

/** Every change is told by these, one that changes nothing, too. */
const withoutVersion = ({ revision: _revision, updatedAt: _at, ...item }: Fields): Fields => item

test('what was read is accepted as it was read, and changes nothing', async () => {
  for (const [path, id, body] of made) {
    const created = await send('POST', path, body)
    expect([path, created.status]).toEqual([path, 201])
    const tag = created.headers.get('etag') ?? ''
    const item = (await created.json()) as Fields
    const fields = changeable(path).filter((name) => name in item)
    expect([path, fields.length > 0]).toEqual([path, true])
    const sent = { ...Object.fromEntries(fields.map((name) => [name, item[name]])), ...upstreamsToKeep(item) }
    const answer = await send('PATCH', `${path}/${id}`, sent, { 'if-match': tag })
    const changed = (await answer.json()) as Fields
    expect([path, answer.status, withoutVersion(changed)]).toEqual([path, 200, withoutVersion(item)])
    // The revision of an endpoint is new with every change.
    if (path !== 'endpoints') expect([path, answer.headers.get('etag')]).toEqual([path, tag])
  }
})
