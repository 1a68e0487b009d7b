import { describe, expect, test } from 'bun:test'

import type { Family } from '../../../shared/chains.ts'
import { heightOf, quantityOf } from '../forward/shared-results.ts'
import { tableFacts } from './method-facts.ts'

test.each<[Family, string, string]>([
  ['evm', 'eth_blockNumber', 'read'],
  ['evm', 'eth_getLogs', 'read'],
  ['evm', 'eth_call', 'read'],
  ['evm', 'debug_traceTransaction', 'read'],
  ['evm', 'eth_sendRawTransaction', 'write'],
  ['evm', 'eth_sendRawTransactionSync', 'write'],
  ['evm', 'eth_sendTransaction', 'key-use'],
  ['evm', 'eth_sendBundle', 'write'],
  ['evm', 'personal_unlockAccount', 'key-use'],
  ['evm', 'evm_mine', 'node-control'],
  ['evm', 'anvil_setBalance', 'node-control'],
  ['evm', 'debug_setHead', 'node-control'],
  ['evm', 'nobody_listedThis', 'unknown'],
  ['evm', 'eth_newFilter', 'filter'],
  ['evm', 'eth_getFilterChanges', 'filter'],
  ['evm', 'eth_getFilterLogs', 'filter'],
  ['solana', 'getSlot', 'read'],
  ['solana', 'sendTransaction', 'write'],
  ['solana', 'requestAirdrop', 'write'],
  ['bitcoin', 'getblock', 'read'],
  ['bitcoin', 'getnewaddress', 'key-use'],
  ['bitcoin', 'sendrawtransaction', 'write'],
  ['filecoin', 'Filecoin.ChainHead', 'read'],
  ['filecoin', 'Filecoin.EthSendRawTransaction', 'write'],
  ['filecoin', 'Filecoin.MpoolPush', 'write'],
  ['filecoin', 'eth_getFilterChanges', 'filter'],
  ['cosmos', 'abci_query', 'read'],
  ['cosmos', 'broadcast_tx_sync', 'write'],
  ['near', 'query', 'read'],
  ['near', 'send_tx', 'write'],
  ['near', 'broadcast_tx_commit', 'write'],
  ['starknet', 'starknet_getStateUpdate', 'read'],
  ['starknet', 'starknet_addInvokeTransaction', 'write'],
  ['substrate', 'chain_getBlock', 'read'],
  ['substrate', 'author_submitExtrinsic', 'write'],
  ['substrate', 'chainHead_v1_follow', 'subscribe'],
  ['http', 'anything', 'unknown'],
])('of %s, %s is a %s', (family, method, kind) => {
  expect<string>(tableFacts(family, method).kind).toBe(kind)
})

describe('answers that last', () => {
  test('are those about the chain itself and about what a hash names', () => {
    expect(tableFacts('evm', 'eth_chainId').cache).toBe('constant')
    expect(tableFacts('evm', 'eth_getTransactionReceipt').cache).toBe('by-hash')
    expect(tableFacts('evm', 'eth_getBlockByNumber').cache).toBe('by-block')
    expect(tableFacts('evm', 'eth_blockNumber').cache).toBeNull()
    expect(tableFacts('bitcoin', 'eth_chainId').cache).toBeNull()
  })

  test.each([
    ['{"hash":"0x1","blockNumber":"0x10","logs":[{"blockNumber":"0x10"}]}', 16],
    ['{"number": "0xA","transactions":[{"blockNumber":"0xa"}]}', 10],
    ['{"hash":"0x1","blockNumber":null}', null],
    ['{"blockNumber":"0x10","logs":[{"blockNumber":"0x11"}]}', null],
    ['null', null],
    ['{"blockNumber":"0xfffffffffffffffffff"}', null],
  ])('%s is about block %p', (result, height) => {
    expect(heightOf(result)).toBe(height)
  })

  test('a quantity is hexadecimal in quotes', () => {
    expect(['"0x1b4"', '"0x"', '436', 'null', '"0x1b4",'].map(quantityOf)).toEqual([
      436,
      null,
      null,
      null,
      null,
    ])
  })
})
