import { afterAll, afterEach, expect, test } from 'bun:test'

import type { Family } from '../../../shared/chains.ts'
import { type Recording, type ReplayNode, startReplayNode } from '../../../scripts/world/replay-node.ts'
import { chainOf, startLoopbackRunner, probeTargetOf } from '../../../tests/support/probing.ts'

/** What is peculiar to one family; what they share is in `families.test.ts`. */

const { runner, close } = startLoopbackRunner()
const nodes: ReplayNode[] = []
afterAll(close)
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.stop()))
})

async function startRecorded(family: Family, changes: Recording = {}): Promise<ReplayNode> {
  const { answers } = await Bun.file(new URL(`fixtures/${family}.json`, import.meta.url)).json()
  const node = startReplayNode({ ...answers, ...changes })
  nodes.push(node)
  return node
}

const headOf = (family: Family, node: ReplayNode, path = '') =>
  runner.probeHead(probeTargetOf(family, `${node.url}${path}`), null)

const clockAccount = {
  context: { slot: 348123450 },
  value: {
    data: {
      parsed: {
        info: { epoch: 805, epochStartTimestamp: 1749900000, slot: 348123450, unixTimestamp: 1750000120 },
        type: 'clock',
      },
      program: 'sysvar',
      space: 40,
    },
    owner: 'Sysvar1111111111111111111111111111111111111',
  },
}

test.each([null, { error: { code: -32004, message: 'Block not available for slot 348123456' } }])(
  'solana: slot and time come from the clock account when getBlockTime says %j',
  async (getBlockTime) => {
    const node = await startRecorded('solana', { getBlockTime, getAccountInfo: clockAccount })
    const head = { height: 348123450, timestamp: 1750000120, hash8: null }
    expect(await headOf('solana', node)).toMatchObject({ ok: true, head })
  },
)

test('bitcoin: without `time` it is read from the header, never from `mediantime`', async () => {
  const bestblockhash = `${'0'.repeat(40)}aabbccddeeff001122334455`
  const node = await startRecorded('bitcoin', {
    getblockchaininfo: { chain: 'main', blocks: 5, bestblockhash, mediantime: 100 },
    getblockheader: { hash: bestblockhash, time: 700, mediantime: 100 },
  })
  const head = { height: 5, timestamp: 700, hash8: 'eeff001122334455' }
  expect(await headOf('bitcoin', node)).toMatchObject({ ok: true, head })
  expect(node.requests.at(-1)?.body).toMatchObject({ method: 'getblockheader', params: [bestblockhash] })
})

test('bitcoin: an error that comes with status 500 is still the node speaking', async () => {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () =>
      Response.json(
        { result: null, error: { code: -28, message: 'Verifying blocks…' }, id: 1 },
        { status: 500 },
      ),
  })
  try {
    const finding = await runner.probeHead(probeTargetOf('bitcoin', server.url.href), null)
    expect(finding).toMatchObject({ ok: false, error: 'RPC_ERROR' })
  } finally {
    await server.stop(true)
  }
})

test('bitcoin: user and password of the address are sent as a header', async () => {
  const node = await startRecorded('bitcoin')
  await runner.probeHead(probeTargetOf('bitcoin', node.url.replace('//', '//alice:secret@')), null)
  expect(node.requests[0]?.headers.get('authorization')).toBe(`Basic ${btoa('alice:secret')}`)
})

test('filecoin: the order of the blocks of a tipset does not matter', async () => {
  const straight = await startRecorded('filecoin')
  const { answers } = await Bun.file(new URL('fixtures/filecoin.json', import.meta.url)).json()
  const tipset = answers['Filecoin.ChainHead']
  const reversed = await startRecorded('filecoin', {
    'Filecoin.ChainHead': { ...tipset, Cids: tipset.Cids.toReversed() },
  })
  expect((await headOf('filecoin', reversed)).ok).toBe(true)
  const [left, right] = [await headOf('filecoin', straight), await headOf('filecoin', reversed)]
  expect({ ...left, rttMs: 0 }).toEqual({ ...right, rttMs: 0 })
})

test('cosmos: an answer without the JSON-RPC wrapping is read, below the path of the endpoint', async () => {
  const { answers } = await Bun.file(new URL('fixtures/cosmos.json', import.meta.url)).json()
  const node = await startRecorded('cosmos', { '/key/abc/status': answers['/status'].result })
  expect(await headOf('cosmos', node, '/key/abc')).toMatchObject({ ok: true, head: { height: 19802391 } })
})

test('near: a skipped height is no hash', async () => {
  const block = {
    error: {
      name: 'HANDLER_ERROR',
      cause: { info: {}, name: 'UNKNOWN_BLOCK' },
      code: -32000,
      message: 'Server error',
    },
  }
  const node = await startRecorded('near', { block })
  expect(await runner.probeCheckpoint(probeTargetOf('near', node.url), 152345677)).toBeNull()
  expect(node.requests.at(-1)?.body).toMatchObject({ params: { block_id: 152345677 } })
})

test('near: nodes that do not name their genesis have none to compare', async () => {
  const { answers } = await Bun.file(new URL('fixtures/near.json', import.meta.url)).json()
  const { genesis_hash: _, ...status } = answers.status
  const node = await startRecorded('near', { status })
  expect(await runner.probeGenesis(probeTargetOf('near', node.url))).toBeNull()
})

test('starknet: numbers may be hex or decimal, and the chain id may be padded', async () => {
  const block = { block_hash: '0x5', block_number: '0x16e3db', timestamp: '1750000222' }
  const node = await startRecorded('starknet', {
    starknet_chainId: '0x00534E5F4D41494E',
    starknet_getBlockWithTxHashes: block,
  })
  const finding = await runner.probeHead(
    probeTargetOf('starknet', node.url),
    chainOf('starknet', '0x534e5f4d41494e'),
  )
  const head = { height: 1500123, timestamp: 1750000222, hash8: '0000000000000000' }
  expect(finding).toMatchObject({ ok: true, error: null, head })
})

test('substrate: header and time are those of one block', async () => {
  const node = await startRecorded('substrate')
  await headOf('substrate', node)
  const hash = '0x91b171bb158e2d3848fa23a9f1c25182fb8e20313b2c1eb49219da7a70ce90c3'
  expect(node.requests.at(-1)?.body).toMatchObject([
    { method: 'chain_getHeader', params: [hash] },
    { method: 'state_getStorage', params: [expect.stringMatching(/^0xf0c365c3/), hash] },
  ])
})

test.each([null, '0x', '0x00', '0xffffffffffffffff'])('substrate: %p is no time', async (stored) => {
  const node = await startRecorded('substrate', { state_getStorage: stored })
  expect(await headOf('substrate', node)).toMatchObject({ ok: false, error: 'RPC_ERROR' })
})

test('subgraph: indexing errors make the answer a failure', async () => {
  const meta = { block: { number: 5, timestamp: 6, hash: null }, hasIndexingErrors: false }
  const healthy = await startRecorded('subgraph', { graphql: { data: { _meta: meta } } })
  const head = { height: 5, timestamp: 6, hash8: null }
  expect(await headOf('subgraph', healthy)).toMatchObject({ ok: true, head })

  const graphql = {
    data: { _meta: { ...meta, hasIndexingErrors: true } },
    errors: [{ message: 'indexing_error' }],
  }
  expect(await headOf('subgraph', await startRecorded('subgraph', { graphql }))).toMatchObject({
    ok: false,
    error: 'RPC_ERROR',
  })
})
