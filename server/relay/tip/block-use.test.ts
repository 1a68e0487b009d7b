import { expect, test } from 'bun:test'

import { tableFacts } from '../methods/method-facts.ts'
import { blockUseOf } from './block-use.ts'

const useOf = (method: string) => blockUseOf('evm', method, tableFacts('evm', method))

test.each([
  ['eth_blockNumber', { kind: 'head' }],
  ['eth_call', { kind: 'block', parameter: 1, isState: true }],
  ['eth_getBalance', { kind: 'block', parameter: 1, isState: true }],
  ['eth_getStorageAt', { kind: 'block', parameter: 2, isState: true }],
  ['eth_getTransactionCount', { kind: 'block', parameter: 1, isState: true }],
  ['eth_getBlockByNumber', { kind: 'block', parameter: 0, isState: false }],
  ['eth_getBlockReceipts', { kind: 'block', parameter: 0, isState: false }],
  ['eth_feeHistory', { kind: 'block', parameter: 1, isState: false }],
  ['debug_traceBlockByNumber', { kind: 'block', parameter: 0, isState: true }],
  ['eth_getLogs', { kind: 'logs', parameter: 0 }],
  ['eth_getBlockByHash', { kind: 'hash' }],
  ['eth_getTransactionReceipt', { kind: 'hash' }],
  ['eth_getTransactionByHash', { kind: 'hash' }],
  ['eth_chainId', null],
  ['eth_gasPrice', null],
  ['eth_sendRawTransaction', null],
  ['eth_newFilter', null],
  ['trace_filter', null],
  ['nobody_knowsThis', null],
])('%s names blocks as the tables say', (method, use) => {
  expect<unknown>(useOf(method)).toEqual(use)
})

test('methods of other families name them in other ways', () => {
  expect(blockUseOf('solana', 'getBlock', tableFacts('solana', 'getBlock'))).toBeNull()
})
