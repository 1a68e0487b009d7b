import { describe, expect, test } from 'bun:test'
import { array, assert, asyncProperty, boolean, integer, nat } from 'fast-check'

import { collectLogs, type LogAnswer } from './collect-logs.ts'
import { readLogLimit } from './log-limits.ts'

interface Blocks {
  readonly from: number
  readonly to: number
}

/** A node that answers so many blocks and so many logs at a time. Every third block has a log. */
function nodeWith({ blocks = Infinity, logs = Infinity, saysIt = true }) {
  const asked: Blocks[] = []
  const learned: number[] = []
  let atOnce = 0
  let mostAtOnce = 0
  const logsIn = ({ from, to }: Blocks): number[] =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index).filter((height) => height % 3 === 0)
  return {
    asked,
    learned,
    logsIn,
    mostAtOnce: () => mostAtOnce,
    collect: (range: Blocks, first: number | null = null, maxChars = 1_000_000) =>
      collectLogs({
        range,
        blocks: first,
        maxChars,
        learned: (size) => void learned.push(size),
        async ask(part): Promise<LogAnswer> {
          asked.push(part)
          mostAtOnce = Math.max(mostAtOnce, ++atOnce)
          await Promise.resolve()
          atOnce--
          const found = logsIn(part)
          if (part.to - part.from + 1 > blocks)
            return { kind: 'too-many', blocks: saysIt ? blocks : null, isBound: saysIt }
          if (found.length > logs) return { kind: 'too-many', blocks: null, isBound: false }
          return { kind: 'logs', text: JSON.stringify(found) }
        },
      }),
  }
}

test('whatever the limits of a node, all logs come, once, in the order of the blocks', async () => {
  await assert(
    asyncProperty(
      nat(1_000),
      nat(300),
      integer({ min: 1, max: 400 }),
      integer({ min: 1, max: 50 }),
      boolean(),
      async (from, size, blocks, logs, saysIt) => {
        const node = nodeWith({ blocks, logs, saysIt })
        const range = { from, to: from + size }
        expect(JSON.parse((await node.collect(range)) ?? 'null')).toEqual(node.logsIn(range))
        expect(node.mostAtOnce()).toBeLessThanOrEqual(2)
      },
    ),
  )
})

test('what a node says about its limit is used, and told', async () => {
  const node = nodeWith({ blocks: 100 })
  await node.collect({ from: 1, to: 1_000 })
  expect(node.asked.length).toBe(11)
  expect(node.learned).toEqual([100])
  const again = nodeWith({ blocks: 100 })
  await again.collect({ from: 1, to: 1_000 }, 100)
  expect(again.asked.length).toBe(10)
})

test('nothing comes of it when one block is too much, a part fails, or there is no end to it', async () => {
  expect(await nodeWith({ logs: 0 }).collect({ from: 0, to: 9 })).toBeNull()
  expect(await nodeWith({ blocks: 1 }).collect({ from: 0, to: 1_000_000 })).toBeNull()
  expect(await nodeWith({ blocks: 10 }).collect({ from: 0, to: 999 }, null, 500)).toBeNull()
  const failing = await collectLogs({
    range: { from: 0, to: 99 },
    blocks: 10,
    maxChars: 1_000,
    learned: () => undefined,
    ask: async ({ from }) => (from === 50 ? { kind: 'failed' } : { kind: 'logs', text: '[]' }),
  })
  expect(failing).toBeNull()
})

test('spaces in the answers of nodes do no harm', async () => {
  await assert(
    asyncProperty(array(nat(9), { maxLength: 5 }), async (logs) => {
      const merged = await collectLogs({
        range: { from: 0, to: 1 },
        blocks: 1,
        maxChars: 1_000,
        learned: () => undefined,
        ask: async () => ({ kind: 'logs', text: ` ${JSON.stringify(logs, null, 1)}\n` }),
      })
      expect(JSON.parse(merged ?? '')).toEqual([...logs, ...logs])
    }),
  )
})

describe('an error about a call for logs', () => {
  test.each<[string, number | null]>([
    ['You can make eth_getLogs requests with up to a 10 block range. Try [0x1, 0x5]', 10],
    ['eth_getLogs is limited to a 10,000 range', 10_000],
    ['eth_getLogs requests are limited to a 5 block range', 5],
    ['exceed maximum block range: 50000', 50_000],
    ['query exceeds max block range 100000', 100_000],
    ['range is too large, max is 1k blocks', 1_000],
    ['Please limit the query to at most 1000 blocks', 1_000],
    ['block range too large, maximum allowed is 3000 blocks', 3_000],
    ['requested too many blocks from 1 to 20000, maximum is set to 2048', 2_048],
    ['ranges over 10000 blocks are not supported on free plan', 10_000],
  ])('that says what a node answers at most: %s', (message, blocks) => {
    expect(readLogLimit(JSON.stringify({ code: -32_005, message }))).toEqual({ blocks, isBound: true })
  })

  test.each<[string, number | null]>([
    ['query returned more than 10000 results', null],
    ['query returned more than 10000 results. Try with this block range [0x64, 0x12b].', 200],
    ['Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range', 2_000],
    ['Log response size exceeded. this block range should work: [0x1, 0xa]', 10],
    ['query exceeds max results 20000, retry with the range 100-149', 50],
    ['block range is too wide', null],
    ['backend response too large', null],
    ['logs matched by query exceeds limit of 10000', null],
    ['query timeout exceeded', null],
  ])('that is about this call alone: %s', (message, blocks) => {
    expect(readLogLimit(JSON.stringify({ code: -32_005, message }))).toEqual({ blocks, isBound: false })
  })

  test.each([
    'block range extends beyond current head block',
    'invalid block range params',
    'execution reverted',
    'unknown block',
    'rate limit exceeded',
  ])('that fewer blocks would not change: %s', (message) => {
    expect(readLogLimit(JSON.stringify({ code: -32_000, message }))).toBeNull()
  })
})
