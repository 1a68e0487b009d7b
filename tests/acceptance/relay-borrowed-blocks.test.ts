import { Wallet } from 'ethers'

import {
  account,
  type BorrowedCase,
  error,
  head,
  type NodeReply,
  plain,
  result,
  says,
  testBorrowedCases,
} from '../support/borrowed-cases.ts'
import { hex } from '../../scripts/world/one-chain/chain-follower.ts'

/**
 * Newest blocks and cached answers of a running server, in cases that the authors of other relays have met. Where each
 * comes from is in `server/relay/borrowed-cases.md`. The nodes are at block 0x100 if they say nothing else.
 */

const hash = `0x${'12'.repeat(32)}`
const finalized = ['eth_getBlockByNumber', 'finalized', false] as const
const raw = await new Wallet(`0x${'11'.repeat(32)}`).signTransaction({
  to: account.toLowerCase(),
  nonce: 1,
  gasLimit: 21_000,
  gasPrice: 1,
  chainId: 31_337,
  type: 0,
})

const unavailable = plain('503 Service Unavailable')

// The newest block.

const echo = (parameter: number): NodeReply => says(({ params }) => ({ result: params[parameter] ?? null }))
const heights = (...told: readonly number[]): readonly NodeReply[] =>
  told.map((height) => result(hex(height)))
/** A node that is at 0xf8, and that has 0x100 when it is asked for it. */
const behind = says(({ params: [at] }) => ({ result: { number: at === 'latest' ? '0xf8' : at } }))
const call = { to: account }

const aboutTips: readonly BorrowedCase[] = [
  {
    name: 'a number below the newest one told',
    sent: head,
    times: 2,
    replies: heights(0x1000, 0xff8),
    gets: { result: '0x1000' },
    asked: 2,
  },
  {
    name: 'a number above the newest one told',
    sent: head,
    times: 2,
    replies: heights(0x1000, 0x1002),
    gets: { result: '0x1002' },
    asked: 2,
  },
  { name: 'the first number', sent: head, replies: heights(0x800), gets: { result: '0x800' }, asked: 1 },
  {
    name: 'a newest block that is older than the one told',
    before: [head],
    sent: ['eth_getBlockByNumber', 'latest', false],
    replies: [behind],
    gets: { result: { number: '0x100' } },
    asked: 2,
  },
  {
    name: 'a newest block that is newer than the one told',
    before: [head],
    sent: ['eth_getBlockByNumber', 'latest', false],
    replies: [result({ number: '0x120' })],
    gets: { result: { number: '0x120' } },
    asked: 1,
  },
  {
    name: 'a block by its number is not exchanged',
    before: [head],
    sent: ['eth_getBlockByNumber', '0x77', false],
    replies: [says(({ params: [at] }) => ({ result: { number: at } }))],
    gets: { result: { number: '0x77' } },
    asked: 1,
  },
  {
    name: 'the earliest block is not exchanged',
    before: [head],
    sent: ['eth_getBlockByNumber', 'earliest', false],
    replies: [result({ number: '0x0' })],
    gets: { result: { number: '0x0' } },
    asked: 1,
  },
  {
    name: 'a block that was told and that one node lacks',
    before: [head],
    sent: ['eth_getBlockByNumber', '0x100', false],
    replies: [result(null), result({ number: '0x100' })],
    gets: { result: { number: '0x100' } },
    asked: 2,
  },
  {
    name: 'a block that nobody has',
    before: [head],
    sent: ['eth_getBlockByNumber', '0x169', false],
    replies: [result(null)],
    gets: { result: null },
    asked: 1,
  },
  {
    name: 'latest in a call becomes a number',
    before: [head],
    sent: ['eth_call', call, 'latest'],
    replies: [echo(1)],
    gets: { result: '0x100' },
    asked: 1,
  },
  {
    name: 'finalized in a call becomes a number',
    before: [head, finalized],
    sent: ['eth_call', call, 'finalized'],
    replies: [echo(1)],
    gets: { result: '0x100' },
    asked: 1,
  },
  {
    name: 'pending stays as it is',
    before: [head],
    sent: ['eth_call', call, 'pending'],
    replies: [echo(1)],
    gets: { result: 'pending' },
    asked: 1,
  },
  {
    name: 'latest in a balance becomes a number',
    before: [head],
    sent: ['eth_getBalance', account, 'latest'],
    replies: [echo(1)],
    gets: { result: '0x100' },
    asked: 1,
  },
  {
    name: 'latest in a slot of storage becomes a number',
    before: [head],
    sent: ['eth_getStorageAt', account, '0x0', 'latest'],
    replies: [echo(2)],
    gets: { result: '0x100' },
    asked: 1,
  },
  {
    name: 'latest in code becomes a number',
    before: [head],
    sent: ['eth_getCode', account, 'latest'],
    replies: [echo(1)],
    gets: { result: '0x100' },
    asked: 1,
  },
  {
    name: 'latest in an estimate becomes a number',
    before: [head],
    sent: ['eth_estimateGas', call, 'latest'],
    replies: [echo(1)],
    gets: { result: '0x100' },
    asked: 1,
  },
  {
    name: 'latest in trace_call becomes a number',
    before: [head],
    sent: ['trace_call', call, ['trace'], 'latest'],
    replies: [echo(2)],
    gets: { result: '0x100' },
    asked: 1,
  },
  {
    name: 'latest in debug_traceCall becomes a number',
    before: [head],
    sent: ['debug_traceCall', call, 'latest'],
    replies: [echo(1)],
    gets: { result: '0x100' },
    asked: 1,
  },
  {
    name: 'an object that names a block stays an object',
    before: [head],
    sent: ['eth_call', call, { blockNumber: '0x77' }],
    replies: [echo(1)],
    gets: { result: { blockNumber: '0x77' } },
    asked: 1,
  },
  {
    name: 'latest before anything is known stays as it is',
    sent: ['eth_call', call, 'latest'],
    replies: [echo(1)],
    gets: { result: 'latest' },
    asked: 1,
  },
]

// What is answered without a node.

const aboutCaches: readonly BorrowedCase[] = [
  {
    name: 'the id of the chain twice',
    sent: ['eth_chainId'],
    times: 2,
    replies: [result('0x7a69')],
    gets: { result: '0x7a69' },
    asked: 1,
  },
  {
    name: 'the id of the network twice',
    sent: ['net_version'],
    times: 2,
    replies: [result('31337')],
    gets: { result: '31337' },
    asked: 1,
  },
  {
    name: 'a balance of a final block twice',
    before: [head, finalized],
    sent: ['eth_getBalance', account, '0x1'],
    times: 2,
    replies: [result('0xabc')],
    gets: { result: '0xabc' },
    asked: 1,
  },
  {
    name: 'a receipt of a final block twice',
    before: [head, finalized],
    sent: ['eth_getTransactionReceipt', hash],
    times: 2,
    replies: [result({ blockNumber: '0x10', blockHash: hash })],
    gets: { result: { blockNumber: '0x10' } },
    asked: 1,
  },
  {
    name: 'nothing is not kept',
    nodes: 1,
    before: [head, finalized],
    sent: ['eth_getBlockByHash', hash, false],
    times: 2,
    replies: [result(null), result({ number: '0x10', hash })],
    gets: { result: { number: '0x10' } },
    asked: 2,
  },
  {
    name: 'an error is not kept',
    before: [head, finalized],
    sent: ['eth_call', call, '0x10'],
    times: 2,
    replies: [error(3, 'execution reverted'), result('0x5')],
    gets: { result: '0x5' },
    asked: 2,
  },
  {
    name: 'the number of the newest block is not kept',
    sent: head,
    times: 2,
    replies: heights(1, 2),
    gets: { result: '0x2' },
    asked: 2,
  },
  {
    name: 'a pending call is not kept',
    before: [head],
    sent: ['eth_call', call, 'pending'],
    times: 2,
    replies: heights(1, 2),
    gets: { result: '0x2' },
    asked: 2,
  },
  {
    name: 'a transaction is not kept',
    sent: ['eth_sendRawTransaction', raw],
    times: 2,
    replies: [result(hash)],
    gets: { result: hash },
    asked: 4,
  },
  {
    name: 'ten equal calls at once are one',
    atOnce: 10,
    sent: ['eth_getBalance', account, '0x10'],
    replies: [(...answering) => void setTimeout(() => result('0x1')(...answering), 300)],
    gets: { result: '0x1' },
    asked: 1,
  },
  {
    name: 'ten equal calls at once that fail',
    atOnce: 10,
    sent: ['eth_getBalance', account, '0x10'],
    replies: [(...answering) => void setTimeout(() => unavailable(...answering), 300)],
    gets: { status: 502 },
    asked: 2,
  },
]

const cases = [...aboutTips, ...aboutCaches]
testBorrowedCases(cases)
