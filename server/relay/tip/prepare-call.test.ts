import { describe, expect, test } from 'bun:test'
import { assert, integer, property } from 'fast-check'

import { type BlockUse, dependsOnTip, type KnownTips, prepareCall, withRange } from './prepare-call.ts'

const tipsAt = (latest: number | null, isFresh = true): KnownTips => {
  const height = (tag: string) => (latest === null ? null : tag === 'latest' ? latest : latest - 64)
  return { height, freshHeight: (tag) => (isFresh ? height(tag) : null) }
}

const prepare = (method: string, params: unknown, use: BlockUse, tips = tipsAt(256)) =>
  prepareCall({ method, params: JSON.stringify(params) }, use, tips)

const second: BlockUse = { kind: 'block', parameter: 1, isState: false }
const first: BlockUse = { kind: 'block', parameter: 0, isState: false }
const logs: BlockUse = { kind: 'logs', parameter: 0 }
const hash = `0x${'ab'.repeat(32)}`

const isSticky = (method: string, tag: string) => prepare(method, ['0x1', tag], second).isSticky

describe('a call that names a block', () => {
  test.each([
    ['latest', '0x100', 256],
    ['safe', '0xc0', 192],
    ['finalized', '0xc0', 192],
    [{ blockNumber: 'latest' }, '0x100', 256],
    ['0x50', '0x50', 0x50],
    ['0x200', '0x200', 0x200],
    [{ blockHash: hash }, { blockHash: hash }, 256],
    ['pending', 'pending', 256],
  ])('%j is sent as %j to nodes with block %p', (named, sent, height) => {
    const prepared = prepare('eth_call', [{ to: '0x1' }, named], second)
    expect(JSON.parse(prepared.params)).toEqual([{ to: '0x1' }, sent])
    const isSilent = named === 'pending' && { isSilent: true }
    expect(prepared.needs).toEqual({ height, isStrict: false, ...isSilent })
  })

  test.each([['earliest'], [7], ['nonsense']])('%j is left to the node', (named) => {
    const prepared = prepare('eth_call', [{ to: '0x1' }, named], second)
    expect(JSON.parse(prepared.params)).toEqual([{ to: '0x1' }, named])
    expect(prepared.needs).toBeNull()
  })

  test('keeps its tag when the next block is due, and goes to nodes with the newest block', () => {
    const prepared = prepare('eth_call', [{}, 'latest'], second, tipsAt(256, false))
    expect(JSON.parse(prepared.params)).toEqual([{}, 'latest'])
    expect(prepared.needs).toEqual({ height: 256, isStrict: false, isSilent: true })
    expect(prepare('eth_call', [{}, 'latest'], second, tipsAt(null)).needs).toBeNull()
  })

  test('without the parameter is sent without it, to nodes with the newest block', () => {
    const prepared = prepare('eth_call', [{}], second)
    expect(prepared).toMatchObject({ params: '[{}]', needs: { height: 256 } })
  })

  test('as null counts as left out, as nodes have it', () => {
    const prepared = prepare('eth_call', [{}, null], second)
    expect(prepared).toMatchObject({ params: '[{},null]', needs: { height: 256, isSilent: true } })
  })

  test('the block itself is asked for by its tag', () => {
    const prepared = prepare('eth_getBlockByNumber', ['latest', false], first)
    expect(prepared).toMatchObject({ params: '["latest",false]', tag: 'latest' })
    expect(prepare('eth_getBlockByNumber', ['0x1', false], first).tag).toBeNull()
  })

  test('nonces and pending blocks of a key stay with one node', () => {
    expect(isSticky('eth_getTransactionCount', 'latest')).toBe(true)
    expect(isSticky('eth_getBalance', 'pending')).toBe(true)
    expect(isSticky('eth_getBalance', 'latest')).toBe(false)
  })
})

describe('a call for logs', () => {
  const filter = { address: '0x1', topics: [] }

  test.each([
    [
      { fromBlock: '0x10', toBlock: '0x20' },
      { fromBlock: '0x10', toBlock: '0x20' },
      { from: 16, to: 32 },
    ],
    [
      { fromBlock: '0x10', toBlock: 'latest' },
      { fromBlock: '0x10', toBlock: '0x100' },
      { from: 16, to: 256 },
    ],
    [{ fromBlock: '0x10' }, { fromBlock: '0x10', toBlock: '0x100' }, { from: 16, to: 256 }],
    [{}, { fromBlock: '0x100', toBlock: '0x100' }, { from: 256, to: 256 }],
    [
      { toBlock: null, fromBlock: 'earliest' },
      { fromBlock: 'earliest', toBlock: '0x100' },
      { from: 0, to: 256 },
    ],
    [
      { fromBlock: 'finalized', toBlock: 'latest' },
      { fromBlock: '0xc0', toBlock: '0x100' },
      { from: 192, to: 256 },
    ],
    [
      { fromBlock: '0x10', toBlock: '0x200' },
      { fromBlock: '0x10', toBlock: '0x200' },
      { from: 16, to: 512 },
    ],
  ])('%j is sent as %j, to a node that is known to have its last block', (asked, sent, range) => {
    const prepared = prepare('eth_getLogs', [{ ...filter, ...asked }], logs)
    expect(JSON.parse(prepared.params)).toEqual([{ ...filter, ...sent }])
    expect(prepared.range).toEqual(range)
    expect(prepared.needs).toEqual({ height: range.to, isStrict: true })
  })

  test.each([
    [{ fromBlock: '0x101', toBlock: 'latest' }],
    [{ fromBlock: '0x101' }],
    [{ blockHash: hash }],
    [{ fromBlock: '0x10', toBlock: 'pending' }],
    [{ fromBlock: 'nonsense' }],
  ])('%j is left to a node with the newest block', (asked) => {
    const prepared = prepare('eth_getLogs', [{ ...filter, ...asked }], logs)
    expect(JSON.parse(prepared.params)).toEqual([{ ...filter, ...asked }])
    expect(prepared.range).toBeNull()
    expect(prepared.needs?.height).toBe(256)
  })

  test('with parameters of another shape is left to any node', () => {
    for (const params of [[], ['0x1'], [[]]]) {
      expect(prepare('eth_getLogs', params, logs)).toMatchObject({
        params: JSON.stringify(params),
        needs: null,
      })
    }
  })

  test('can be given another range, whatever else its filter holds', () => {
    assert(
      property(integer({ min: 0, max: 1e9 }), integer({ min: 0, max: 1e9 }), (from, to) => {
        const range = { fromBlock: `0x${from.toString(16)}`, toBlock: `0x${to.toString(16)}` }
        for (const asked of [{}, { toBlock: 'latest' }, { toBlock: '0x1', fromBlock: '0x0' }]) {
          const params = JSON.stringify([{ ...filter, ...asked }])
          expect(JSON.parse(withRange(params, 0, { from, to }))).toEqual([{ ...filter, ...range }])
        }
        expect(JSON.parse(withRange('[ { } ]', 0, { from, to }))).toEqual([range])
      }),
    )
  })
})

test('the number of the newest block and what a hash names need no parameter', () => {
  expect(prepare('eth_blockNumber', [], { kind: 'head' })).toMatchObject({ tag: 'latest', needs: null })
  const receipt = prepare('eth_getTransactionReceipt', [hash], { kind: 'hash' })
  expect(receipt.needs).toEqual({ height: 256, isStrict: false })
})

test.each<[method: string, use: BlockUse, params: unknown[], depends: boolean]>([
  ['eth_blockNumber', { kind: 'head' }, [], false], // What it answers is compared with what callers were told.
  ['eth_getBlockByNumber', first, ['latest', false], false],
  ['eth_getBlockByNumber', first, ['0x10', false], false],
  ['eth_getTransactionReceipt', { kind: 'hash' }, [hash], true],
  ['eth_getTransactionCount', second, ['0x1', 'latest'], true],
  ['eth_getTransactionCount', second, ['0x1', 'pending'], true],
  ['eth_getTransactionCount', second, ['0x1', '0x10'], false],
  ['eth_call', second, [{}], true],
  ['eth_call', second, [{}, 'earliest'], false],
  ['eth_call', second, [{}, { blockHash: hash }], true],
  ['eth_getLogs', logs, [{ fromBlock: '0x1', toBlock: '0x2' }], false],
  ['eth_getLogs', logs, [{ fromBlock: '0x1', toBlock: 'latest' }], true],
  ['eth_getLogs', logs, [{ fromBlock: '0x1' }], true],
  ['eth_getLogs', logs, [{ blockHash: hash }], true],
])('%s as %j with %j depends on what callers were told: %p', (method, use, params, depends) => {
  expect(dependsOnTip({ method, params: JSON.stringify(params) }, use)).toBe(depends)
})
