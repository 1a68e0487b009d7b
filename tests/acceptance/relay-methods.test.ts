import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { startAnvil } from '../../scripts/world/anvil.ts'
import type { Anvil } from '../../scripts/world/anvil.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { makeQueryKeys } from '../../scripts/world/made-query-keys.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import { closeSocketClients, connectSocket } from '../../server/relay/websocket/test-support/socket-client.ts'
import { commandLineOf } from '../support/command-line.ts'
import type { CommandLine } from '../support/command-line.ts'

/** What a running server relays to a node whose accounts are unlocked and that does whatever it is told. */

const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

let anvil: Anvil
let installation: TestInstallation
let server: GatehouseProcess
let commands: CommandLine
const keys = new Map<string, string>()

beforeAll(async () => {
  anvil = await startAnvil({ chainId: 31_337, timestamp: 1_700_000_000, blocks: 'on-demand' })
  const upstreams = [{ url: anvil.url }]
  const endpoint = (name: string, methods?: object) => ({ name, chain: 'testnet', upstreams, methods })
  installation = await createTestInstallation({
    verifiers: { builtIn: false },
    chains: { testnet: { family: 'evm', chainId: 31_337, blockMs: 1_000 } },
    endpoints: [
      endpoint('plain'),
      endpoint('by-pattern', { allow: ['*', 'anvil_*', 'eth_s*', 'erc_*'] }),
      endpoint('by-name', { allow: ['*', 'anvil_setBalance', 'eth_sendTransaction'] }),
      endpoint('unknown', { unknown: 'allow' }),
    ],
  })
  server = await installation.start()
  commands = commandLineOf(installation.dataDir)
  await server.operator.endpoints.create.mutate({
    ...endpoint('console', undefined),
    upstreams: [{ url: anvil.url, weight: 1 }],
  })
  const owner = await signInAt(server.url)
  const names = ['plain', 'by-pattern', 'by-name', 'unknown', 'console']
  const made = await makeQueryKeys(
    owner,
    server.url,
    names.map((name) => ({ name, endpoint: name })),
  )
  for (const [index, { key }] of made.entries()) keys.set(names[index] ?? '', key)
}, 60_000)
afterAll(async () => {
  closeSocketClients()
  await installation?.remove()
  await anvil?.stop()
})

interface Answer {
  readonly result?: unknown
  readonly error?: {
    readonly code: number
    readonly message: string
    readonly data?: { readonly reason: string }
  }
}

async function call(endpoint: string, method: string, params: unknown[] = []) {
  const response = await fetch(`${server.url}/rpc/${endpoint}/${keys.get(endpoint)}`, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const answer = (await response.json()) as Answer
  return { status: response.status, credits: response.headers.get('x-rpc-credits'), ...answer }
}

const balance = async () => BigInt(String(await anvil.rpc('eth_getBalance', [other, 'latest'])))

const transfer = { from: account, to: other, value: '0x1' }
const restricted: [string, unknown[], string][] = [
  ['eth_sendTransaction', [transfer], 'method_uses_node_keys'],
  ['eth_sign', [account, '0x00'], 'method_uses_node_keys'],
  ['eth_signTransaction', [transfer], 'method_uses_node_keys'],
  ['personal_sign', ['0x00', account], 'method_uses_node_keys'],
  ['admin_nodeInfo', [], 'method_controls_node'],
  ['anvil_setBalance', [other, '0x0'], 'method_controls_node'],
  ['evm_mine', [], 'method_controls_node'],
  ['hardhat_setBalance', [other, '0x0'], 'method_controls_node'],
  ['txpool_content', [], 'method_controls_node'],
  ['debug_setHead', ['0x0'], 'method_controls_node'],
  ['anvil_ofTomorrow', [], 'method_controls_node'],
]

describe.each(['plain', 'by-pattern', 'unknown'])('the endpoint %s', (endpoint) => {
  test.each(restricted)('refuses %s, free of charge, and says why', async (method, params, reason) => {
    const before = await balance()
    const { status, credits, error } = await call(endpoint, method, params)
    expect([status, credits]).toEqual([200, '0'])
    expect(error).toMatchObject({ code: -32_601, data: { reason } })
    expect(error?.message).toContain(`${method} `)
    expect(error?.message).toContain('unless the operator names it in methods.allow')
    expect(await balance()).toBe(before)
  })

  test('answers eth_accounts with none, as wallets ask at their start, and never with those of the node', async () => {
    expect(await call(endpoint, 'eth_accounts')).toMatchObject({ status: 200, credits: '0', result: [] })
  })

  test.each([
    ['eth_blockNumber', []],
    ['eth_getBalance', [other, 'latest']],
    ['eth_getLogs', [{}]],
    ['net_version', []],
    ['web3_clientVersion', []],
    ['eth_newBlockFilter', []],
  ])('relays %s', async (method, params) => {
    expect(await call(endpoint, method, params)).toMatchObject({ status: 200, result: expect.anything() })
  })
})

test('a batch is refused entry by entry, and only what is relayed is charged', async () => {
  const response = await fetch(`${server.url}/rpc/plain/${keys.get('plain')}`, {
    method: 'POST',
    body: JSON.stringify(
      ['eth_blockNumber', 'anvil_mine', 'eth_accounts', 'erc_own'].map((method, id) => ({
        jsonrpc: '2.0',
        id,
        method,
        params: [],
      })),
    ),
  })
  expect(response.headers.get('x-rpc-credits')).toBe('20')
  expect(await response.json()).toMatchObject([
    { id: 0, result: '0x0' },
    { id: 1, error: { data: { reason: 'method_controls_node' } } },
    { id: 2, result: [] },
    { id: 3, error: { data: { reason: 'method_unknown' } } },
  ])
})

test('over WebSocket the same is refused', async () => {
  const socket = await connectSocket(`${server.url.replace('http', 'ws')}/rpc/plain/${keys.get('plain')}`)
  for (const [method, params, reason] of restricted) {
    expect(await socket.call(method, params)).toMatchObject({ error: { code: -32_601, data: { reason } } })
  }
  expect(await socket.call('erc_own', [])).toMatchObject({ error: { data: { reason: 'method_unknown' } } })
  expect(await socket.call('eth_blockNumber', [])).toMatchObject({ result: '0x0' })
  expect(await socket.call('eth_subscribe', ['newHeads'])).toMatchObject({
    result: expect.stringMatching(/^0x/),
  })
})

test('what is allowed by its exact name is relayed, and nothing beside it', async () => {
  expect(await call('by-name', 'anvil_setBalance', [other, '0x7'])).toMatchObject({ result: null })
  expect(await balance()).toBe(7n)
  expect(await call('by-name', 'eth_sendTransaction', [transfer])).toMatchObject({
    result: expect.stringMatching(/^0x[0-9a-f]{64}$/),
  })
  expect(await call('by-name', 'anvil_mine')).toMatchObject({
    error: { data: { reason: 'method_controls_node' } },
  })
  expect(await call('by-name', 'eth_chainId')).toMatchObject({ result: '0x7a69' })
})

test('a method in no table is refused, by patterns too, and relayed where that is set', async () => {
  for (const endpoint of ['plain', 'by-pattern', 'by-name']) {
    const { error } = await call(endpoint, 'erc_ownMethod')
    expect(error).toMatchObject({ code: -32_601, data: { reason: 'method_unknown' } })
    expect(error?.message).toContain('set methods.unknown to allow')
  }
  const { error, credits } = await call('unknown', 'erc_ownMethod')
  expect([error?.data?.reason, credits]).toEqual([undefined, '20']) // anvil's own answer
})

const endpointMethods = (...args: string[]) => ['endpoints', 'methods', ...args]

const refusalOf = (...args: string[]) => commands.refusalOf(...endpointMethods(...args))

describe('the command line', () => {
  test('shows the three groups of an endpoint', async () => {
    const { stdout } = await commands.run(endpointMethods('by-name'))
    expect(stdout).toMatch(/ordinary methods +(\d{3}) of \1\n/)
    expect(stdout).toMatch(/node control and key use +2 of \d+: anvil_setBalance, eth_sendTransaction\n/)
    expect(stdout).toMatch(/methods in no table +none\n/)
  })

  test('changes them, and says what that opens and closes', async () => {
    const opening = endpointMethods('console', '--allow', '*', '--allow', 'anvil_mine', '--unknown', 'allow')
    const { stdout } = await commands.run(opening)
    expect(stdout).toStartWith('Opened: anvil_mine\nMethods in no table are opened.\nconsole relays\n')
    expect(await call('console', 'anvil_mine')).toMatchObject({ result: null })

    const closing = ['--forget', 'anvil_mine', '--deny', 'eth_call', '--unknown', 'refuse']
    expect(await commands.answerOf(...endpointMethods('console', ...closing))).toMatchObject({
      rules: { allow: ['*'], deny: ['eth_call'], unknown: 'refuse' },
      change: { opened: [], closed: ['eth_call', 'anvil_mine'], unknown: 'closed' },
    })
    expect(await call('console', 'anvil_mine')).toMatchObject({
      error: { data: { reason: 'method_controls_node' } },
    })
    expect(await call('console', 'eth_call', [{ to: other }])).toMatchObject({
      error: { data: { reason: 'method_not_offered' } },
    })
  })

  test('refuses what cannot be', async () => {
    expect(await refusalOf('plain', '--allow', 'anvil_mine')).toContain('the file manages plain')
    expect(await refusalOf('nobody')).toContain('there is no such endpoint')
    expect(await refusalOf('console', '--allow', 'eth_*x')).toContain('methods.allow[1]')
    expect(await refusalOf('console', '--unknown', 'perhaps')).toContain('unknown')
    expect(await refusalOf('console', '--forget', 'eth_own')).toContain('eth_own is in neither list')
  })
})
