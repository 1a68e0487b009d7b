import {
  account,
  type BorrowedCase,
  error,
  hangs,
  plain,
  resets,
  result,
  says,
  testBorrowedCases,
} from '../support/borrowed-cases.ts'

/**
 * What a running server makes of errors of nodes, in cases that the authors of other relays have met. Where each comes from
 * is in `server/relay/borrowed-cases.md`.
 */

const balance = ['eth_getBalance', account, '0x10'] as const
const trace = ['debug_traceTransaction', `0x${'12'.repeat(32)}`] as const
const reverts = error(-32_000, 'historical backend error: execution reverted: Dai/insufficient-balance')
const good = result('0x5')
const poor =
  'insufficient funds for gas * price + value: address 0xD9F2 have 22995378262500 want 123605240381889'

const cases: readonly BorrowedCase[] = [
  // A node fails: the next one is asked.
  ...[
    ['an empty 200', plain('200 OK')],
    ['text with 200', plain('200 OK', 'this data is not JSON!')],
    ['300', plain('300 Multiple Choices')],
    ['301', plain('301 Moved Permanently')],
    ['302', plain('302 Found')],
    ['401', plain('401 Unauthorized')],
    ['403', plain('403 Forbidden')],
    ['429', plain('429 Too Many Requests')],
    ['500', plain('500 Internal Server Error')],
    ['503', plain('503 Service Unavailable')],
  ].map(([name, first]): BorrowedCase => ({
    name: `failover from ${name as string}`,
    sent: balance,
    replies: [first as typeof good, good],
    gets: { status: 200, result: '0x5' },
    asked: 2,
  })),
  {
    name: 'failover from a node that takes too long',
    sent: balance,
    replies: [hangs, good],
    settings: { firstByteMs: 300 },
    gets: { status: 200, result: '0x5' },
    asked: 2,
  },
  {
    name: 'failover from a connection that breaks',
    sent: balance,
    replies: [resets, good],
    gets: { status: 200, result: '0x5' },
    asked: 2,
  },
  {
    name: 'all nodes take too long',
    sent: balance,
    replies: [hangs],
    settings: { firstByteMs: 200 },
    gets: { status: 504, error: { code: -32_002 } },
    asked: 2,
  },
  {
    name: 'all nodes answer 503',
    sent: balance,
    replies: [plain('503 Service Unavailable', '{"error":"random rpc1 unavailable"}')],
    gets: { status: 502, error: { code: -32_002 } },
    asked: 2,
  },
  {
    name: 'all nodes limit us',
    sent: balance,
    replies: [plain('429 Too Many Requests', '', 'retry-after: 7\r\n')],
    gets: { status: 503, error: { data: { reason: 'upstream_limited' } } },
    asked: 2,
  },
  {
    name: 'unauthorized, then unavailable, then an answer',
    sent: trace,
    nodes: 3,
    replies: [
      error(-32_016, 'unauthorized rpc1', '401 Unauthorized'),
      plain('503 Service Unavailable', '{"error":"random rpc2 unavailable"}'),
      result('0x1234567'),
    ],
    gets: { result: '0x1234567' },
    asked: 3,
  },
  {
    name: 'an internal error in 200',
    sent: balance,
    replies: [error(-32_603, 'internal error'), good],
    gets: { result: '0x5' },
    asked: 2,
  },
  {
    name: 'an error without a code in 500',
    sent: balance,
    replies: [says(() => ({ error: { message: 'Internal error' } }), '500 Internal Server Error'), good],
    gets: { result: '0x5' },
    asked: 2,
  },
  {
    name: 'a plan that is used up',
    sent: balance,
    replies: [error(-32_600, 'Monthly capacity limit exceeded.', '503 Service Unavailable'), good],
    gets: { result: '0x5' },
    asked: 2,
  },
  {
    name: 'the limit of requests a second',
    sent: ['eth_getLogs', { address: account, fromBlock: '0x1', toBlock: '0x2' }],
    replies: [
      error(-32_007, '300/second request limit reached - reduce calls per second', '429 Too Many Requests'),
      result([{ logIndex: '0x1' }]),
    ],
    gets: { result: [{ logIndex: '0x1' }] },
    asked: 2,
  },
  {
    name: 'the words of a proxy in 200',
    sent: balance,
    replies: [plain('200 OK', 'error code: 1015'), good],
    gets: { result: '0x5' },
    asked: 2,
  },
  {
    name: 'a limit that sounds like a size',
    sent: ['eth_getLogs', { fromBlock: '0x1', toBlock: '0x40' }],
    replies: [error(-32_000, 'Exceeded max limit of 100 requests per second'), result([])],
    gets: { result: [] },
    asked: 2,
  },
  {
    name: 'an internal error in words of its own',
    sent: trace,
    replies: [error(-39_999, 'my funky random error', '500 Internal Server Error')],
    gets: { status: 502, error: { code: -32_002 } },
    asked: 2,
  },
  // An outcome of the call is its answer, whoever says it.
  {
    name: 'a revert of a call',
    sent: ['eth_call', { to: account, data: '0xa4baa10c' }, '0x10'],
    nodes: 3,
    replies: [reverts],
    gets: {
      error: {
        code: -32_000,
        message: 'historical backend error: execution reverted: Dai/insufficient-balance',
      },
    },
    asked: 1,
  },
  {
    name: 'the data of a revert',
    sent: ['eth_call', { to: account }, '0x10'],
    replies: [error(3, 'execution reverted: no', '200 OK', '0x08c379a0')],
    gets: { error: { code: 3, message: 'execution reverted: no', data: '0x08c379a0' } },
    asked: 1,
  },
  {
    name: 'too little money in a live call',
    sent: ['eth_call', { to: account, value: '0x1' }, '0x10'],
    replies: [error(-32_000, 'insufficient funds for gas * price + value')],
    gets: { error: { message: 'insufficient funds for gas * price + value' } },
    asked: 1,
  },
  {
    name: 'too little money in a trace of a block',
    sent: ['trace_block', '0x10'],
    replies: [error(-32_000, `txIndex 2: ${poor}`), result([{ type: 'call' }])],
    gets: { result: [{ type: 'call' }] },
    asked: 2,
  },
  {
    name: 'too little money in a trace of a transaction',
    sent: trace,
    replies: [error(-32_000, 'insufficient balance'), good],
    gets: { result: '0x5' },
    asked: 2,
  },
  {
    name: 'arguments that a node calls invalid',
    sent: ['eth_call', { to: '0x123' }, '0x10'],
    replies: [error(-32_602, 'value is not an object', '400 Bad Request'), good],
    gets: { status: 200, error: { code: -32_602, message: 'value is not an object' } },
    asked: 1,
  },
  {
    name: 'a pending block that one node does not have',
    sent: ['eth_call', { to: account }, 'pending'],
    replies: [error(-32_000, 'pending block is not available', '400 Bad Request'), good],
    gets: { result: '0x5' },
    asked: 2,
  },
  {
    name: 'a method that one node does not have',
    sent: trace,
    replies: [error(-32_601, 'the method debug_traceTransaction does not exist/is not available'), good],
    gets: { result: '0x5' },
    asked: 2,
  },
  {
    name: 'a method that no node has',
    sent: trace,
    replies: [error(-32_601, 'the method debug_traceTransaction does not exist/is not available')],
    gets: {
      error: { code: -32_601, message: 'the method debug_traceTransaction does not exist/is not available' },
    },
    asked: 2,
  },
  // What one node lacks, another one may have.
  {
    name: 'state that one node has pruned',
    sent: balance,
    replies: [error(-32_000, 'missing trie node 5d1f (path 00) state is not available'), good],
    gets: { result: '0x5' },
    asked: 2,
  },
  {
    name: 'state that no node has',
    sent: balance,
    replies: [error(-32_000, 'missing trie node')],
    gets: { error: { message: 'missing trie node' } },
    asked: 2,
  },
  {
    name: 'nothing at first, then a receipt',
    sent: ['eth_getTransactionReceipt', `0x${'12'.repeat(32)}`],
    replies: [result(null), result({ blockNumber: '0x10' })],
    gets: { result: { blockNumber: '0x10' } },
    asked: 2,
  },
  {
    name: 'nothing at first, then a transaction',
    sent: ['eth_getTransactionByHash', `0x${'12'.repeat(32)}`],
    nodes: 3,
    replies: [result(null), result(null), result({ nonce: '0x1' })],
    gets: { result: { nonce: '0x1' } },
    asked: 3,
  },
  {
    name: 'nothing at all nodes',
    sent: ['eth_getTransactionReceipt', `0x${'12'.repeat(32)}`],
    replies: [result(null)],
    gets: { result: null },
    asked: 2,
  },
  {
    name: 'a failure, then nothing',
    sent: ['eth_getTransactionReceipt', `0x${'12'.repeat(32)}`],
    replies: [plain('500 Internal Server Error'), result(null)],
    gets: { result: null },
    asked: 2,
  },
  {
    name: 'nothing, then a failure',
    sent: ['eth_getTransactionReceipt', `0x${'12'.repeat(32)}`],
    replies: [result(null), plain('500 Internal Server Error')],
    gets: { result: null },
    asked: 2,
  },
  {
    name: 'an answer at first',
    sent: ['eth_getTransactionReceipt', `0x${'12'.repeat(32)}`],
    replies: [result({ blockNumber: '0x10' }), resets],
    gets: { result: { blockNumber: '0x10' } },
    asked: 1,
  },
  {
    name: 'empty code is an answer',
    sent: ['eth_call', { to: account }, '0x10'],
    replies: [result('0x'), good],
    gets: { result: '0x' },
    asked: 1,
  },
  {
    name: 'no logs are an answer',
    sent: ['eth_getLogs', { fromBlock: '0x1', toBlock: '0x2' }],
    replies: [result([]), result([{ logIndex: '0x1' }])],
    gets: { result: [] },
    asked: 1,
  },
]

testBorrowedCases(cases)
