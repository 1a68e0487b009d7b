import { parseJson } from '../../platform/json.ts'
import { type BlockLink, blockLinkOf, type SentBlocks } from './sent-blocks.ts'

/** Asks a node; undefined without a result. */
export type AskNode = (method: string, params: readonly unknown[]) => Promise<unknown>

/** A block with its header, as notifications of new blocks hold it. */
export interface BlockHeader extends BlockLink {
  readonly header: Readonly<Record<string, unknown>>
}

/** What happened between the last block that was told and the newest one of another node. */
export interface MissedBlocks {
  /** The newest block that was told and that the node has as well. */
  readonly common: number
  readonly latest: number
  /** Whether blocks that were told are none of the node's. */
  readonly isReorganised: boolean
  readonly headers: readonly BlockHeader[]
}

/** More blocks are not made up for: whoever missed so many has to look for themselves. */
const mostBlocks = 256
const askedAtOnce = 16

/** Finds the blocks that a node has and that were not told. Null: it cannot be found out, or they are too many. */
export async function findMissedBlocks(told: SentBlocks, ask: AskNode): Promise<MissedBlocks | null> {
  const { last } = told
  const latest = await headerAt('latest', ask)
  if (latest === null) return null
  if (last === null)
    return { common: latest.number, latest: latest.number, isReorganised: false, headers: [] }
  if (latest.number - last > mostBlocks) return null
  const common = await findCommon(told, last, latest, ask)
  if (common === null) return null
  const headers = await headersFrom(common + 1, latest, ask)
  if (headers === null || !isChain(told.hashAt(common), headers)) return null
  const isReorganised = common < Math.min(last, latest.number)
  return { common, latest: latest.number, isReorganised, headers }
}

/** Goes back from the newest block that both may have. */
async function findCommon(
  told: SentBlocks,
  last: number,
  latest: BlockHeader,
  ask: AskNode,
): Promise<number | null> {
  for (let number = Math.min(last, latest.number); number >= 0; number--) {
    const known = told.hashAt(number)
    if (known === undefined) return null
    const block = number === latest.number ? latest : await headerAt(number, ask)
    if (block === null) return null
    if (block.hash === known) return number
  }
  return null
}

async function headersFrom(from: number, latest: BlockHeader, ask: AskNode): Promise<BlockHeader[] | null> {
  const headers: BlockHeader[] = []
  for (let first = from; first < latest.number; first += askedAtOnce) {
    const count = Math.min(askedAtOnce, latest.number - first)
    const some = await Promise.all(Array.from({ length: count }, (_, place) => headerAt(first + place, ask)))
    for (const header of some) {
      if (header === null) return null
      headers.push(header)
    }
  }
  return from > latest.number ? [] : [...headers, latest]
}

/** The node may have changed its mind while it was asked. */
const isChain = (commonHash: string | undefined, headers: readonly BlockHeader[]): boolean =>
  headers.every(({ parentHash }, place) => parentHash === (headers[place - 1]?.hash ?? commonHash))

/** Members of a block that its header has not. */
const beyondHeader = new Set(['transactions', 'uncles', 'withdrawals', 'size', 'totalDifficulty'])

async function headerAt(block: number | 'latest', ask: AskNode): Promise<BlockHeader | null> {
  const at = block === 'latest' ? block : `0x${block.toString(16)}`
  const value = await ask('eth_getBlockByNumber', [at, false])
  const link = blockLinkOf(value)
  if (link === null || (block !== 'latest' && link.number !== block)) return null
  const members = Object.entries(value as object).filter(([name]) => !beyondHeader.has(name))
  return { ...link, header: Object.fromEntries(members) }
}

/** Returns the logs of the blocks from one number to another, or null. Subscriptions ignore what else a filter says of blocks. */
export async function logsOf(
  { blockHash: _hash, fromBlock: _from, toBlock: _to, ...filter }: Readonly<Record<string, unknown>>,
  from: number,
  to: number,
  ask: AskNode,
): Promise<readonly unknown[] | null> {
  const range = { fromBlock: `0x${from.toString(16)}`, toBlock: `0x${to.toString(16)}` }
  const logs = await ask('eth_getLogs', [{ ...filter, ...range }])
  return Array.isArray(logs) ? (logs as unknown[]) : null
}

/** Returns the value of an answer's text, or undefined. */
export const valueOf = (answer: { readonly isError: boolean; readonly text: string } | null): unknown =>
  answer === null || answer.isError ? undefined : parseJson(answer.text)
