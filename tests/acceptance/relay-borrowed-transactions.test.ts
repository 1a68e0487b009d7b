import { Transaction, type TransactionLike, Wallet } from 'ethers'

import {
  type BorrowedCase,
  error,
  hangs,
  type NodeReply,
  plain,
  resets,
  result,
  testBorrowedCases,
} from '../support/borrowed-cases.ts'

/**
 * What becomes of a transaction that a running server sends to several nodes, in cases that the authors of other relays
 * have met. Where each comes from is in `server/relay/borrowed-cases.md`.
 */

const wallet = new Wallet(`0x${'11'.repeat(32)}`)
const common = { to: wallet.address, chainId: 31_337, nonce: 7, gasLimit: 21_000 }
const signed = (fields: TransactionLike) => wallet.signTransaction({ ...common, ...fields })
const feeMarket = await signed({ type: 2, maxFeePerGas: 10, maxPriorityFeePerGas: 1 })
const legacy = await signed({ type: 0, gasPrice: 10 })
const accessList = await signed({
  type: 1,
  gasPrice: 10,
  accessList: [{ address: wallet.address, storageKeys: [] }],
})
const deployment = await signed({
  type: 2,
  to: null,
  data: '0x600a',
  maxFeePerGas: 10,
  maxPriorityFeePerGas: 1,
})
const hashOf = (raw: string): string => Transaction.from(raw).hash ?? ''
const hash = hashOf(feeMarket)

const send = 'eth_sendRawTransaction'
const sent = [send, feeMarket] as const
const accepted = result(hash)
const alreadyKnown = error(-32_000, 'already known')
const nonceTooLow = error(-32_000, 'nonce too low')
const reverted = error(3, 'execution reverted: insufficient balance')
const fails = plain('500 Internal Server Error', 'Internal Server Error')
const known = { eth_getTransactionByHash: { hash, nonce: '0x7' } }
const limited = plain('429 Too Many Requests')

type Row = readonly [name: string, replies: readonly NodeReply[], knows?: Readonly<Record<string, unknown>>]

/** The hash is the answer. */
const hashes: readonly Row[] = [
  ['a transaction that both nodes know', [alreadyKnown]],
  ['known, said with the code of a rejection', [error(-32_003, 'already known')]],
  ['known, said with its hash', [error(-32_000, `known transaction: ${hash}`)]],
  ['known, in the words of Besu', [error(-32_000, 'already imported')]],
  ['a nonce too low of a transaction in a block', [nonceTooLow], known],
  ['the same with the code of a rejection', [error(-32_003, 'nonce too low')], known],
  ['a nonce that was used by this transaction', [error(-32_000, 'nonce has already been used')], known],
  ['one node reverts it', [error(3, 'execution reverted'), accepted]],
  ['both accept it', [accepted]],
  ['one answers 500', [fails, accepted]],
  ['one resets', [resets, accepted]],
  ['one finds it underpriced', [error(-32_000, 'tx underpriced'), accepted]],
  [
    'one has a transaction of higher priority',
    [error(-32_603, 'An existing transaction had higher priority'), accepted],
  ],
  ['both answer 500, and it is in the network', [fails], known],
  ['both take too long, and it is in the network', [hangs], known],
  ['one knows it while the other one accepts it', [alreadyKnown, accepted]],
  ['one limits us', [limited, accepted]],
]

/** An error is the answer. */
const errors: readonly (readonly [...row: Row, error: object])[] = [
  ['a nonce too low of another transaction', [nonceTooLow], {}, { code: -32_000, message: 'nonce too low' }],
  [
    'a nonce too low that nobody can look up',
    [nonceTooLow],
    { eth_getTransactionByHash: error(-32_000, 'internal error') },
    { code: -32_000, message: 'nonce too low' },
  ],
  [
    'a nonce too low, and the look-up finds another transaction',
    [nonceTooLow],
    { eth_getTransactionByHash: { hash: `0x${'de'.repeat(32)}` } },
    { code: -32_000, message: 'nonce too low' },
  ],
  [
    'a nonce too low, and the look-up finds one without a hash',
    [nonceTooLow],
    { eth_getTransactionByHash: { nonce: '0x7' } },
    { code: -32_000, message: 'nonce too low' },
  ],
  ['both revert it', [reverted], {}, { code: 3, message: 'execution reverted: insufficient balance' }],
  [
    'a replacement that pays too little',
    [error(-32_000, 'replacement transaction underpriced')],
    {},
    { code: -32_000, message: 'replacement transaction underpriced' },
  ],
  [
    'too little money for it',
    [error(-32_000, 'insufficient funds for gas * price + value')],
    {},
    { message: 'insufficient funds for gas * price + value' },
  ],
  [
    'a fee below that of the block',
    [error(-32_000, 'max fee per gas less than block base fee')],
    {},
    { message: 'max fee per gas less than block base fee' },
  ],
  ['both reject it', [error(-32_603, 'rejected')], {}, { code: -32_603, message: 'rejected' }],
  [
    'a type that no node supports',
    [error(-32_000, 'transaction type not supported')],
    {},
    { message: 'transaction type not supported' },
  ],
  [
    'one says nonce too low and one answers 403',
    [nonceTooLow, plain('403 Forbidden')],
    {},
    { message: 'nonce too low' },
  ],
  [
    'a sender over the limit of the sequencer',
    [error(-32_017, 'sender is over rate limit', '429 Too Many Requests')],
    {},
    { code: -32_017, message: 'sender is over rate limit' },
  ],
]

const settings = { firstByteMs: 400 }
const cases: readonly BorrowedCase[] = [
  ...hashes.map(([name, replies, knows = {}]): BorrowedCase => ({
    name,
    sent,
    replies,
    knows,
    settings,
    gets: { result: hash },
    asked: 2,
  })),
  ...errors.map(([name, replies, knows = {}, said]): BorrowedCase => ({
    name,
    sent,
    replies,
    knows,
    settings,
    gets: { error: said },
    asked: 2,
  })),
  ...(
    [
      ['a legacy transaction that is known', legacy],
      ['an access list that is known', accessList],
      ['a deployment that is known', deployment],
    ] as const
  ).map(([name, raw]): BorrowedCase => ({
    name,
    sent: [send, raw],
    replies: [alreadyKnown],
    gets: { result: hashOf(raw) },
    asked: 2,
  })),
  {
    name: 'bytes that are no transaction, and are known',
    sent: [send, '0xinvalid'],
    replies: [alreadyKnown],
    gets: { error: { code: -32_000, message: 'already known' } },
    asked: 2,
  },
  {
    name: 'no transaction at all',
    sent: [send],
    replies: [error(-32_602, 'invalid argument 0: missing value')],
    gets: { error: { code: -32_602, message: 'invalid argument 0: missing value' } },
    asked: 2,
  },
  {
    name: 'a number in the place of a transaction',
    sent: [send, 12_345],
    replies: [error(-32_602, 'invalid argument 0: hex string expected')],
    gets: { error: { code: -32_602, message: 'invalid argument 0: hex string expected' } },
    asked: 2,
  },
  {
    name: 'three nodes get it, and the slow ones are not waited for',
    sent,
    nodes: 3,
    replies: [accepted, hangs],
    gets: { result: hash },
    asked: 3,
  },
  {
    name: 'unauthorized, 500 and accepted',
    sent,
    nodes: 3,
    replies: [plain('401 Unauthorized'), fails, accepted],
    gets: { status: 200, result: hash },
    asked: 3,
  },
  {
    name: 'accepted, known and reverted',
    sent,
    nodes: 3,
    replies: [error(3, 'execution reverted'), alreadyKnown, accepted],
    gets: { result: hash },
    asked: 3,
  },
  {
    name: 'both answer 500, and it is not in the network',
    sent,
    replies: [fails],
    gets: { status: 502, error: { code: -32_002 } },
    asked: 2,
  },
  {
    name: 'both limit us',
    sent,
    replies: [limited],
    gets: { status: 503, error: { data: { reason: 'upstream_limited' } } },
    asked: 2,
  },
]

testBorrowedCases(cases)
