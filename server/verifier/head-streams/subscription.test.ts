import { describe, expect, test } from 'bun:test'

import { headSubscriptions } from './subscription.ts'

/** Recorded from anvil 1.7.1, without fields of the header that nobody reads. */
const anvilHead =
  '{"jsonrpc":"2.0","method":"eth_subscription","params":{"result":{"hash":"0x4ae1ce7d4bb54a5cb52dd0bd1df2d5b0c7b8d3e5b5a1e3a8a4d1d2ab0e5f0a31","parentHash":"0x9f5e1a0b1f0f2c3d4e5f60718293a4b5c6d7e8f901234567890abcdef0123456","number":"0x1c","timestamp":"0x6925f1a4"},"subscription":"0x1f"}}'
/** As the documentation of Solana's `slotSubscribe` records it. */
const solanaHead =
  '{"jsonrpc":"2.0","method":"slotNotification","params":{"result":{"parent":75,"root":44,"slot":76},"subscription":0}}'

describe('messages of a subscription', () => {
  test.each([
    ['evm', '{"jsonrpc":"2.0","id":1,"result":"0x1f"}', anvilHead, 28],
    ['solana', '{"jsonrpc":"2.0","result":0,"id":1}', solanaHead, 76],
  ] as const)('of a node of family %s', (family, answer, head, height) => {
    const subscription = headSubscriptions[family]
    expect(subscription?.read(answer)).toEqual({ kind: 'subscribed' })
    expect(subscription?.read(head)).toEqual({ kind: 'head', height })
    expect(
      subscription?.read('{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"not found"}}'),
    ).toEqual({ kind: 'refused' })
    const altered = head.replace('"0x1c"', '"-0x1c"').replace('"slot":76', '"slot":1e300')
    for (const other of ['', '[]', 'null', '{"id":2,"result":1}', '<html>', altered]) {
      expect(subscription?.read(other)).toEqual({ kind: 'other' })
    }
  })
})

test('other families have none', () => {
  expect(Object.keys(headSubscriptions)).toEqual(['evm', 'solana'])
})
