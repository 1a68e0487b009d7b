import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { type Anvil, startAnvil } from '../../scripts/world/anvil.ts'
import { keyValue, type TestRelay, startTestRelay, testPrice } from './test-support/relay-under-test.ts'
import { covers } from '../../tests/support/covers.ts'

let anvil: Anvil
let relay: TestRelay

beforeAll(async () => {
  anvil = await startAnvil({ chainId: 31_337, timestamp: 1_700_000_000, blocks: 'on-demand' })
  relay = startTestRelay({ upstreams: [{ url: anvil.url }], denied: ['debug_traceTransaction'] })
})

afterAll(async () => {
  await relay.stop()
  await anvil.stop()
})

const post = (body: string, init: { path?: string; headers?: Record<string, string> } = {}) =>
  fetch(`${relay.origin}${init.path ?? `/rpc/testnet/${keyValue}`}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...init.headers },
  })

const chainId = '{"jsonrpc":"2.0","id":7,"method":"eth_chainId"}'

test('a call with a query key is answered by the node', async () => {
  covers('query-keys-give-access')
  const answer = await post(chainId)
  expect(answer.status).toBe(200)
  expect(await answer.text()).toBe('{"jsonrpc":"2.0","id":7,"result":"0x7a69"}')
  expect(answer.headers.get('x-rpc-credits')).toBe(String(testPrice))
  expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  expect(relay.metered.at(-1)).toMatchObject({
    calls: [{ method: 'eth_chainId', credits: testPrice }],
    bytesIn: chainId.length,
    outcomes: ['ok'],
    creditsBack: [0],
  })
})

const header = (name: string, value: string) =>
  post(chainId, { path: '/rpc/testnet', headers: { [name]: value } })

describe('where the key stands', () => {
  test('in the address or in one of two headers', async () => {
    expect((await header('authorization', `Bearer ${keyValue}`)).status).toBe(200)
    expect((await header('x-api-key', keyValue)).status).toBe(200)
    expect((await post(chainId, { path: '/rpc/testnet' })).status).toBe(401)
  })

  test('a wrong key, a wrong endpoint and no key get the same answer', async () => {
    const answers = await Promise.all([
      post(chainId, { path: '/rpc/testnet/other' }),
      post(chainId, { path: `/rpc/nowhere/${keyValue}` }),
      post(chainId, { path: '/rpc/nowhere/other' }),
      header('x-api-key', 'other'),
    ])
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401])
    expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1)
  })
})
