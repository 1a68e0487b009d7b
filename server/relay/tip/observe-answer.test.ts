import { expect, test } from 'bun:test'

import { EndpointTip } from './endpoint-tip.ts'
import { observeNotification } from './observe-answer.ts'

const createTip = () =>
  new EndpointTip({
    name: 'testnet',
    upstreams: ['one', 'other'].map((id) => ({ id, serviceId: null, decision: null, breaker: 'closed' })),
    blockMs: 12_000,
    now: () => 0,
    serviceHeads: { of: () => null },
    chainHead: () => null,
    nodeBounds: () => {
      throw new TypeError('no node is watched')
    },
    shared: null,
    before: null,
  })

const hash = (digit: string): string => `0x${digit.repeat(64)}`
const log = (height: number, more: object = {}): string =>
  `,"result":${JSON.stringify({ blockNumber: `0x${height.toString(16)}`, logIndex: '0x0', ...more })}}}`
const head = (height: number): string =>
  `,"result":${JSON.stringify({ number: `0x${height.toString(16)}`, hash: hash('a'), parentHash: hash('b') })}}}`

/** The newest block after these notifications of the first node. */
const newestAfter = (...params: string[]): number | null => {
  const tip = createTip()
  for (const text of params) observeNotification(tip, text, 0)
  return tip.height('latest')
}

test('a block is known once a node tells of it, or of a log in it, whichever comes first', () => {
  expect(newestAfter(head(100))).toBe(100)
  expect(newestAfter(head(100), log(101, { removed: false }))).toBe(101)
  expect(newestAfter(log(101), head(101), log(101))).toBe(101)
})

test('a log that is taken back tells nothing of its block, nor does one of an older block', () => {
  expect(newestAfter(head(100), log(101, { removed: true }))).toBe(100)
  expect(newestAfter(head(100), log(99))).toBe(100)
})

test('what else nodes tell names no new block', () => {
  expect(newestAfter(head(100), ',"result":"0xabc"}}', ',"result":{"number":"0x65"}}}')).toBe(100)
})
