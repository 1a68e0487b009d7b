import { afterAll, beforeAll, expect, test } from 'bun:test'

import { HDNodeWallet, parseUnits } from 'ethers'

import { startAnvil } from '../../scripts/world/anvil.ts'
import type { Anvil } from '../../scripts/world/anvil.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import { closeSocketClients, connectSocket } from '../../server/relay/websocket/test-support/socket-client.ts'
import type { ErrorResponse } from '../../shared/faults.ts'
import type { ChangedQueryKey } from '../../shared/query-key-resources.ts'
import type { CreatedQueryKey } from '../../shared/query-keys.ts'
import { commandLineOf } from '../support/command-line.ts'

/** Keys that may make some calls only, made over REST, at a running server before a real node. */

const token = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const foreign = '0x000000000000000000000000000000000000dEaD'
/** The first account that anvil funds. */
const wallet = HDNodeWallet.fromPhrase('test test test test test test test test test test test junk')

let anvil: Anvil
let installation: TestInstallation
let server: GatehouseProcess
let apiKey: string

beforeAll(async () => {
  anvil = await startAnvil({ chainId: 31_337, timestamp: 1_700_000_000, blocks: 'on-demand' })
  installation = await createTestInstallation({
    verifiers: { builtIn: false },
    chains: { testnet: { family: 'evm', chainId: 31_337, blockMs: 1_000 } },
    endpoints: [{ name: 'testnet', chain: 'testnet', upstreams: [{ url: anvil.url }] }],
  })
  server = await installation.start()
  const owner = await signInAt(server.url)
  const { data } = await owner.mutate('apiKeys.create', { name: 'CI', permissions: ['token_create'] })
  apiKey = (data as { value: string }).value
}, 60_000)
afterAll(async () => {
  closeSocketClients()
  await installation?.remove()
  await anvil?.stop()
})

const send = (method: string, path: string, body: unknown) =>
  fetch(`${server.url}/account/${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

async function create(lists: object): Promise<CreatedQueryKey> {
  const response = await send('POST', 'create-api-keys', [{ name: 'narrow', endpoint: 'testnet', ...lists }])
  expect(response.status).toBe(201)
  const [created] = (await response.json()) as CreatedQueryKey[]
  if (created === undefined) throw new Error('nothing was created')
  return created
}

interface Answer {
  readonly result?: unknown
  readonly error?: {
    readonly code: number
    readonly message: string
    readonly data?: { readonly reason: string }
  }
}

async function call({ url }: CreatedQueryKey, method: string, params: unknown[] = []) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(url, { method: 'POST', body })
  const answer = (await response.json()) as Answer
  return { credits: response.headers.get('x-rpc-credits'), ...answer }
}

const transferTo = (to: string | null, nonce: number) =>
  wallet.signTransaction({
    to,
    nonce,
    chainId: 31_337,
    type: 2,
    value: 1,
    gasLimit: 100_000,
    maxFeePerGas: parseUnits('10', 'gwei'),
    maxPriorityFeePerGas: 1,
  })

const refusal = (reason: string) => ({ credits: '0', error: { code: -32_001, data: { reason } } })

test('a key with methods calls those only, over HTTP and WebSocket, free of charge otherwise', async () => {
  const key = await create({ allowedMethods: ['eth_chainId', 'eth_get*'] })
  expect(key.allowedMethods).toEqual(['eth_chainId', 'eth_get*'])
  expect(await call(key, 'eth_chainId')).toMatchObject({ result: '0x7a69' })
  expect(await call(key, 'eth_getBalance', [foreign, 'latest'])).toMatchObject({ result: '0x0' })
  expect(await call(key, 'eth_blockNumber')).toMatchObject(refusal('method_not_allowed'))
  const socket = await connectSocket(key.url.replace('http', 'ws'))
  expect(await socket.call('eth_subscribe', ['newHeads'])).toMatchObject({
    error: { data: { reason: 'method_not_allowed' } },
  })
  // A key cannot have more than its endpoint relays.
  const greedy = await create({ allowedMethods: ['*', 'anvil_mine', 'eth_accounts'] })
  expect(await call(greedy, 'anvil_mine')).toMatchObject({
    error: { data: { reason: 'method_controls_node' } },
  })
})

test('a key with contracts calls, reads logs of, and sends to those only', async () => {
  const key = await create({ allowedContracts: [token] })
  expect(key.allowedContracts).toEqual([token.toLowerCase()])
  expect(await call(key, 'eth_call', [{ to: token }, 'latest'])).toMatchObject({ result: '0x' })
  expect(await call(key, 'eth_getLogs', [{ address: token }])).toMatchObject({ result: [] })
  expect(await call(key, 'eth_blockNumber')).toMatchObject({ result: '0x0' })
  const notAllowed = refusal('contract_not_allowed')
  expect(await call(key, 'eth_call', [{ to: foreign }, 'latest'])).toMatchObject(notAllowed)
  expect(await call(key, 'eth_getLogs', [{}])).toMatchObject(notAllowed)
  expect(await call(key, 'eth_sendRawTransaction', [await transferTo(foreign, 0)])).toMatchObject(notAllowed)
  expect(await call(key, 'eth_sendRawTransaction', [await transferTo(null, 0)])).toMatchObject(notAllowed)
  expect(await anvil.rpc('txpool_status')).toMatchObject({ pending: '0x0', queued: '0x0' })
  expect(await call(key, 'eth_sendRawTransaction', [await transferTo(token, 0)])).toMatchObject({
    result: expect.stringMatching(/^0x[0-9a-f]{64}$/),
  })
})

test('a list is changed by PATCH, and holds for the next call', async () => {
  const key = await create({ allowedMethods: ['eth_chainId'], allowedContracts: [token] })
  const response = await send('PATCH', `query-keys/${key.id}`, { allowedMethods: ['eth_call'] })
  expect((await response.json()) as ChangedQueryKey).toMatchObject({
    allowedMethods: ['eth_call'],
    allowedContracts: [token.toLowerCase()],
  })
  expect(await call(key, 'eth_chainId')).toMatchObject(refusal('method_not_allowed'))
  expect(await call(key, 'eth_call', [{ to: foreign }])).toMatchObject(refusal('contract_not_allowed'))
  expect(await call(key, 'eth_call', [{ to: token }])).toMatchObject({ result: '0x' })
})

test.each([
  [{ allowedMethods: ['eth_*x'] }, '[0].allowedMethods[0]: expected a method such as eth_call'],
  [{ allowedContracts: ['vitalik.eth'] }, '[0].allowedContracts[0]: expected the address of a contract'],
  [{ allowedContracts: 'all' }, '[0].allowedContracts'],
])('%j is refused', async (lists, message) => {
  const response = await send('POST', 'create-api-keys', [{ name: 'k', endpoint: 'testnet', ...lists }])
  expect(response.status).toBe(422)
  expect(((await response.json()) as ErrorResponse).error.message).toContain(message)
})

test('the command line makes such keys, too', async () => {
  const { answerOf } = commandLineOf(installation.dataDir)
  const [account] = await server.operator.accounts.list.query()
  const made = await answerOf(
    'query-keys',
    'create',
    '--account',
    account?.id ?? '',
    '--name',
    'cli',
    '--endpoint',
    'testnet',
    '--allowed-methods',
    'eth_call,eth_get*',
    '--allowed-contracts',
    token,
  )
  expect(made).toMatchObject({
    allowedMethods: ['eth_call', 'eth_get*'],
    allowedContracts: [token.toLowerCase()],
  })
})
