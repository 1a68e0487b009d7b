import type { MethodFacts } from '../methods/method-facts.ts'
import { findMembers, findParameter, readBlock } from '../tip/block-parameter.ts'
import type { BlockRange } from '../tip/prepare-call.ts'

/** What a result depends on. */
export type ResultAnchor =
  /** Nothing that changes. */
  | { readonly kind: 'constant' }
  /** The blocks that the parameters name by number: with the last of them final, the result is. */
  | { readonly kind: 'blocks'; readonly range: BlockRange }
  /** What the parameters name by this hash; the result tells its height, or nobody does. */
  | { readonly kind: 'hash'; readonly hash: string }

/** A call as it is sent upstream. */
export interface AnchoredCall {
  readonly method: string
  /** The JSON text of the parameters that are sent. */
  readonly sentParams: string
  readonly facts: Pick<MethodFacts, 'cache' | 'blockUse'>
}

const constant: ResultAnchor = { kind: 'constant' }

/** Returns what the result of a call depends on; null where that may be any block, as with a tag. */
export function anchorOf({ sentParams, facts: { cache, blockUse } }: AnchoredCall): ResultAnchor | null {
  if (cache === 'constant') return constant
  if (cache === null || blockUse === null) return null
  switch (blockUse.kind) {
    case 'head':
      return null
    case 'hash':
      return hashIn(sentParams)
    case 'logs':
      return anchorOfLogs(sentParams, blockUse.parameter)
    case 'block': {
      // Most calls about state end so, and are not looked at any further.
      if (sentParams.endsWith('"latest"]')) return null
      const place = findParameter(sentParams, blockUse.parameter)
      return place === null ? null : anchorAt(sentParams, place.from, place.to)
    }
  }
}

function anchorAt(params: string, from: number, to: number): ResultAnchor | null {
  const named = readBlock(params, { from, to })
  if (named.kind === 'number') return blocksAnchor(named.height, named.height)
  return named.kind === 'hash' ? hashIn(params.slice(from, to)) : null
}

const blocksAnchor = (from: number, to: number): ResultAnchor => ({ kind: 'blocks', range: { from, to } })

const hashText = /"(0x[0-9a-f]{64})"/i

function hashIn(text: string): ResultAnchor | null {
  const hash = hashText.exec(text)?.[1]
  return hash === undefined ? null : { kind: 'hash', hash: hash.toLowerCase() }
}

function anchorOfLogs(params: string, parameter: number): ResultAnchor | null {
  const filter = findParameter(params, parameter)
  if (filter === null || params[filter.from] !== '{') return null
  const names = ['fromBlock', 'toBlock', 'blockHash'] as const
  const { fromBlock, toBlock, blockHash } = findMembers(params, filter.from, names)
  if (blockHash !== null) return hashIn(params.slice(blockHash.from, blockHash.to))
  if (fromBlock === null || toBlock === null) return null
  const [from, to] = [readBlock(params, fromBlock), readBlock(params, toBlock)]
  return from.kind === 'number' && to.kind === 'number' ? blocksAnchor(from.height, to.height) : null
}
