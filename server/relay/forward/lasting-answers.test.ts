import { describe, expect, test } from 'bun:test'

import { createAnswerCache } from '../answers/answer-cache.ts'
import { lastingKind } from '../methods/lasting-answer.ts'
import { createLastingAnswers } from './lasting-answers.ts'

const asked = (method: string, params = '[]') => ({
  method,
  question: `${method}\n${params}`,
  facts: { isAllowed: true, credits: 1, kind: 'read' as const, lasting: lastingKind('evm', method) },
})

const receipt = asked('eth_getTransactionReceipt', '["0xaa"]')
const receiptAt = (height: number) => `{"blockNumber":"0x${height.toString(16)}"}`
const head = (height: number) => `"0x${height.toString(16)}"`

function answers(finalityDepth: number | null = 64) {
  const clock = { now: 0 }
  const cache = createAnswerCache(100_000)
  const lasting = createLastingAnswers({ cache, prefix: 'a ', finalityDepth, now: () => clock.now })
  return { clock, cache, lasting }
}

describe('what a hash names is kept', () => {
  test('once its block is final by the lowest head that an upstream told', () => {
    const { lasting } = answers()
    lasting.learn(receipt, receiptAt(900), 0)
    expect(lasting.find(receipt)).toBeNull()
    lasting.learn(asked('eth_blockNumber'), head(1_000_000), 1)
    lasting.learn(asked('eth_blockNumber'), head(963), 0)
    lasting.learn(receipt, receiptAt(900), 0)
    expect(lasting.find(receipt)).toBeNull()
    lasting.learn(asked('eth_blockNumber'), head(964), 0)
    lasting.learn(receipt, receiptAt(900), 0)
    expect(lasting.find(receipt)).toBe(receiptAt(900))
  })

  test('never where nobody knows when a block is final, or where there is none', () => {
    const { lasting } = answers(null)
    lasting.learn(asked('eth_blockNumber'), head(1_000_000), 0)
    lasting.learn(receipt, receiptAt(1), 0)
    expect(lasting.find(receipt)).toBeNull()
    const known = answers().lasting
    known.learn(asked('eth_blockNumber'), head(1_000_000), 0)
    known.learn(receipt, 'null', 0)
    known.learn(receipt, '{"blockNumber":null}', 0)
    expect(known.find(receipt)).toBeNull()
  })

  test('for ten minutes; the chain id for one', () => {
    const { clock, lasting } = answers()
    lasting.learn(asked('eth_blockNumber'), head(1_000), 0)
    lasting.learn(receipt, receiptAt(1), 0)
    lasting.learn(asked('eth_chainId'), '"0x1"', 0)
    clock.now = 59_999
    expect(lasting.find(asked('eth_chainId'))).toBe('"0x1"')
    clock.now = 60_000
    expect(lasting.find(asked('eth_chainId'))).toBeNull()
    expect(lasting.find(receipt)).not.toBeNull()
    clock.now = 600_000
    expect(lasting.find(receipt)).toBeNull()
  })
})

test('what changes is never kept', () => {
  const { lasting } = answers()
  const balance = asked('eth_getBalance', '["0xaa","0x1"]')
  lasting.learn(asked('eth_blockNumber'), head(1_000), 0)
  lasting.learn(balance, '"0x5"', 0)
  expect(lasting.find(balance)).toBeNull()
  expect(lasting.find(asked('eth_blockNumber'))).toBeNull()
})

describe('the cache', () => {
  test('is bounded, and forgets first what nobody asked for', () => {
    const cache = createAnswerCache(10_000)
    for (let n = 0; n < 100; n++) {
      cache.put(`question-${n}`, 'a'.repeat(1_000), 0, 1_000)
      cache.get('question-0', 0)
    }
    const kept = Array.from({ length: 100 }, (_, n) => n).filter(
      (n) => cache.get(`question-${n}`, 0) !== null,
    )
    const latest = Array.from({ length: kept.length - 1 }, (_, n) => 100 - kept.length + 1 + n)
    expect(kept).toEqual([0, ...latest])
    expect(kept.length).toBeLessThanOrEqual(8)
    expect(kept.length).toBeGreaterThan(5)
  })

  test('keeps one endpoint from another, and one form of an endpoint from the next', () => {
    const { cache, lasting } = answers()
    lasting.learn(asked('eth_chainId'), '"0x1"', 0)
    const other = createLastingAnswers({ cache, prefix: 'b ', finalityDepth: 64, now: () => 0 })
    expect(other.find(asked('eth_chainId'))).toBeNull()
  })
})
