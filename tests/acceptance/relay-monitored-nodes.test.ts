import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { emitter, type EventChain, eventChainId, startEventChain } from '../../scripts/world/event-chain.ts'
import {
  createTestInstallation,
  type GatehouseProcess,
  type TestInstallation,
} from '../../scripts/world/gatehouse-process.ts'
import { callNode } from '../../scripts/world/json-rpc-client.ts'
import { makeQueryKeys } from '../../scripts/world/made-query-keys.ts'
import { repeat } from '../../scripts/world/repeating.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { enrolWireVerifier, roundOf } from '../../scripts/world/wire-verifier.ts'
import type { ObservationRow } from '../../shared/verifier-protocol.ts'
import { hex } from '../../scripts/world/one-chain/chain-follower.ts'

/** A running server that watches its nodes: what the verifier sees of them steers calls before any call has taught it. */

const behind = 12
/** The account that makes the events, and pays for them in each block. */
const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

/** Both are well: the blocks are of another year, and one node is behind. */
const policy = {
  intervalMs: 1_000,
  freshMs: 30_000,
  enterBlocks: 100,
  enterSec: 1_000_000_000,
  downForMs: 1_000,
  latencyForMs: 1_000,
  upForMs: 1_000,
}

/** A node that answers, with its newest block. */
const seen = (index: number, height: number): ObservationRow => [
  index,
  1,
  null,
  height,
  Math.floor(Date.now() / 1_000),
  `${index}`.repeat(16),
  5,
  0,
]

let chain: EventChain
let installation: TestInstallation
let server: GatehouseProcess
let url: string
let reporting: ReturnType<typeof repeat>

beforeAll(async () => {
  chain = await startEventChain({ nodes: 2, blockMs: 60 })
  await waitUntil('there are blocks', () => chain.height() > 40)
  await chain.trail(1, behind)
  chain.pause(true)
  await waitUntil('one node is behind', async () => {
    const heads = await Promise.all(chain.urls.map((node) => callNode(node, 'eth_blockNumber', [])))
    return Number(heads[0]) - Number(heads[1]) === behind && Number(heads[0]) === chain.height()
  })
  const node = (index: number, capabilities: object) => ({
    id: `node-${index}`,
    name: `Node ${index}`,
    chain: 'testnet',
    provider: `provider-${index}`,
    endpoint: chain.urls[index],
    capabilities,
    policy,
  })
  installation = await createTestInstallation({
    verifiers: { builtIn: false },
    chains: { testnet: { family: 'evm', chainId: eventChainId, blockMs: 60_000 } },
    services: [node(0, { archive: true, logRange: 4 }), node(1, { lowestBlock: 20 })],
    endpoints: [
      { name: 'testnet', chain: 'testnet', upstreams: [{ service: 'node-0' }, { service: 'node-1' }] },
    ],
  })
  server = await installation.start()
  const owner = await signInAt(server.url)
  const [made] = await makeQueryKeys(owner, server.url, [{ name: 'app', endpoint: 'testnet' }])
  url = `${server.url}/rpc/testnet/${made?.key}`
  const { token } = await server.operator.verifiers.createToken.mutate({ label: 'wire' })
  const verifier = await enrolWireVerifier(server.url, token, 'wire')
  reporting = repeat(async () => {
    const rows = [seen(0, chain.height()), seen(1, chain.height() - behind)]
    await verifier.report({ services: ['node-0', 'node-1'], rounds: [roundOf('testnet', rows)] })
  }, 1_000)
  await waitUntil(
    'both nodes are UP',
    async () => {
      const answers = await Promise.all(
        ['node-0', 'node-1'].map(async (id) => (await fetch(`${server.url}/health/${id}`)).json()),
      )
      return answers.every((answer) => JSON.stringify(answer).includes('"UP"'))
    },
    30_000,
  )
}, 90_000)

afterAll(async () => {
  await reporting?.stop()
  await installation?.remove()
  await chain?.stop()
}, 30_000)

const answersOf = (node: string): Promise<number> =>
  server.metric(`upstream_attempts_total{endpoint="testnet",upstream="${node}",class="answer"}`)

describe('nodes that are watched', () => {
  test('the newest state is that of the node which has it, from the first calls on', async () => {
    const [newest, older] = await Promise.all(
      chain.urls.map((node) => callNode(node, 'eth_getBalance', [account, 'latest'])),
    )
    expect(newest).not.toBe(older)
    const isNewest = async (): Promise<boolean> =>
      (await callNode(url, 'eth_getBalance', [account, 'latest'])) === newest
    for (let round = 0; round < 30; round++) expect(await isNewest()).toBe(true)
  })

  test('state of a block is asked of nodes that have it', async () => {
    const before = [await answersOf('node-0'), await answersOf('node-1')]
    for (let slot = 0; slot < 20; slot++) {
      await callNode(url, 'eth_getStorageAt', [emitter, hex(slot), hex(5)])
    }
    expect([await answersOf('node-0'), await answersOf('node-1')]).toEqual([
      (before[0] ?? 0) + 20,
      before[1] ?? 0,
    ])
    for (let slot = 0; slot < 40; slot++) {
      await callNode(url, 'eth_getStorageAt', [emitter, hex(slot), hex(21)])
    }
    expect(await answersOf('node-1')).toBeGreaterThan(before[1] ?? 0)
  })

  test('logs are asked for in ranges that the nodes are declared to answer', async () => {
    const before = (await answersOf('node-0')) + (await answersOf('node-1'))
    const filter = { address: emitter, fromBlock: hex(1), toBlock: hex(20) }
    const logs = (await callNode(url, 'eth_getLogs', [filter])) as { blockNumber: string }[]
    expect(logs.map(({ blockNumber }) => Number(blockNumber))).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    )
    expect((await answersOf('node-0')) + (await answersOf('node-1')) - before).toBe(5)
  })
})
