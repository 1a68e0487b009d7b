import { emitter } from '../event-chain.ts'
import { callNode } from '../json-rpc-client.ts'

export interface SeenBlock {
  readonly number: string
  readonly hash: string
  readonly parentHash: string
  readonly transactions: readonly string[]
}

/** A program that follows a chain with an event in every block, and notes whatever no chain does. */
export interface ChainFollower {
  readonly faults: string[]
  readonly rounds: number
  readonly calls: number
  /** The newest block, its content, its events, and its state. */
  follow(): Promise<void>
  /** Follows for so long, or for so many rounds. */
  followFor(ms: number, mostRounds: number): Promise<void>
  blockNumber(): Promise<number>
  block(at: string): Promise<SeenBlock | null>
  /** Returns the heights of the blocks whose events were found. */
  eventsIn(from: number, to: number | 'latest'): Promise<number[]>
}

/** The account that makes the events, one in each block: its nonce is the height of the block whose state is read. */
const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

export const hex = (height: number): string => `0x${height.toString(16)}`

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)

/**
 * Each call goes to one of the addresses, whichever: that they take turns is what no caller can count on. `isAnew`: each
 * over a connection of its own.
 */
export function createChainFollower(urls: readonly string[], isAnew = false): ChainFollower {
  const faults: string[] = []
  let calls = 0
  let newest = 0
  let logged = 0
  let rounds = 0

  function call(method: string, ...params: unknown[]): Promise<unknown> {
    calls++
    return callNode(urls[Math.floor(Math.random() * urls.length)] ?? '', method, params, isAnew)
  }
  const blockNumber = async (): Promise<number> => Number(await call('eth_blockNumber'))
  const block = async (at: string): Promise<SeenBlock | null> =>
    (await call('eth_getBlockByNumber', at, false)) as SeenBlock | null

  async function eventsIn(from: number, to: number | 'latest'): Promise<number[]> {
    const toBlock = to === 'latest' ? to : hex(to)
    const logs = await call('eth_getLogs', { address: emitter, fromBlock: hex(from), toBlock })
    return (logs as { data: string }[]).map(({ data }) => Number(data))
  }

  function saw(height: number, where: string): void {
    if (height < newest) faults.push(`${where} went from ${newest} back to ${height}`)
    newest = Math.max(newest, height)
  }

  async function follow(): Promise<void> {
    rounds++
    const height = await blockNumber()
    saw(height, 'the number')
    const named = await block(hex(height))
    if (named === null) faults.push(`block ${height} is null`)
    const receipt = named && (await call('eth_getTransactionReceipt', named.transactions[0]))
    if (receipt === null) faults.push(`the receipt of block ${height} is null`)
    const from = logged === 0 ? height : logged + 1
    const events = from > height ? [] : await eventsIn(from, height)
    if (!Bun.deepEquals(events, range(from, height))) faults.push(`of ${from}-${height}: ${events.join()}`)
    logged = height
    const recent = await eventsIn(height, 'latest')
    if (!recent.includes(height)) faults.push(`no event of ${height} in ${recent.join()}`)
    const nonce = Number(await call('eth_getTransactionCount', account, 'latest'))
    if (nonce < height) faults.push(`the state is that of ${nonce}, not of ${height}`)
    saw(Number((await block('latest'))?.number), 'the block')
  }

  return {
    faults,
    get rounds() {
      return rounds
    },
    get calls() {
      return calls
    },
    follow,
    async followFor(ms, mostRounds) {
      const until = performance.now() + ms
      while (rounds < mostRounds && performance.now() < until) await follow()
    },
    blockNumber,
    block,
    eventsIn,
  }
}
