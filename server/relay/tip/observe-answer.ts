import { heightOf, lastHeightOf, quantityOf } from '../forward/shared-results.ts'
import { findMembers, type TextSpan } from './block-parameter.ts'
import type { EndpointTip, NewBlock } from './endpoint-tip.ts'
import type { BlockUse, PreparedCall } from './prepare-call.ts'

/** A call that was sent, as far as its answer tells about the blocks of the node. */
export interface SentCall {
  readonly method: string
  readonly use: BlockUse
  readonly prepared: PreparedCall
}

/** What an answer tells about blocks is only looked for in so many characters. */
const searchedChars = 65_536

/** Learns from a result, a JSON text, which blocks an upstream has. Returns the newest block of the tag that was asked for. */
export function observeAnswer(
  tip: EndpointTip,
  { method, use, prepared }: SentCall,
  result: string,
  upstream: number,
): number | null {
  const { tag, needs } = prepared
  if (tag !== null) {
    const block = use.kind === 'head' ? null : readNewBlock(result)
    const height = use.kind === 'head' ? quantityOf(result) : (block?.height ?? null)
    if (height !== null) tip.reported(tag, upstream, height)
    if (block !== null && tag === 'latest') tip.observeBlock(block)
    return height
  }
  if (result === 'null') return null
  if (use.kind === 'hash') {
    const height = heightOf(result.slice(0, searchedChars))
    if (height !== null) tip.showed(upstream, height)
  } else if (use.kind === 'logs' && prepared.range === null) {
    // The node itself decided what is newest: its last log may be of a block that it has told nobody of yet.
    const height = lastHeightOf(result.slice(-searchedChars))
    if (height !== null) tip.showed(upstream, height)
  } else if (use.kind === 'block' && needs !== null && needs.isSilent !== true) {
    const isToldByNode = method === 'eth_getBlockByNumber'
    if (isToldByNode || needs.height <= (tip.height('latest') ?? -1)) tip.showed(upstream, needs.height)
  }
  return null
}

const removedLog = /"removed"\s*:\s*true/
const numberMember = /"number"\s*:\s*"0x([0-9a-f]{1,13})"/i
const hashMember = /"hash"\s*:\s*"(0x[0-9a-f]{64})"/i
const parentHashMember = /"parentHash"\s*:\s*"(0x[0-9a-f]{64})"/i

/**
 * Learns from the parameters of a notification, a JSON text, that an upstream has a new block: of itself, or of a log in it,
 * which may come first.
 */
export function observeNotification(tip: EndpointTip, params: string, upstream: number): void {
  if (params.includes('"logIndex"')) {
    const height = removedLog.test(params) ? null : heightOf(params)
    if (height !== null) tip.showed(upstream, height)
    return
  }
  // Of all other notifications only those of new blocks name the block before.
  if (!params.includes('"parentHash"')) return
  const digits = numberMember.exec(params)?.[1]
  if (digits === undefined) return
  const height = Number.parseInt(digits, 16)
  tip.reported('latest', upstream, height)
  const [hash, parentHash] = [hashMember, parentHashMember].map((member) => member.exec(params)?.[1] ?? '')
  tip.observeBlock({ height, hash: hash ?? '', parentHash: parentHash ?? '' })
}

function readNewBlock(result: string): NewBlock | null {
  if (!result.startsWith('{')) return null
  const { number, hash, parentHash } = findMembers(result, 0, ['number', 'hash', 'parentHash'])
  const height = number === null ? null : quantityOf(result.slice(number.from, number.to))
  const textAt = (span: TextSpan | null): string =>
    span === null ? '' : result.slice(span.from + 1, span.to - 1)
  return height === null ? null : { height, hash: textAt(hash), parentHash: textAt(parentHash) }
}

/** The methods that answer `null` for nothing but a block that the node does not have. */
const blockMethods = new Set([
  'eth_getBlockByNumber',
  'eth_getBlockReceipts',
  'eth_getBlockTransactionCountByNumber',
  'eth_getUncleCountByBlockNumber',
])

/** So many blocks beyond the newest one an answer may have told of without a word that is understood here. */
const nearBlocks = 3

/**
 * Returns whether an upstream that answers `null` may lack a block that callers were told of, so that another one has to
 * be asked. What a hash names may exist nowhere: a node that is known to have the newest block decides about it.
 * While the next block is due, tags are sent as they are, and a call of a contract may have returned the number of a block
 * that is not known here: what follows the newest one closely is asked of others, too.
 */
export function mayLackBlock(
  tip: EndpointTip,
  { method, use, prepared }: SentCall,
  upstream: number,
): boolean {
  const newest = tip.height('latest')
  if (use.kind === 'hash') return newest === null || !tip.has(upstream, newest)
  if (newest === null) return false
  const { needs } = prepared
  if (use.kind !== 'block' || needs === null || !blockMethods.has(method)) return false
  if (needs.height > newest) return needs.height <= newest + nearBlocks && tip.freshHeight('latest') === null
  tip.lacked(upstream, needs.height)
  return true
}
