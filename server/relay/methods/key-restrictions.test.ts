import { describe, expect, test } from 'bun:test'

import {
  type Hex,
  Secp256k1,
  TxEnvelopeEip1559,
  TxEnvelopeEip2930,
  TxEnvelopeEip7702,
  TxEnvelopeLegacy,
} from 'ox'

import type { RelayKey } from '../ports.ts'
import { checkCall } from './key-restrictions.ts'

const token = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const mixedCase = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const pool = '0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640'
const foreign = '0x000000000000000000000000000000000000dead'

const keyWith = (lists: Partial<Pick<RelayKey, 'allowedMethods' | 'allowedContracts'>>): RelayKey => ({
  id: 'qkey_1',
  accountId: 'account',
  endpoint: 'testnet',
  rate: null,
  credits: null,
  allowedDomains: [],
  allowedMethods: [],
  further: [],
  allowedContracts: [],
  moreEndpoints: [],
  debugEndsAt: null,
  ...lists,
})

const forToken = keyWith({ allowedContracts: [token, pool] })
const check = (method: string, params: string) => checkCall(forToken, method, params)
const isAllowed = (method: string, params: unknown) =>
  check(method, JSON.stringify(params)).kind === 'allowed'

test('methods are allowed by name and by pattern, and nothing is read of their parameters', () => {
  const key = keyWith({ allowedMethods: ['eth_call', 'eth_get*'] })
  const kinds = ['eth_call', 'eth_getLogs', 'eth_callMany', 'net_version'].map(
    (method) => checkCall(key, method, '[{"to":1}]').kind,
  )
  expect(kinds).toEqual(['allowed', 'allowed', 'method_not_allowed', 'method_not_allowed'])
  expect(checkCall(key, 'eth_call', '[ 1e400 ]')).toEqual({ kind: 'allowed', params: '[ 1e400 ]' })
})

const twice = (first: string, second: string) => `[{"to":"${first}","to":"${second}","data":"0x1"},"latest"]`

describe('with a list of contracts', () => {
  test.each([
    ['eth_call', [{ to: token }, 'latest'], true],
    ['eth_call', [{ to: mixedCase, from: foreign, data: '0x' }], true],
    ['eth_call', [{ to: foreign }, 'latest'], false],
    ['eth_call', [{ data: '0x6000' }, 'latest'], false], // creates a contract
    ['eth_call', [{ to: null }], false],
    ['eth_call', [{ to: [token] }], false],
    ['eth_call', [], false],
    ['eth_call', { to: token }, false],
    ['eth_call', [{ to: token }, 'latest', { [token]: { code: '0x60' } }], false], // puts any code at the address
    ['eth_call', [{ to: token, To: foreign }], false],
    ['eth_call', [{ To: token }], false],
    ['eth_estimateGas', [{ to: pool }], true],
    ['eth_estimateGas', [{ to: foreign }], false],
    ['eth_createAccessList', [{ to: foreign }], false],
    ['eth_getLogs', [{ address: token, fromBlock: '0x1' }], true],
    ['eth_getLogs', [{ address: [token, pool] }], true],
    ['eth_getLogs', [{ address: [token, foreign] }], false],
    ['eth_getLogs', [{ address: [] }], false],
    ['eth_getLogs', [{ fromBlock: '0x1' }], false],
    ['eth_getLogs', [{ address: token, addreſs: foreign }], false], // Go reads this letter as s
    ['eth_newFilter', [{ address: foreign }], false],
    ['eth_newFilter', [{ address: token }], true],
    ['eth_getCode', [token, 'latest'], true],
    ['eth_getStorageAt', [foreign, '0x0', 'latest'], false],
    ['eth_subscribe', ['newHeads'], true],
    ['eth_subscribe', ['logs', { address: token }], true],
    ['eth_subscribe', ['logs', {}], false],
    ['eth_subscribe', ['logs'], false],
    ['eth_subscribe', ['newPendingTransactions'], false],
    ['eth_blockNumber', [], true],
    ['eth_getTransactionReceipt', ['0xaa'], true],
    ['eth_getBalance', [foreign, 'latest'], true],
    // Nobody could say what these reach.
    ['eth_simulateV1', [{ blockStateCalls: [] }], false],
    ['eth_callMany', [[{ transactions: [{ to: token }] }]], false],
    ['debug_traceCall', [{ to: token }, 'latest', {}], false],
    ['trace_call', [{ to: token }, ['trace']], false],
    ['eth_sendBundle', [{ txs: [] }], false],
    ['eth_methodOfTomorrow', [token], false],
    ['getAccountInfo', [token], false],
  ] as [string, unknown, boolean][])('%s %j: %p', (method, params, expected) => {
    expect(isAllowed(method, params)).toBe(expected)
  })

  test('a member that is given twice is sent as it was checked', () => {
    expect(check('eth_call', twice(token, foreign)).kind).toBe('contract_not_allowed')
    expect(check('eth_call', twice(foreign, token))).toEqual({
      kind: 'allowed',
      params: `[{"to":"${token}","data":"0x1"},"latest"]`,
    })
    expect(check('eth_call', `[{"t\\u006f":"${foreign}"}]`).kind).toBe('contract_not_allowed')
  })

  test('that holds for members of a prototype, too', () => {
    expect(check('eth_call', `[{"__proto__":{"to":"${token}"}}]`).kind).toBe('contract_not_allowed')
  })
})

const privateKey = `0x${'11'.repeat(32)}` as const
const common = { chainId: 1, gas: 21_000n, nonce: 0n, value: 1n } as const

const signed: [string, (to: Hex.Hex | undefined) => Hex.Hex][] = [
  [
    'legacy',
    (to) => {
      const envelope = TxEnvelopeLegacy.from({ ...common, gasPrice: 1n, ...(to && { to }) })
      const signature = Secp256k1.sign({ payload: TxEnvelopeLegacy.getSignPayload(envelope), privateKey })
      return TxEnvelopeLegacy.serialize(envelope, { signature })
    },
  ],
  [
    'EIP-2930',
    (to) => {
      const envelope = TxEnvelopeEip2930.from({ ...common, gasPrice: 1n, ...(to && { to }) })
      const signature = Secp256k1.sign({ payload: TxEnvelopeEip2930.getSignPayload(envelope), privateKey })
      return TxEnvelopeEip2930.serialize(envelope, { signature })
    },
  ],
  [
    'EIP-1559',
    (to) => {
      const envelope = TxEnvelopeEip1559.from({ ...common, maxFeePerGas: 2n, ...(to && { to }) })
      const signature = Secp256k1.sign({ payload: TxEnvelopeEip1559.getSignPayload(envelope), privateKey })
      return TxEnvelopeEip1559.serialize(envelope, { signature })
    },
  ],
  [
    'EIP-7702',
    (to) => {
      const envelope = TxEnvelopeEip7702.from({
        ...common,
        maxFeePerGas: 2n,
        authorizationList: [],
        ...(to && { to }),
      })
      const signature = Secp256k1.sign({ payload: TxEnvelopeEip7702.getSignPayload(envelope), privateKey })
      return TxEnvelopeEip7702.serialize(envelope, { signature })
    },
  ],
]

describe.each(signed)('a %s transaction', (_, sign) => {
  test('is sent to a contract of the list only', () => {
    for (const method of ['eth_sendRawTransaction', 'eth_sendRawTransactionSync']) {
      expect(isAllowed(method, [sign(token)])).toBe(true)
      expect(isAllowed(method, [sign(token).toUpperCase().replace('0X', '0x')])).toBe(true)
      expect(isAllowed(method, [sign(foreign)])).toBe(false)
      expect(isAllowed(method, [sign(undefined)])).toBe(false)
    }
  })
})

test.each([
  '0x',
  '0xzz',
  '0x05c0',
  '0xff',
  '0x02',
  '0x02c0',
  'f86b',
  5,
  null,
  '0xc0',
  `0x02${'f8'.repeat(50)}`,
])('the transaction %j, which cannot be read, is not sent', (transaction) => {
  expect(isAllowed('eth_sendRawTransaction', [transaction])).toBe(false)
})
