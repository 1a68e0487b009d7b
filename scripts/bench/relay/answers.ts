/** What the nodes behind every proxy answer. */
export const smallAnswer = '{"jsonrpc":"2.0","id":1,"result":"0x1bc16d674ec80000"}'

export const largeAnswer = `{"jsonrpc":"2.0","id":1,"result":"0x${'6f'.repeat(32_745)}"}`

export const batchSize = 100

const idsOfBatch = Array.from({ length: batchSize }, (_, index) => index + 1)

export const batchAnswer = `[${idsOfBatch.map((id) => `{"jsonrpc":"2.0","id":${id},"result":"0x1bc16d674ec80000"}`).join(',')}]`

/** Each asks about another account (`#`), so that no answer can serve two callers. */
const callOf = (id: number, account: string): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"eth_getBalance","params":["0x${account}","latest"]}`

export const call = callOf(1, `${'0'.repeat(32)}#`)

export const batch = `[${idsOfBatch.map((id) => callOf(id, `${String(id).padStart(32, '0')}#`)).join(',')}]`
