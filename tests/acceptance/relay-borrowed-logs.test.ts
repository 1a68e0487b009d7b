import {
  account,
  type BorrowedCase,
  error,
  head,
  type NodeCall,
  type NodeReply,
  plain,
  result,
  says,
  testBorrowedCases,
} from '../support/borrowed-cases.ts'
import { hex } from '../../scripts/world/one-chain/chain-follower.ts'

/**
 * Logs by a running server, in cases that the authors of other relays have met. Where each comes from is in
 * `server/relay/borrowed-cases.md`. The nodes are at block 0x100.
 */

const hash = `0x${'12'.repeat(32)}`

interface Range {
  readonly from: number
  readonly to: number
}

const rangeOf = ({ params: [filter] }: NodeCall): Range => {
  const { fromBlock, toBlock } = filter as { readonly fromBlock: string; readonly toBlock: string }
  return { from: Number(fromBlock), to: Number(toBlock) }
}
/** A log in every sixteenth block. */
const logsIn = ({ from, to }: Range): object[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)
    .filter((height) => height % 16 === 0)
    .map((height) => ({ blockNumber: hex(height) }))

/** Answers so many blocks at a time, else with this error. Ranges that begin at a key of `odd` are answered so, once each. */
function logs(
  blocks: number,
  code: number,
  message: string,
  data?: unknown,
  odd: Record<number, NodeReply[]> = {},
): NodeReply {
  return (request, calls, isBatch) => {
    const [call] = calls
    const range = call === undefined ? { from: 0, to: 0 } : rangeOf(call)
    const isLarge = range.to - range.from + 1 > blocks
    const reply = isLarge
      ? error(code, message, '200 OK', data)
      : (odd[range.from]?.shift() ?? result(logsIn(range)))
    reply(request, calls, isBatch)
  }
}

const filter = (from: number, to: number, more: object = {}) => ({
  address: account,
  fromBlock: hex(from),
  toBlock: hex(to),
  ...more,
})
const allLogs = ['eth_getLogs', filter(0, 0x7f)] as const
const all = { result: logsIn({ from: 0, to: 0x7f }) }
const tooLarge = 'query returned more than 10000 results'
const unavailable = plain('503 Service Unavailable')
const never = [unavailable, unavailable, unavailable, unavailable]
const missing = [1, 2, 3, 4].map(() => error(-32_000, 'missing trie node'))
const late: NodeReply = (...answering) =>
  void setTimeout(() => result(logsIn({ from: 0, to: 0x3f }))(...answering), 60)

type Row = Omit<BorrowedCase, 'sent'> & Partial<Pick<BorrowedCase, 'sent'>>

const rows: readonly Row[] = [
  { name: 'logs in two parts after an error', replies: [logs(0x40, -32_005, tooLarge)], gets: all, asked: 4 },
  {
    name: 'logs that are too much for jsonrpsee',
    replies: [logs(0x40, -32_008, 'Response is too big', 'Exceeded max limit of 167772160')],
    gets: all,
    asked: 4,
  },
  { name: 'logs in parts of parts', replies: [logs(0x20, -32_005, tooLarge)], gets: all, asked: 10 },
  {
    name: 'logs in parts of the size that a node told',
    replies: [logs(0x20, -32_000, 'block range too large, maximum allowed is 32 blocks')],
    gets: all,
    asked: 6,
  },
  {
    name: 'logs in parts from the second call on',
    times: 2,
    replies: [logs(0x20, -32_000, 'eth_getLogs is limited to a 32 block range')],
    gets: all,
    asked: 10,
  },
  {
    name: 'logs in order when the first part is late',
    replies: [logs(0x40, -32_005, tooLarge, undefined, { 0: [late] })],
    gets: all,
    asked: 4,
  },
  {
    name: 'a part of logs that is asked for again',
    replies: [logs(0x40, -32_005, tooLarge, undefined, { 0x40: [unavailable] })],
    gets: all,
    asked: 5,
  },
  {
    name: 'a part of logs that no node answers',
    replies: [logs(0x40, -32_005, tooLarge, undefined, { 0x40: never })],
    gets: { error: { code: -32_005, message: tooLarge } },
    asked: 5,
  },
  {
    name: 'a part of logs that all nodes have pruned',
    replies: [logs(0x40, -32_005, tooLarge, undefined, { 0x40: missing })],
    gets: { error: { code: -32_005, message: tooLarge } },
    asked: 5,
  },
  {
    name: 'a part of logs that is empty',
    replies: [logs(0x40, -32_005, tooLarge, undefined, { 0x40: [result([])] })],
    gets: { result: logsIn({ from: 0, to: 0x3f }) },
    asked: 4,
  },
  {
    name: 'the range of a proxy',
    sent: ['eth_getLogs', filter(0, 0xc8)],
    replies: [logs(101, -32_600, 'block range greater than 100 max')],
    gets: { result: logsIn({ from: 0, to: 0xc8 }) },
    asked: 4,
  },
  {
    name: 'one block with too many logs',
    sent: ['eth_getLogs', filter(1, 1)],
    replies: [error(-32_005, tooLarge)],
    gets: { error: { message: tooLarge } },
    asked: 2,
  },
  {
    name: 'too many addresses',
    replies: [error(-32_000, 'please specify less number of address')],
    gets: { error: { message: 'please specify less number of address' } },
    asked: 2,
  },
  {
    name: 'too many topics at one place',
    replies: [error(-32_000, 'exceed max addresses or topics per search position')],
    gets: { error: { message: 'exceed max addresses or topics per search position' } },
    asked: 2,
  },
  {
    name: 'the logs of a block by its hash',
    sent: ['eth_getLogs', { blockHash: hash }],
    replies: [says(({ params }) => ({ result: params }))],
    gets: { result: [{ blockHash: hash }] },
    asked: 1,
  },
  {
    name: 'a range that ends before it begins',
    sent: ['eth_getLogs', filter(9, 3)],
    replies: [error(-32_602, 'invalid block range params')],
    gets: { error: { code: -32_602, message: 'invalid block range params' } },
    asked: 2,
  },
  {
    name: 'the tag of a range becomes a number',
    before: [head],
    sent: ['eth_getLogs', { fromBlock: '0xf0', toBlock: 'latest' }],
    replies: [logs(1_000, 0, '')],
    gets: { result: logsIn({ from: 0xf0, to: 0x100 }) },
    asked: 1,
  },
  {
    name: 'logs of blocks that nobody has',
    before: [head],
    sent: ['eth_getLogs', filter(0xf0, 0x2000)],
    replies: [result([])],
    gets: { error: { code: -32_602, data: { reason: 'beyond_head' } } },
    asked: 0,
  },
]
const cases = rows.map((row): BorrowedCase => ({ sent: allLogs, ...row }))

testBorrowedCases(cases)
