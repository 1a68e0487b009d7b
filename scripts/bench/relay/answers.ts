/**
 * What the nodes behind every proxy answer, as parts of an nginx configuration: a string there holds less than 4 kB.
 * `$id` is the id of a single call.
 */
export const smallAnswer = ['{"jsonrpc":"2.0","id":$id,"result":"0x1bc16d674ec80000"}']

export const largeAnswer = [
  '{"jsonrpc":"2.0","id":$id,"result":"0x',
  ...Array.from({ length: 30 }, () => '6f'.repeat(1_091)),
  '"}',
]

export const benchBatchSize = 100

const idsOfBatch = Array.from({ length: benchBatchSize }, (_, index) => index + 1)

/** `$base`: the ids of a batch without their last four digits, which count its calls from 1. */
export const batchAnswer = idsOfBatch.map((id) => {
  const [before, after] = [id === 1 ? '[' : ',', id === benchBatchSize ? ']' : '']
  return `${before}{"jsonrpc":"2.0","id":\${base}${String(id).padStart(4, '0')},"result":"0x1bc16d674ec80000"}${after}`
})

/** Each asks about another account (`#`), so that no answer can serve two callers. */
const callOf = (id: number, account: string): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"eth_getBalance","params":["0x${account}","latest"]}`

export const call = callOf(1, `${'0'.repeat(32)}#`)

/** Has the same answer for ever: all but the first of a minute come from the cache. */
export const cachedCall = '{"jsonrpc":"2.0","id":"#","method":"eth_chainId","params":[]}'

export const batch = `[${idsOfBatch.map((id) => callOf(id, `${String(id).padStart(32, '0')}#`)).join(',')}]`
