import { afterAll, afterEach, expect, test } from 'bun:test'

import type { Chain, Family } from '../../../shared/chains.ts'
import { type Recording, type ReplayNode, startReplayNode } from '../../../scripts/world/replay-node.ts'
import { chainOf, startLoopbackRunner, probeTargetOf } from '../../../tests/support/probing.ts'

/** What is peculiar to a family with a REST API, or with several APIs; what all share is in `families.test.ts`. */

const { runner, close } = startLoopbackRunner()
const nodes: ReplayNode[] = []
afterAll(close)
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.stop()))
})

function startNode(answers: Recording): ReplayNode {
  const node = startReplayNode(answers)
  nodes.push(node)
  return node
}

async function recorded(family: Family): Promise<Recording> {
  return (await Bun.file(new URL(`fixtures/${family}.json`, import.meta.url)).json()).answers
}

const headOf = (family: Family, node: ReplayNode, path = '', chain: Chain | null = null) =>
  runner.probeHead(probeTargetOf(family, `${node.url}${path}`), chain)
const pathsOf = (node: ReplayNode) => node.requests.map(({ path }) => path)

/** The time of the recorded head, had slots taken that many seconds. */
const timeAt = (seconds: number) => 1_606_824_023 + 13_345_678 * seconds
const beacon = (changes: Partial<Chain>): Chain => ({ ...chainOf('beacon', null), blockMs: 5000, ...changes })

test('beacon: genesis and slot time are asked once, then one request is enough', async () => {
  const node = startNode(await recorded('beacon'))
  await headOf('beacon', node)
  await headOf('beacon', node)
  expect(pathsOf(node)).toEqual([
    '/eth/v1/beacon/genesis',
    '/eth/v1/config/spec',
    '/eth/v1/beacon/headers/head',
    '/eth/v1/beacon/headers/head',
  ])
})

test('beacon: the genesis tells a node of another chain at once, and again after a deep probe', async () => {
  const answers = await recorded('beacon')
  const node = startNode(answers)
  const own = '0x4b363db94e286120d76eb905340fdd4e54bfe9f06bf33ff6cf5ad27f511bfe95'
  const other = `0x${'ab'.repeat(32)}`
  const probe = (genesisHash: string) => headOf('beacon', node, '', beacon({ genesisHash }))
  expect(await probe(own)).toMatchObject({ ok: true, error: null })
  expect(await probe(other)).toMatchObject({ ok: true, error: 'WRONG_GENESIS' })

  node.set({
    '/eth/v1/beacon/genesis': {
      data: {
        genesis_time: '1606824023',
        genesis_validators_root: other,
        genesis_fork_version: '0x00000000',
      },
    },
  })
  expect(await runner.probeGenesis(probeTargetOf('beacon', node.url))).toBe(other)
  expect(await probe(other)).toMatchObject({ ok: true, error: null })
})

test('beacon: a chain that was made anew at the same address has a genesis of its own', async () => {
  const answers = await recorded('beacon')
  const node = startNode(answers)
  await headOf('beacon', node)
  const headers = answers['/eth/v1/beacon/headers/head'] as { data: { header: { message: object } } }
  const { header } = headers.data
  node.set({
    '/eth/v1/beacon/genesis': {
      data: { genesis_time: '1800000000', genesis_validators_root: `0x${'ab'.repeat(32)}` },
    },
    '/eth/v1/beacon/headers/head': {
      data: { ...headers.data, header: { ...header, message: { ...header.message, slot: '10' } } },
    },
  })
  expect(await headOf('beacon', node)).toMatchObject({ head: { height: 10, timestamp: 1_800_000_120 } })
})

test('beacon: the slot time is in milliseconds in newer specifications, and that of the chain where none is served', async () => {
  const { '/eth/v1/config/spec': _, ...withoutSpec } = await recorded('beacon')
  const fast = startNode({ ...withoutSpec, '/eth/v1/config/spec': { data: { SLOT_DURATION_MS: '6000' } } })
  expect(await headOf('beacon', fast)).toMatchObject({ head: { timestamp: timeAt(6) } })
  expect(await headOf('beacon', startNode(withoutSpec), '', beacon({}))).toMatchObject({
    head: { timestamp: timeAt(5) },
  })
  expect(await headOf('beacon', startNode(withoutSpec))).toMatchObject({ ok: false, error: 'HTTP_4XX' })
})

test('aptos: the endpoint may end in its version', async () => {
  const node = startNode(await recorded('aptos'))
  expect((await headOf('aptos', node, '/v1/')).ok).toBe(true)
  expect((await headOf('aptos', node)).ok).toBe(true)
  expect(new Set(pathsOf(node))).toEqual(new Set(['/v1']))
})

test('sui: GraphQL tells what JSON-RPC does', async () => {
  const checkpoint = {
    sequenceNumber: 172345678,
    digest: '8fXK2mZp1sB6hVtTtKcQh2nqYwXg7LrJ5dAe3uFoP8Ra',
    timestamp: '2025-07-01T10:20:30.123Z',
  }
  const graphQl = startNode({ '/graphql': { data: { chainIdentifier: '35834a8a', checkpoint } } })
  const jsonRpc = startNode(await recorded('sui'))
  const finding = await headOf('sui', graphQl, '/graphql')
  expect({ ...finding, rttMs: 0 }).toEqual({ ...(await headOf('sui', jsonRpc)), rttMs: 0 })
  expect(finding.ok).toBe(true)
  expect(await headOf('sui', graphQl, '/graphql', chainOf('sui', '4c78adac'))).toMatchObject({
    error: 'WRONG_CHAIN',
  })
  const [one, other] = await Promise.all(
    [`${graphQl.url}/graphql`, jsonRpc.url].map((url) =>
      runner.probeCheckpoint(probeTargetOf('sui', url), 172345678),
    ),
  )
  expect(one).toBe(other ?? '')
})

test('tron: the first block has no number, and its id is the hash that JSON-RPC gives', async () => {
  const id = '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc'
  const node = startNode({
    '/wallet/getblock': { blockID: id, block_header: { raw_data: { timestamp: 1529891469000 } } },
  })
  expect(await runner.probeGenesis(probeTargetOf('tron', node.url))).toBe(`0x${id}`)
  expect(await headOf('tron', node)).toMatchObject({ head: { height: 0, timestamp: 1_529_891_469 } })
})

test('ton: the index of version 3 tells what version 2 does, and its address is told by its end', async () => {
  const hash = 'u6GdmG8C5DAf5XsrYQHl9HvPLEJsi9WKbzSNehZGwGQ='
  const last = { seqno: 39050517, root_hash: hash, global_id: -239, gen_utime: '1721123806' }
  const index = startNode({
    '/api/v3/masterchainInfo': { last, first: { ...last, seqno: 1 } },
    '/api/v3/blocks': { blocks: [last] },
  })
  const node = startNode(await recorded('ton'))
  const finding = await headOf('ton', index, '/api/v3')
  expect({ ...finding, rttMs: 0 }).toEqual({ ...(await headOf('ton', node, '/jsonRPC')), rttMs: 0 })
  expect(finding.ok).toBe(true)
  const target = probeTargetOf('ton', `${index.url}/api/v3`)
  expect(await runner.probeCheckpoint(target, 39050517)).toBe('bba19d986f02e430')
  expect(await runner.probeGenesis(target)).toBeNull()
})

test.each(['slowDown', 'tooBusy'])('xrpl: %s is a rate limit', async (error) => {
  const node = startNode({ ledger: { error, error_code: 10, status: 'error' } })
  expect(await headOf('xrpl', node)).toMatchObject({ ok: false, error: 'RATE_LIMITED' })
})

test('xrpl: a ledger that is not validated is no head, and old servers tell no network', async () => {
  const { ledger } = await recorded('xrpl')
  const node = startNode({
    ledger: Object.assign({}, ledger, { validated: false }),
    server_info: { info: {} },
  })
  expect(await headOf('xrpl', node)).toMatchObject({ ok: false, error: 'RPC_ERROR' })
  expect(await runner.probeChainId(probeTargetOf('xrpl', node.url))).toBeNull()
})

const passphrase = 'Public Global Stellar Network ; September 2015'
const stellarRpc = {
  getNetwork: { passphrase, protocolVersion: 27 },
  getHealth: {
    status: 'healthy',
    latestLedger: 63525714,
    latestLedgerCloseTime: '1784332881',
    oldestLedger: 63404755,
    ledgerRetentionWindow: 120960,
  },
}

test('stellar: an endpoint that is no Horizon is asked as Stellar RPC, and that is remembered', async () => {
  const node = startNode(stellarRpc)
  const head = { height: 63525714, timestamp: 1784332881, hash8: null }
  const probe = () => headOf('stellar', node, '', chainOf('stellar', passphrase))
  expect(await probe()).toMatchObject({ ok: true, error: null, head })
  expect(await probe()).toMatchObject({ ok: true, error: null, head })
  expect(node.requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'POST'])
  expect(await runner.probeCheckpoint(probeTargetOf('stellar', node.url), 5)).toBeNull()
})

test('stellar: an endpoint that answers by no API gives the failure of the first', async () => {
  const node = startNode({ getNetwork: { error: { code: -32000, message: 'starting' } } })
  expect(await headOf('stellar', node)).toMatchObject({ ok: false, error: 'HTTP_4XX' })
})

test('algorand: the genesis in a block tells a node of another chain with the same name', async () => {
  const node = startNode(await recorded('algorand'))
  const chain = { ...chainOf('algorand', 'mainnet-v1.0'), genesisHash: `${'A'.repeat(43)}=` }
  expect(await headOf('algorand', node, '', chain)).toMatchObject({ ok: true, error: 'WRONG_GENESIS' })
})

const hash = '442765ab5660346a6af3ba7667bbd35934e6219a52f0f53a80f28d27a70309c1'
const tip = { hash, epoch_no: 381, abs_slot: 79265882, epoch_slot: 37082, block_time: 1670832173 }

test.each([
  { ...tip, block_no: 8129347 },
  { ...tip, block_height: 8129347 },
])('cardano: Koios is found out: %j', async (koiosTip) => {
  const node = startNode({
    '/tip': [koiosTip],
    '/genesis': [{ networkmagic: '764824073' }],
    '/blocks': [{ hash }],
  })
  const head = { height: 8129347, timestamp: 1670832173, hash8: '442765ab5660346a' }
  expect(await headOf('cardano', node)).toMatchObject({ ok: true, error: null, head })
  const target = probeTargetOf('cardano', node.url)
  expect(await runner.probeChainId(target)).toBe('764824073')
  expect(await runner.probeCheckpoint(target, 8129347)).toBe('442765ab5660346a')
})

const ogmios = (network: string | undefined) => ({
  '/health': {
    startTime: '2025-10-16T04:15:35.560800405Z',
    lastKnownTip: { slot: 79265882, id: hash, height: 8129347 },
    lastTipUpdate: '2025-10-16T09:19:07.137082421Z',
    networkSynchronization: 1,
    currentEra: 'conway',
    network,
  },
})

test("cardano: Ogmios' tip has the time of its slot, not that of its last update", async () => {
  const node = startNode(ogmios('mainnet'))
  const probe = (chainId: number) => headOf('cardano', node, '', chainOf('cardano', chainId))
  const head = { height: 8129347, timestamp: 1670832173, hash8: '442765ab5660346a' }
  expect(await probe(764824073)).toMatchObject({ ok: true, error: null, head })
  expect(await probe(1)).toMatchObject({ ok: true, error: 'WRONG_CHAIN' })
  expect(await headOf('cardano', startNode(ogmios(undefined)))).toMatchObject({
    head: { timestamp: 1760606347 },
  })
})

test('cosmos: the REST API and the RPC give a block the same hash', async () => {
  const hashInHex = '0ABF6B27F3DD60BCFF40941C4BA43F00982129B585E9DBD60FB2CD3BCBA4A54D'
  const { '/status': status } = await recorded('cosmos')
  const asked = JSON.parse(JSON.stringify(status))
  asked.result.sync_info.latest_block_hash = hashInHex
  const rpc = await headOf('cosmos', startNode({ '/status': asked }))
  const rest = await headOf('cosmos-rest', startNode(await recorded('cosmos-rest')))
  expect(rpc.ok && rest.ok && rpc.head?.hash8 === rest.head?.hash8).toBe(true)
})
