import { describe, expect, test } from 'bun:test'

import { closedAfterEach } from '../../tests/support/closed-after-each.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { type ScriptedChainNode, startChainNode } from './test-support/chain-node.ts'
import { keyValue, type RelayScenario, startTestRelay } from './test-support/relay-under-test.ts'

/** Calls that are sent once more, or to the node of a key, while some node refuses or is gone. */

const opened = closedAfterEach()

const hex = (height: number): string => `0x${height.toString(16)}`

interface CallOfTest {
  readonly method: string
  readonly params: readonly unknown[]
}

const call = (method: string, ...params: unknown[]): CallOfTest => ({ method, params })

function relayTo(nodes: readonly ScriptedChainNode[], scenario: Partial<RelayScenario> = {}) {
  const relay = startTestRelay({
    upstreams: nodes.map(({ url }, index) => ({ url, serviceId: `service-${index}` })),
    ...scenario,
    settings: { hedgeAfterMs: null, ...scenario.settings },
  })
  opened.push(relay.stop, ...nodes.map(({ stop }) => stop))
  async function send(calls: CallOfTest | readonly CallOfTest[], key = keyValue) {
    const entryOf = (each: CallOfTest, id: number) => ({ jsonrpc: '2.0', id, ...each })
    const body = 'method' in calls ? entryOf(calls, 0) : calls.map(entryOf)
    const url = relay.url.replace(keyValue, key)
    const { status, headers, ...response } = await post(url, body)
    return { status, retryAfter: headers.get('retry-after'), ...response }
  }
  return {
    relay,
    send,
    /** Has every node tell its newest block. */
    learn: () =>
      waitUntil('every node was asked', async () => {
        await send(call('eth_blockNumber'))
        return nodes.every((node) => node.paramsOf('eth_blockNumber').length > 0)
      }),
  }
}

async function post(url: string, body: unknown) {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
  const { status, headers } = response
  return { status, headers, answer: (await response.json()) as unknown }
}

const blockAt = (height: number): CallOfTest => call('eth_getBlockByNumber', hex(height), false)

/** Asks for a block that only a node told of that is gone. The other node gets it meanwhile, and then refuses what `limits` says. */
async function askFor(calls: CallOfTest | CallOfTest[], limits: ScriptedChainNode['limits']) {
  const [gone, other] = [startChainNode('gone', 100), startChainNode('other', 98)]
  const { relay, send, learn } = relayTo([gone, other])
  await learn()
  await gone.stop()
  const asked = send(calls)
  await waitUntil('the other one does not have it', () => other.paramsOf('eth_getBlockByNumber').length > 0)
  other.limits = limits
  other.head = 100
  const { status, answer } = await asked
  const [metered] = relay.metered.slice(-1)
  return { status, answer, outcomes: metered?.outcomes, creditsBack: metered?.creditsBack }
}

describe('a block that only a node told of that is gone', () => {
  test('is not charged when the other one refuses then', async () => {
    const asked = await askFor(blockAt(100), (method) => method !== 'eth_blockNumber')
    expect(asked).toMatchObject({ outcomes: ['unanswered'], creditsBack: [20] })
    expect(asked.status).toBeGreaterThanOrEqual(502)
    expect(asked.answer).toMatchObject({ id: 0, error: { code: -32_002 } })
  })

  test('leaves a batch whole of which the other one refuses a part', async () => {
    const asked = await askFor([blockAt(100), blockAt(99)], (_method, place) => place === 1)
    expect(asked).toMatchObject({ status: 200, outcomes: ['ok', 'unanswered'], creditsBack: [0, 20] })
    expect(asked.answer).toMatchObject([
      { id: 0, result: { number: hex(100) } },
      { id: 1, error: { code: -32_002 } },
    ])
  })
})

test('nonces come from a node that is behind while nobody else takes calls', async () => {
  const [newest, behind] = [startChainNode('newest', 100), startChainNode('behind', 97)]
  const { send, learn } = relayTo([newest, behind])
  await learn()
  newest.limits = () => true
  for (let n = 0; n < 3; n++)
    expect(await send(call('eth_getTransactionCount', '0x1', 'pending'))).toMatchObject({
      status: 200,
      answer: { result: 'behind' },
    })
})

const keys = Array.from({ length: 12 }, (_, index) => `key-${index}`)

/** Every value is that of a key with this id. */
const keyByValue: RelayScenario['authorize'] = (value) => ({
  kind: 'allowed',
  key: {
    id: value ?? 'none',
    accountId: 'account-1',
    endpoint: 'testnet',
    moreEndpoints: [],
    debugEndsAt: null,
    rate: null,
    credits: null,
    allowedDomains: [],
    allowedMethods: [],
    allowedContracts: [],
    further: [],
  },
})

test('a transaction goes to the node that the key asks for its nonces, whatever the number of nodes', async () => {
  const nodes = keys.slice(0, 5).map((_, index) => startChainNode(`node-${index}`, 100))
  const { send, learn } = relayTo(nodes, { authorize: keyByValue })
  await learn()
  for (const [index, key] of keys.entries()) {
    const transaction = `0x02${index.toString(16).padStart(2, '0')}`
    await send(call('eth_sendRawTransaction', transaction), key)
    const { answer } = await send(call('eth_getTransactionCount', '0x1', 'pending'), key)
    const own = nodes[Number((answer as { result: string }).result.slice('node-'.length))]
    expect(own?.paramsOf('eth_sendRawTransaction').flat()).toContain(transaction)
  }
})

test('keys whose nonces are those of different nodes share no answer', async () => {
  const nodes = ['one', 'other'].map((name) => startChainNode(name, 100))
  const { send, learn } = relayTo(nodes, { authorize: keyByValue })
  await learn()
  const nonce = async (key: string) => {
    const { answer } = await send(call('eth_getTransactionCount', '0x1', 'pending'), key)
    return (answer as { result: string }).result
  }
  const alone: string[] = []
  for (const key of keys) alone.push(await nonce(key))
  expect(new Set(alone).size).toBe(2)
  const { promise, resolve } = Promise.withResolvers<void>()
  for (const node of nodes) node.held = promise
  const together = Promise.all(keys.map(nonce))
  await waitUntil('both are asked again', () =>
    nodes.every((node, index) => {
      const before = alone.filter((name) => name === ['one', 'other'][index]).length
      return node.paramsOf('eth_getTransactionCount').length > before
    }),
  )
  resolve()
  expect(await together).toEqual(alone)
})

test('a batch of which the cache has a part is answered, though no node is left', async () => {
  const [node] = [startChainNode('node', 100)]
  const { relay, send } = relayTo([node])
  await send(call('eth_chainId'))
  await node.stop()
  expect(await send([call('eth_chainId'), call('eth_gasPrice')])).toMatchObject({
    status: 200,
    answer: [
      { id: 0, result: 'node' },
      { id: 1, error: { code: -32_002 } },
    ],
  })
  expect(relay.metered.at(-1)?.outcomes).toEqual(['cached', 'unanswered'])
  expect(relay.logged.at(-1)?.class).toBe('partial')
})
