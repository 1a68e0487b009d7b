import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { type AskNode, findMissedBlocks } from './missed-blocks.ts'
import { SentBlocks } from './sent-blocks.ts'
import { SentLogs } from './sent-logs.ts'

/** A chain as the names of its blocks: `a3` is block 3 of fork `a`. */
const chainOf = (fork: string, length: number, forkedAt = 0): string[] =>
  Array.from({ length }, (_, number) => `${number < forkedAt ? 'a' : fork}${number}`)

const hex = (number: number): string => `0x${number.toString(16)}`

function blockOf(chain: readonly string[], number: number) {
  const hash = chain[number]
  if (hash === undefined) return null
  const parentHash = chain[number - 1] ?? ''
  return {
    number: hex(number),
    hash,
    parentHash,
    stateRoot: 's',
    transactions: ['t'],
    uncles: [],
    size: '0x1',
  }
}

const nodeWith =
  (chain: readonly string[]): AskNode =>
  async (_method, [at]) =>
    blockOf(chain, at === 'latest' ? chain.length - 1 : Number(at))

function toldOf(chain: readonly string[], from = 0): SentBlocks {
  const told = new SentBlocks()
  for (let number = from; number < chain.length; number++) told.take({ number, hash: chain[number] ?? '' })
  return told
}

describe('blocks that were not told', () => {
  test('are all that the other node has beyond the last one, without what is not in their headers', async () => {
    const missed = await findMissedBlocks(toldOf(chainOf('a', 6)), nodeWith(chainOf('a', 9)))
    expect(missed).toMatchObject({ common: 5, latest: 8, isReorganised: false })
    expect(missed?.headers.map(({ hash }) => hash)).toEqual(['a6', 'a7', 'a8'])
    expect(missed?.headers[0]?.header).toEqual({
      number: '0x6',
      hash: 'a6',
      parentHash: 'a5',
      stateRoot: 's',
    })
  })

  test('are none at a node that lags behind: that is no re-organisation', async () => {
    const missed = await findMissedBlocks(toldOf(chainOf('a', 9)), nodeWith(chainOf('a', 6)))
    expect(missed).toEqual({ common: 5, latest: 5, isReorganised: false, headers: [] })
  })

  test('are those from the fork on', async () => {
    const missed = await findMissedBlocks(toldOf(chainOf('a', 9)), nodeWith(chainOf('b', 10, 6)))
    expect(missed).toMatchObject({ common: 5, isReorganised: true })
    expect(missed?.headers.map(({ hash }) => hash)).toEqual(['b6', 'b7', 'b8', 'b9'])
  })

  test.each([
    ['too many', toldOf(chainOf('a', 2)), nodeWith(chainOf('a', 300))],
    ['of another chain', toldOf(chainOf('a', 200)), nodeWith(chainOf('b', 200))],
    ['of a node that does not answer', toldOf(chainOf('a', 2)), async () => undefined],
    ['of a node that answers something else', toldOf(chainOf('a', 2)), async () => ({ number: 1 })],
  ])('cannot be told: %s', async (_, told, ask) => {
    expect(await findMissedBlocks(told, ask)).toBeNull()
  })

  test('of a node that changes its mind meanwhile cannot be told either', async () => {
    let asked = 0
    const ask: AskNode = (method, params) =>
      nodeWith(asked++ < 1 ? chainOf('a', 9) : chainOf('b', 9, 7))(method, params)
    expect(await findMissedBlocks(toldOf(chainOf('a', 6)), ask)).toBeNull()
  })

  test('after any fork, are told so that a listener has the chain of the new node', async () => {
    const numbers = fc.record({
      told: fc.integer({ min: 1, max: 40 }),
      now: fc.integer({ min: 1, max: 60 }),
      forkedAt: fc.integer({ min: 1, max: 40 }),
    })
    await fc.assert(
      fc.asyncProperty(numbers, async ({ told: length, now, forkedAt }) => {
        const told = toldOf(chainOf('a', length))
        const chain = chainOf('b', now, forkedAt)
        const missed = await findMissedBlocks(told, nodeWith(chain))
        const heard = chainOf('a', length)
        for (const { number, hash } of missed?.headers ?? []) {
          expect(told.take({ number, hash })).toBe(true)
          heard.length = number
          heard.push(hash)
        }
        expect(heard.slice(0, chain.length)).toEqual(chain)
      }),
    )
  })
})

test('blocks are told once each, and again when the chain has come back to them', () => {
  const told = toldOf(chainOf('a', 5))
  expect(told.take({ number: 4, hash: 'a4' })).toBe(false)
  expect(told.take({ number: 2, hash: 'a2' })).toBe(false)
  expect(told.last).toBe(4)
  expect(told.take({ number: 3, hash: 'b3' })).toBe(true)
  expect([told.last, told.hashAt(4)]).toEqual([3, undefined])
  expect(told.take({ number: 3, hash: 'a3' })).toBe(true)
  for (let number = 4; number < 1_000; number++) told.take({ number, hash: `a${number}` })
  expect([told.hashAt(999 - 128), told.hashAt(999 - 127)]).toEqual([undefined, 'a872'])
})

const log = (block: number, index: number, fork = 'a') => ({
  blockNumber: hex(block),
  blockHash: `${fork}${block}`,
  logIndex: hex(index),
  removed: false,
})

describe('logs', () => {
  test('are told once each, unless they were taken back', () => {
    const told = new SentLogs()
    expect([told.take(log(1, 0)), told.take(log(1, 0)), told.take(log(1, 1))]).toEqual([true, false, true])
    expect(told.take({ ...log(1, 0), removed: true })).toBe(true)
    expect(told.take(log(1, 0))).toBe(true)
    expect([told.take('nonsense'), told.take({ blockNumber: 1 })]).toEqual([true, true])
  })

  test('of blocks that are gone are taken back, the last one first', () => {
    const told = new SentLogs()
    for (const each of [log(1, 0), log(2, 0), log(2, 1), log(3, 0)]) told.take(each)
    expect(told.removeBeyond(1)).toEqual(
      [log(3, 0), log(2, 1), log(2, 0)].map((each) => ({ ...each, removed: true })),
    )
    expect(told.removeBeyond(1)).toEqual([])
    expect(told.take(log(2, 0))).toBe(true)
  })

  test('are remembered for so many blocks, and so many of them', () => {
    const told = new SentLogs()
    for (let block = 1; block <= 300; block++) told.take(log(block, 0))
    expect(told.removeBeyond(0)).toHaveLength(128)
    for (let index = 0; index < 30_000; index++) told.take(log(1_000 + Math.floor(index / 5_000), index))
    expect(told.removeBeyond(0).length).toBeLessThanOrEqual(20_000)
  })
})
