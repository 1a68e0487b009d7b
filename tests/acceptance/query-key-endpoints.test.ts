import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { answerTo, startRawUpstream } from '../../scripts/world/raw-upstream.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { commandLineOf } from '../support/command-line.ts'

/** Query keys that work at several endpoints, over REST and at the command line. */

const node = startRawUpstream((request) => request.write(answerTo(request, '"result":"0x1"')))
const endpointOf = (name: string) => ({ name, chain: 'testnet', upstreams: [{ url: node.url }] })

let installation: TestInstallation
let server: GatehouseProcess
let authorization: string

beforeAll(async () => {
  installation = await createTestInstallation({
    verifiers: { builtIn: false },
    chains: { testnet: { family: 'evm', chainId: 31_337, blockMs: 1_000 } },
    endpoints: ['main', 'eth-one', 'eth-two', 'other'].map(endpointOf),
  })
  server = await installation.start()
  const owner = await signInAt(server.url)
  const permissions = ['token_create', 'statistics_read']
  const made = await owner.mutate('apiKeys.create', { name: 'maker', permissions })
  authorization = `Bearer ${(made.data as { value: string }).value}`
}, 60_000)
afterAll(async () => {
  await installation?.remove()
  node.stop()
})

async function account(method: string, path: string, body?: unknown) {
  const response = await fetch(`${server.url}/account/${path}`, {
    method,
    headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, json: JSON.parse(await response.text()) }
}

interface Made {
  readonly id: string
  readonly key: string
}

async function make(more: object): Promise<Made> {
  const body = [{ name: 'several', type: 'freeRPC', endpoint: 'main', ...more }]
  const { status, json } = await account('POST', 'create-api-keys', body)
  expect(status).toBe(201)
  return json[0]
}

let calls = 0
const call = (endpoint: string, key: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}/rpc/${endpoint}${key === '' ? '' : `/${key}`}`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [++calls] }),
  })
const statusesOf = async (key: string) => {
  const all = await Promise.all(
    ['main', 'eth-one', 'eth-two', 'other', 'eth-none'].map((name) => call(name, key)),
  )
  return all.map(({ status }) => status)
}

describe('a key works', () => {
  test('at its endpoint alone where nothing else is said', async () => {
    const made = await make({})
    expect(made).toMatchObject({ endpoint: 'main', moreEndpoints: [] })
    expect(await statusesOf(made.key)).toEqual([200, 401, 401, 401, 401])
  })

  test('at endpoints of a list', async () => {
    const { key } = await make({ moreEndpoints: ['eth-two', 'other', 'other'] })
    expect(await statusesOf(key)).toEqual([200, 401, 200, 200, 401])
  })

  test('at endpoints of a pattern; one that there is not is 404', async () => {
    const { key } = await make({ moreEndpoints: ['eth-*'] })
    expect(await statusesOf(key)).toEqual([200, 200, 200, 401, 404])
    expect((await call('eth-one', '', { authorization: `Bearer ${key}` })).status).toBe(200)
    expect((await call('eth-one', '', { authorization: `Basic ${btoa(`x:${key}`)}` })).status).toBe(200)
    expect((await call('other', '', { 'x-api-key': key })).status).toBe(401)
  })

  test('with one limit for all of them', async () => {
    const { key } = await make({ moreEndpoints: ['*'], rateLimit: 2, rateLimitPeriod: 'hour' })
    const statuses: number[] = []
    for (const name of ['eth-one', 'eth-two', 'main', 'other']) statuses.push((await call(name, key)).status)
    expect(statuses).toEqual([200, 200, 429, 429])
  })

  test('where it is changed to, at once, and counts where it was used', async () => {
    const { id, key } = await make({ moreEndpoints: ['eth-one'] })
    expect((await call('eth-one', key)).status).toBe(200)
    const changed = await account('PATCH', `query-keys/${id}`, { moreEndpoints: ['eth-two'] })
    expect(changed).toMatchObject({ status: 200, json: { endpoint: 'main', moreEndpoints: ['eth-two'] } })
    expect(await statusesOf(key)).toEqual([200, 401, 200, 401, 401])
    expect((await account('GET', `query-keys/${id}`)).json).toMatchObject({ moreEndpoints: ['eth-two'] })
    const renamed = await account('PATCH', `query-keys/${id}`, { name: 'renamed' })
    expect(renamed.json).toMatchObject({ name: 'renamed', moreEndpoints: ['eth-two'] })
    await waitUntil('each call is counted at its endpoint', async () => {
      const counted = await Promise.all(
        ['main', 'eth-one', 'eth-two'].map(async (endpoint) => {
          const query = `statistics/methods?keyId=${id}&endpoint=${endpoint}`
          return JSON.stringify((await account('GET', query)).json)
        }),
      )
      return counted.every((text) => text.includes('"eth_call"'))
    })
  })
})

test.each([
  [['nowhere'], 'moreEndpoints'],
  [['Eth-*'], 'moreEndpoints'],
  [['*-eth'], 'moreEndpoints'],
  [['eth one'], 'moreEndpoints'],
  ['eth-one', 'moreEndpoints'],
])('%j is refused', async (moreEndpoints, field) => {
  const body = [{ name: 'wrong', endpoint: 'main', moreEndpoints }]
  const { status, json } = await account('POST', 'create-api-keys', body)
  expect([status, json.error.message]).toEqual([422, expect.stringContaining(field)])
})

test('the specification says endpoint is a text, and so it stays', async () => {
  for (const endpoint of [['main'], 'eth-*', 7, null]) {
    expect((await account('POST', 'create-api-keys', [{ name: 'a', endpoint }])).status).toBe(422)
  }
})

test('the command line makes and lists such keys', async () => {
  const commands = commandLineOf(installation.dataDir)
  const owner = await signInAt(server.url)
  const who = ['--account', owner.accountId]
  const { stdout } = await commands.run([
    'query-keys',
    'create',
    ...who,
    '--name',
    'cli',
    '--endpoint',
    'main',
    '--more-endpoints',
    'eth-*,other',
  ])
  const [key = ''] = /gqk_\w+/.exec(stdout) ?? []
  expect(await statusesOf(key)).toEqual([200, 200, 200, 200, 404])
  expect((await commands.run(['query-keys', 'list', ...who])).stdout).toContain('main, eth-*, other')
})
