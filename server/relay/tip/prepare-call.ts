import type { NeededBlock } from './endpoint-tip.ts'
import {
  findMembers,
  findParameter,
  type NamedBlock,
  type TextSpan,
  quantityText,
  readBlock,
  replaceAt,
} from './block-parameter.ts'
import type { TipTag } from './shared-tips.ts'

/** How the parameters and the answer of a method tell which block a call is about. */
export type BlockUse =
  /** It answers the height of the newest block. */
  | { readonly kind: 'head' }
  /** One parameter names a block, whose state is asked for or what is in it. */
  | { readonly kind: 'block'; readonly parameter: number; readonly isState: boolean }
  /** One parameter is a filter of logs. */
  | { readonly kind: 'logs'; readonly parameter: number }
  /** A hash names a block or a transaction. */
  | { readonly kind: 'hash' }

/** What is known of the newest blocks of an endpoint. */
export interface KnownTips {
  /** The newest block that callers were told of. */
  height(tag: TipTag): number | null
  /** Null when the next block is due. */
  freshHeight(tag: TipTag): number | null
}

/** A call as it is sent, and what is expected of the node that it is sent to. */
export interface PreparedCall {
  /** The JSON text of the parameters. */
  readonly params: string
  /** The block that the node must have; null when any node will do. */
  readonly needs: NeededBlock | null
  /** Whether the calls of a key should stay with one node, because nodes differ in what they know of pending blocks. */
  readonly isSticky: boolean
  /** The tag that the answer is the newest block of; null for other calls. */
  readonly tag: TipTag | null
  /** The blocks whose logs are asked for; null for other calls, and where the node decides about them. */
  readonly range: BlockRange | null
}

/** Heights, both included. */
export interface BlockRange {
  readonly from: number
  readonly to: number
}

const newestTags: Partial<Readonly<Record<string, TipTag>>> = {
  latest: 'latest',
  safe: 'safe',
  finalized: 'finalized',
}

interface NamingCall {
  readonly method: string
  /** The JSON text of the parameters; empty without any. */
  readonly params: string
}

/** Returns how a call is sent so that its answer fits what callers of the endpoint were told before. */
export function prepareCall(call: NamingCall, use: BlockUse, tips: KnownTips): PreparedCall {
  const { method, params } = call
  if (use.kind === 'head') return plain(params, { tag: 'latest' })
  const prepared = prepareNaming(method, params, use, tips)
  // Before anything is known of the chain, every node is as good as the others.
  return tips.height('latest') === null ? { ...prepared, needs: null } : prepared
}

/**
 * Returns whether the newest block decides how a call is sent, and its answer does not tell which block that was: such a
 * call has to know all that any caller was told.
 */
export function dependsOnTip({ method, params }: NamingCall, use: BlockUse): boolean {
  if (use.kind === 'head') return false
  let isRead = false
  const read = (): null => {
    isRead = true
    return null
  }
  const { tag } = prepareNaming(method, params, use, { height: read, freshHeight: read })
  return isRead && tag === null
}

function prepareNaming(
  method: string,
  params: string,
  use: Exclude<BlockUse, { kind: 'head' }>,
  tips: KnownTips,
): PreparedCall {
  switch (use.kind) {
    case 'hash':
      return plain(params, { needs: atTip(tips, false) })
    case 'logs':
      return prepareLogs(params, use.parameter, tips)
    case 'block': {
      const place = given(params, findParameter(params, use.parameter))
      const named = place === null ? latest : readBlock(params, place)
      const prepared = withState(prepareBlock(method, params, place, named, tips), use, named)
      return method === 'eth_getTransactionCount' ? { ...prepared, isSticky: true } : prepared
    }
  }
}

/** Returns the place of a value; null also where the value is `null`, which nodes take as left out. */
const given = (params: string, place: TextSpan | null): TextSpan | null =>
  place === null || params.startsWith('null', place.from) ? null : place

/** Every node has the state of the blocks that tags stand for. */
function withState(
  prepared: PreparedCall,
  { isState }: { readonly isState: boolean },
  named: NamedBlock,
): PreparedCall {
  const { needs } = prepared
  if (!isState || named.kind !== 'number' || needs === null) return prepared
  return { ...prepared, needs: { ...needs, stateAt: named.height } }
}

const latest: NamedBlock = { kind: 'tag', tag: 'latest' }

const plain = (params: string, more: Partial<PreparedCall> = {}): PreparedCall => ({
  params,
  needs: null,
  isSticky: false,
  tag: null,
  range: null,
  ...more,
})

function atTip(tips: KnownTips, isStrict: boolean): NeededBlock | null {
  const height = tips.height('latest')
  return height === null ? null : { height, isStrict }
}

/** For a call that each node answers for its own newest block. */
export function silentlyAtTip(tips: KnownTips): NeededBlock | null {
  const needs = atTip(tips, false)
  return needs && { ...needs, isSilent: true }
}

function prepareBlock(
  method: string,
  params: string,
  place: TextSpan | null,
  named: NamedBlock,
  tips: KnownTips,
): PreparedCall {
  if (named.kind === 'number') return plain(params, { needs: { height: named.height, isStrict: false } })
  if (named.kind === 'hash') return plain(params, { needs: atTip(tips, false) })
  if (named.kind !== 'tag' || named.tag === 'earliest') return plain(params)
  // A node that is behind may miss a transaction that is mined already: a caller who counts on it would send its next
  // one under a nonce that is used, and with the same bytes would even be told that it was sent.
  if (named.tag === 'pending') return plain(params, { needs: silentlyAtTip(tips), isSticky: true })
  // The block itself is asked for by its tag, and compared with the tip once it is here: it may well be newer.
  if (method === 'eth_getBlockByNumber') return plain(params, { needs: atTip(tips, false), tag: named.tag })
  const height = place === null ? null : tips.freshHeight(named.tag)
  if (height === null || place === null) return plain(params, { needs: silentlyAtTip(tips) })
  return plain(replaceAt(params, place, quantityText(height)), { needs: { height, isStrict: false } })
}

const openBrace = 0x7b

function prepareLogs(params: string, parameter: number, tips: KnownTips): PreparedCall {
  const filter = findParameter(params, parameter)
  if (filter === null || params.charCodeAt(filter.from) !== openBrace) return plain(params)
  const { fromBlock, toBlock, blockHash } = findMembers(params, filter.from, [
    'fromBlock',
    'toBlock',
    'blockHash',
  ])
  if (blockHash !== null) return plain(params, { needs: atTip(tips, false) })
  const from = boundOf(params, fromBlock, tips)
  const to = boundOf(params, toBlock, tips)
  if (from.isPending || to.isPending) return plain(params, { needs: atTip(tips, true), isSticky: true })
  const isKnown = from.height !== null && to.height !== null
  // A range that begins after the newest block is empty, and no error, as long as a tag says where it ends.
  if (!isKnown || (to.isTag && from.height > to.height)) return plain(params, { needs: atTip(tips, true) })
  const replaced = replaceBounds(params, filter, [
    { name: 'fromBlock', place: fromBlock, bound: from },
    { name: 'toBlock', place: toBlock, bound: to },
  ])
  return plain(replaced, {
    needs: { height: Math.max(from.height, to.height), isStrict: true },
    range: { from: from.height, to: to.height },
  })
}

interface Bound {
  /** Null when the node has to decide. */
  readonly height: number | null
  readonly isTag: boolean
  readonly isPending: boolean
}

function boundOf(params: string, place: TextSpan | null, tips: KnownTips): Bound {
  const own = given(params, place)
  const named = own === null ? latest : readBlock(params, own)
  if (named.kind === 'number') return { height: named.height, isTag: false, isPending: false }
  if (named.kind !== 'tag') return { height: null, isTag: false, isPending: false }
  if (named.tag === 'earliest') return { height: 0, isTag: false, isPending: false }
  const tag = newestTags[named.tag]
  const height = tag === undefined ? null : tips.freshHeight(tag)
  return { height, isTag: true, isPending: named.tag === 'pending' }
}

interface FilterBound {
  readonly name: 'fromBlock' | 'toBlock'
  readonly place: TextSpan | null
  readonly bound: Bound
}

/** Writes the heights of tags into a filter, and leaves heights as they were written. */
function replaceBounds(params: string, filter: TextSpan, bounds: readonly FilterBound[]): string {
  let replaced = params
  // From the end to the beginning, so that the places stay valid.
  const lastFirst = bounds.toSorted((one, other) => (other.place?.from ?? 0) - (one.place?.from ?? 0))
  for (const { name, place, bound } of lastFirst) {
    if (!bound.isTag || bound.height === null) continue
    const value = quantityText(bound.height)
    if (place !== null) replaced = replaceAt(replaced, place, value)
    else replaced = addMember(replaced, filter.from, `"${name}":${value}`)
  }
  return replaced
}

/** Puts a member before the others of the object that begins at `at`. */
function addMember(text: string, at: number, member: string): string {
  const rest = text.slice(at + 1)
  return `${text.slice(0, at + 1)}${member}${/^\s*\}/.test(rest) ? '' : ','}${rest}`
}

/** Returns how a call that named a tag is sent with the height of a block in its place. */
export function blockByHeight(params: string, parameter: number, height: number): PreparedCall {
  const place = findParameter(params, parameter)
  const sent = place === null ? params : replaceAt(params, place, quantityText(height))
  return plain(sent, { needs: { height, isStrict: false } })
}

/** Returns the parameters of a call for logs with another range. */
export function withRange(params: string, parameter: number, { from, to }: BlockRange): string {
  const filter = findParameter(params, parameter)
  if (filter === null) return params
  const { fromBlock, toBlock } = findMembers(params, filter.from, ['fromBlock', 'toBlock'])
  return replaceBounds(params, filter, [
    { name: 'fromBlock', place: fromBlock, bound: { height: from, isTag: true, isPending: false } },
    { name: 'toBlock', place: toBlock, bound: { height: to, isTag: true, isPending: false } },
  ])
}
