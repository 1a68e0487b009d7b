import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Transaction, Wallet } from 'ethers'

import { type Anvil, startAnvil } from '../../scripts/world/anvil.ts'
import { createTestInstallation, type TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { makeQueryKeys } from '../../scripts/world/made-query-keys.ts'
import {
  okAnswer,
  type RawRequest,
  type RawUpstream,
  startRawUpstream,
} from '../../scripts/world/raw-upstream.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'

/**
 * A running server before two ways to a real node, which go wrong after the node has received a transaction. Whoever sends
 * it must get its hash, once, and pay once.
 */

const chainId = 31_337
const price = 7

let anvil: Anvil
let installation: TestInstallation
let url: string
const ways: FaultyWay[] = []

/** What a way to the node does once the node has answered a transaction. */
type Fault =
  | 'passes'
  | 'resets'
  | 'closes'
  | 'hangs'
  | 'says 500'
  | 'says HTML'
  | 'refuses'
  | 'says nonce too low'

interface FaultyWay {
  readonly upstream: RawUpstream
  fault: Fault
  /** How many transactions came this way. */
  sent: number
}

function openWay(): FaultyWay {
  const way: FaultyWay = {
    upstream: startRawUpstream((request) => void pass(request, way)),
    fault: 'passes',
    sent: 0,
  }
  return way
}

async function pass(request: RawRequest, way: FaultyWay): Promise<void> {
  const isTransaction = request.body.includes('eth_sendRawTransaction')
  if (isTransaction) way.sent++
  if (isTransaction && way.fault === 'refuses')
    return refuse(request, 'insufficient funds for gas * price + value')
  const answer = await fetch(anvil.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: request.body,
  })
  const text = await answer.text()
  switch (isTransaction ? way.fault : 'passes') {
    case 'resets':
      return request.reset()
    case 'closes':
      return request.end()
    case 'hangs':
      return
    case 'says 500':
      return request.write('HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\n\r\n')
    case 'says HTML':
      return request.write(okAnswer('<html></html>'))
    case 'says nonce too low':
      return refuse(request, 'nonce too low: next nonce 8, tx nonce 7')
    default:
      return request.write(okAnswer(text))
  }
}

const refuse = (request: RawRequest, message: string): void => {
  const { id } = JSON.parse(request.body) as { id: number }
  request.write(okAnswer(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_000, message } })))
}

const sender = new Wallet('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
let nonce = 0

const sign = (): Promise<string> =>
  sender.signTransaction({
    type: 2,
    chainId,
    nonce: nonce++,
    to: sender.address,
    gasLimit: 21_000,
    maxFeePerGas: 10_000_000_000,
    maxPriorityFeePerGas: 1,
  })

async function send(body: unknown) {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
  return {
    status: response.status,
    credits: response.headers.get('x-rpc-credits'),
    answer: await response.json(),
  }
}

const sending = (raw: string, id = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'eth_sendRawTransaction',
  params: [raw],
})

const pendingCount = async (): Promise<number> =>
  Number(await anvil.rpc('eth_getTransactionCount', [sender.address, 'pending']))

beforeAll(async () => {
  anvil = await startAnvil({ chainId, timestamp: 1_700_000_000, blocks: 'on-demand' })
  ways.push(openWay(), openWay())
  installation = await createTestInstallation({
    verifiers: { builtIn: false },
    chains: { testnet: { family: 'evm', chainId, blockMs: 1_000 } },
    endpoints: [
      {
        name: 'testnet',
        chain: 'testnet',
        upstreams: ways.map(({ upstream }) => ({ url: upstream.url })),
      },
    ],
    creditPrices: { default: 1, eth_sendRawTransaction: price },
  })
  const server = await installation.start()
  const owner = await signInAt(server.url)
  const [made] = await makeQueryKeys(owner, server.url, [{ name: 'wallet', endpoint: 'testnet' }])
  url = `${server.url}/rpc/testnet/${made?.key}`
}, 60_000)

afterAll(async () => {
  await installation?.remove()
  for (const { upstream } of ways) upstream.stop()
  await anvil?.stop()
}, 30_000)

describe('a transaction is answered with its hash, once', () => {
  test.each<[Fault, Fault]>([
    ['passes', 'passes'],
    ['resets', 'passes'],
    ['closes', 'passes'],
    ['hangs', 'passes'],
    ['says 500', 'passes'],
    ['says HTML', 'resets'],
    ['resets', 'resets'],
    ['refuses', 'passes'],
    ['refuses', 'resets'],
    ['says nonce too low', 'says nonce too low'],
    ['says nonce too low', 'resets'],
  ])('when one way to the node %s and the other one %s', async (...faults) => {
    for (const [index, fault] of faults.entries()) Object.assign(ways[index] ?? {}, { fault, sent: 0 })
    const raw = await sign()
    const { hash } = Transaction.from(raw)
    const { status, credits, answer } = await send(sending(raw))
    expect({ status, answer }).toEqual({ status: 200, answer: { jsonrpc: '2.0', id: 1, result: hash } })
    expect(credits).toBe(String(price))
    expect(ways.map(({ sent }) => sent)).toEqual([1, 1])
    expect(await pendingCount()).toBe(nonce)
  })

  test('when it is sent again, and in a batch with other calls', async () => {
    for (const way of ways) way.fault = 'passes'
    const raw = await sign()
    const { hash } = Transaction.from(raw)
    await send(sending(raw))
    const chain = { jsonrpc: '2.0', id: 2, method: 'eth_chainId', params: [] }
    const { answer } = await send([sending(raw, 1), chain, sending(raw, 3)])
    expect(answer).toEqual([
      { jsonrpc: '2.0', id: 1, result: hash },
      { jsonrpc: '2.0', id: 2, result: '0x7a69' },
      { jsonrpc: '2.0', id: 3, result: hash },
    ])
  })
})

test('a transaction that no node wants is answered with the error of a node', async () => {
  for (const way of ways) way.fault = 'refuses'
  const { answer } = await send(sending(await sign()))
  nonce--
  expect(answer).toMatchObject({
    error: { code: -32_000, message: 'insufficient funds for gas * price + value' },
  })
})

test('another one with the same nonce is no transaction that is known', async () => {
  for (const way of ways) way.fault = 'passes'
  await send(sending(await sign()))
  await anvil.mine([1_700_000_100])
  nonce--
  const other = await sender.signTransaction({ chainId, nonce: nonce++, to: sender.address, gasLimit: 30_000, type: 2, maxFeePerGas: 20_000_000_000 }) // prettier-ignore
  const { answer } = await send(sending(other))
  expect(answer).toMatchObject({ error: { message: 'nonce too low' } })
})
