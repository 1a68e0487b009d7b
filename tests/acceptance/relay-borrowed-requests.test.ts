import {
  type BorrowedCase,
  error,
  type NodeCall,
  type NodeReply,
  plain,
  result,
  says,
  testBorrowedCases,
} from '../support/borrowed-cases.ts'

/**
 * What a running server makes of the bodies of requests and of answers, single and in batches, in cases that the authors of
 * other relays have met. Where each comes from is in `server/relay/borrowed-cases.md`.
 */

const hello = result('hello')
const noRequest = { status: 400, error: { code: -32_600 } }
const entryRefused = [{ id: null, error: { code: -32_600 } }]

/** Bodies that are refused before any node is asked. */
const refused: readonly (readonly [name: string, body: string, gets: BorrowedCase['gets']])[] = [
  ['a body that is no JSON', "this ain't an RPC call", { status: 400, error: { code: -32_700 } }],
  ['a body that is no call', '{"not": "rpc"}', noRequest],
  ['an array for an id', '{"jsonrpc":"2.0","method":"eth_chainId","params":[42],"id":[]}', noRequest],
  ['an object for an id', '{"jsonrpc":"2.0","method":"eth_chainId","params":[42],"id":{}}', noRequest],
  ['a number for a method', '{"jsonrpc":"2.0","method":7,"params":[42],"id":1}', noRequest],
  ['the version 1.0', '{"jsonrpc":"1.0","method":"subtract","params":[42],"id":1}', noRequest],
  ['no method', '{"jsonrpc":"2.0","params":[42],"id":1}', noRequest],
  [
    'a method that is not offered',
    '{"jsonrpc":"2.0","method":"subtract","params":[42],"id":999}',
    { status: 200, error: { code: -32_601 } },
  ],
  ['an empty batch', '[]', noRequest],
  ['a batch that is no JSON', '[{,]', { status: 400, error: { code: -32_700 } }],
  ['a batch of a number', '[123]', entryRefused],
  ['a batch of what is no call', '[{"not": "rpc"}]', entryRefused],
  [
    'an array for an id in a batch',
    '[{"jsonrpc":"2.0","method":"subtract","params":[42],"id":[]}]',
    entryRefused,
  ],
  ['no method in a batch', '[{"jsonrpc":"2.0","params":[42],"id":1}]', [{ id: 1, error: { code: -32_600 } }]],
  [
    'the version 1.0 in a batch',
    '[{"jsonrpc":"1.0","method":"subtract","id":1}]',
    [{ id: 1, error: { code: -32_600 } }],
  ],
]

const batch = (...calls: readonly (readonly [id: number | string, method: string, ...params: unknown[]])[]) =>
  JSON.stringify(calls.map(([id, method, ...params]) => ({ jsonrpc: '2.0', id, method, params })))

/** Answers entries in the opposite order. */
const backwards: NodeReply = (request, calls, isBatch) =>
  says(({ method, params }) => ({ result: `${method} ${JSON.stringify(params)}` }))(
    request,
    calls.toReversed(),
    isBatch,
  )
const byMethod = (answers: Readonly<Record<string, object | null>>): NodeReply =>
  says(({ method }: NodeCall) => answers[method] ?? null)

const cases: readonly BorrowedCase[] = [
  ...refused.map(([name, sent, gets]): BorrowedCase => ({ name, sent, gets, replies: [hello], asked: 0 })),
  {
    name: 'a batch of what is good and what is not',
    sent: '[{"jsonrpc":"2.0","method":"eth_gasPrice","params":[],"id":123},{"jsonrpc":"2.0","method":"subtract","params":[42],"id":999},123]',
    replies: [hello],
    gets: [
      { id: 123, result: 'hello' },
      { id: 999, error: { code: -32_601 } },
      { id: null, error: { code: -32_600 } },
    ],
    asked: 1,
  },
  {
    name: 'answers of a batch out of order',
    sent: batch(
      [1, 'eth_getBalance', '0x1', '0x1'],
      [2, 'eth_getBalance', '0x2', '0x1'],
      [3, 'eth_getBalance', '0x3', '0x1'],
    ),
    replies: [backwards],
    gets: [
      { id: 1, result: 'eth_getBalance ["0x1","0x1"]' },
      { id: 2, result: 'eth_getBalance ["0x2","0x1"]' },
      { id: 3, result: 'eth_getBalance ["0x3","0x1"]' },
    ],
    asked: 1,
  },
  {
    name: 'the same id four times in a batch',
    sent: batch(
      [1, 'eth_gasPrice'],
      [1, 'eth_getBalance', '0x1', '0x1'],
      [1, 'eth_getCode', '0x1', '0x1'],
      [1, 'eth_gasPrice'],
    ),
    replies: [backwards],
    gets: [
      { id: 1, result: 'eth_gasPrice []' },
      { id: 1, result: 'eth_getBalance ["0x1","0x1"]' },
      { id: 1, result: 'eth_getCode ["0x1","0x1"]' },
      { id: 1, result: 'eth_gasPrice []' },
    ],
    asked: 1,
  },
  {
    name: 'one error for a whole batch',
    sent: batch([1, 'eth_gasPrice'], [2, 'eth_gasPrice']),
    replies: [
      (request, calls) =>
        error(-32_001, 'internal server error', '500 Internal Server Error')(request, calls, false),
      hello,
    ],
    gets: [
      { id: 1, result: 'hello' },
      { id: 2, result: 'hello' },
    ],
    asked: 2,
  },
  {
    name: 'one error for a batch in 200, from both nodes',
    sent: batch([1, 'eth_gasPrice'], [2, 'eth_gasPrice']),
    replies: [(request, calls) => error(-32_011, 'some error')(request, calls, false)],
    gets: [
      { id: 1, error: { code: -32_002 } },
      { id: 2, error: { code: -32_002 } },
    ],
    asked: 2,
  },
  {
    name: 'text for a batch',
    sent: batch([1, 'eth_gasPrice'], [2, 'eth_gasPrice'], [3, 'eth_gasPrice'], [4, 'eth_gasPrice']),
    replies: [plain('200 OK', 'this data is not JSON!'), hello],
    gets: [1, 2, 3, 4].map((id) => ({ id, result: 'hello' })),
    asked: 2,
  },
  {
    name: 'a batch that a node cancels because of one entry',
    sent: batch([32, 'eth_gasPrice'], [43, 'eth_getBalance', '0x1', '0x1']),
    replies: [
      byMethod({
        eth_gasPrice: { error: { code: -32_601, message: 'method not found' } },
        eth_getBalance: {
          error: { code: -32_000, message: 'Cancelled due to validation errors in batch request' },
        },
      }),
      byMethod({ eth_gasPrice: { result: '0x1' }, eth_getBalance: { result: '0x22222222222222' } }),
    ],
    gets: [
      { id: 32, result: '0x1' },
      { id: 43, result: '0x22222222222222' },
    ],
    asked: 2,
  },
  {
    name: 'an entry of a batch that a node leaves out',
    sent: batch([1, 'eth_gasPrice'], ['b', 'eth_getBalance', '0x1', '0x1']),
    replies: [byMethod({ eth_getBalance: { result: '0x2' } }), byMethod({ eth_gasPrice: { result: '0x1' } })],
    gets: [
      { id: 1, result: '0x1' },
      { id: 'b', result: '0x2' },
    ],
    asked: 2,
  },
  {
    name: 'accounts of a node in a batch',
    sent: batch([1, 'eth_gasPrice'], [2, 'eth_accounts']),
    replies: [hello],
    gets: [
      { id: 1, result: 'hello' },
      { id: 2, result: [] },
    ],
    asked: 1,
  },
  {
    name: 'an answer that is too large',
    sent: ['debug_traceTransaction', `0x${'12'.repeat(32)}`],
    replies: [result('x'.repeat(2_000))],
    settings: { answerBytes: 1_024 },
    gets: { status: 502, error: { code: -32_002, data: { reason: 'answer_too_large' } } },
    asked: 1,
  },
  {
    name: 'a batch that is too large',
    sent: JSON.stringify(
      Array.from({ length: 1_001 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'eth_gasPrice' })),
    ),
    replies: [hello],
    gets: { status: 413, error: { code: -32_600, data: { reason: 'batch_too_large' } } },
    asked: 0,
  },
  {
    name: 'a call without parameters',
    sent: '{"jsonrpc":"2.0","method":"eth_gasPrice","id":0}',
    replies: [hello],
    gets: { status: 200, result: 'hello' },
    asked: 1,
  },
  ...[{ number: '0x11' }, false, 1_122, 'test', [{ num: 1 }, { num: 2 }]].map((value): BorrowedCase => ({
    name: `a result that is ${Array.isArray(value) ? 'an array' : `of the type ${typeof value}`}`,
    sent: ['eth_gasPrice'],
    replies: [result(value)],
    gets: { result: value },
    asked: 1,
  })),
  {
    name: 'an error with data that are text',
    sent: ['eth_call', { to: '0x1' }, '0x1'],
    replies: [error(-32_000, 'execution reverted', '200 OK', 'data-error')],
    gets: { error: { code: -32_000, message: 'execution reverted', data: 'data-error' } },
    asked: 1,
  },
  {
    name: 'an error with data that are an object',
    sent: ['eth_call', { to: '0x1' }, '0x1'],
    replies: [error(-111, 'Data object error', '200 OK', { key: 'value' })],
    gets: { error: { code: -111, message: 'Data object error', data: { key: 'value' } } },
    asked: 2,
  },
  {
    name: 'an error that is text',
    sent: ['eth_gasPrice'],
    replies: [says(() => ({ error: 'plain error' })), hello],
    gets: { result: 'hello' },
    asked: 2,
  },
  {
    name: 'a result and an error',
    sent: ['eth_gasPrice'],
    replies: [says(() => ({ result: 'ok', error: { code: -7, message: 'sketchy' } })), hello],
    gets: { result: 'hello' },
    asked: 2,
  },
  {
    name: 'neither a result nor an error',
    sent: ['eth_gasPrice'],
    replies: [says(() => ({})), hello],
    gets: { result: 'hello' },
    asked: 2,
  },
  {
    name: 'neither a result nor an error, from both nodes',
    sent: ['eth_gasPrice'],
    replies: [says(() => ({}))],
    gets: { status: 502, error: { code: -32_002 } },
    asked: 2,
  },
]

testBorrowedCases(cases)
