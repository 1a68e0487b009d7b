import {
  endOfArray,
  endOfObject,
  endOfValue,
  isMemberName,
  noJson,
  plainText,
  skipSpace,
} from '../../platform/json/value-end.ts'

/** Where a value stands in a JSON text. */
export interface TextSpan {
  readonly from: number
  readonly to: number
}

export const blockTags = ['latest', 'safe', 'finalized', 'pending', 'earliest'] as const
export type BlockTag = (typeof blockTags)[number]

/** The block that a parameter names. `other` is anything that a node may understand and we do not. */
export type NamedBlock =
  | { readonly kind: 'tag'; readonly tag: BlockTag }
  | { readonly kind: 'number'; readonly height: number }
  | { readonly kind: 'hash' }
  | { readonly kind: 'other' }

/** Parameters are known to be JSON that nests no deeper than this. */
const depth = 64

/** Returns where the parameter with this index stands in the JSON text of an array; null when there is none. */
export function findParameter(params: string, index: number): TextSpan | null {
  let count = 0
  let found: TextSpan | null = null
  const end = readArray(params, (from, to) => {
    if (count++ === index) found = { from, to }
  })
  return end === noJson ? null : found
}

function readArray(text: string, take: (from: number, to: number) => void): number {
  const from = skipSpace(text, 0)
  if (text.charCodeAt(from) !== 0x5b) return noJson
  return endOfArray(
    text,
    from,
    (json, at, levels) => {
      const end = endOfValue(json, at, levels)
      if (end !== noJson) take(at, end)
      return end
    },
    depth,
  )
}

/** Returns where the members of an object stand; null for those that it lacks. Of doubled members the last one counts. */
export function findMembers<Name extends string>(
  text: string,
  at: number,
  names: readonly Name[],
): Readonly<Record<Name, TextSpan | null>> {
  const found = Object.fromEntries(names.map((name) => [name, null])) as Record<Name, TextSpan | null>
  endOfObject(text, at, depth, {
    take(json, keyFrom, keyTo, from, to) {
      const name = names.find((one) => isMemberName(json, keyFrom, keyTo, one))
      if (name !== undefined) found[name] = { from, to }
    },
  })
  return found
}

const quote = 0x22
const openBrace = 0x7b
const other: NamedBlock = { kind: 'other' }
const hash: NamedBlock = { kind: 'hash' }
/** Heights beyond 2^52 are no blocks, and would not be exact. */
const maxHeightDigits = 13

/** Reads a block parameter: a tag, a number, a hash, or an object with one of them (EIP-1898). */
export function readBlock(text: string, { from, to }: TextSpan): NamedBlock {
  const first = text.charCodeAt(from)
  if (first === openBrace) {
    const { blockHash, blockNumber } = findMembers(text, from, ['blockHash', 'blockNumber'])
    if (blockHash !== null) return hash
    return blockNumber === null ? other : readBlock(text, blockNumber)
  }
  if (first !== quote) return other
  const value = plainText(text.slice(from, to)) ?? ''
  const tag = blockTags.find((one) => one === value)
  if (tag !== undefined) return { kind: 'tag', tag }
  if (!/^0x[0-9a-f]+$/i.test(value)) return other
  if (value.length === 66) return hash
  return value.length - 2 > maxHeightDigits
    ? other
    : { kind: 'number', height: Number.parseInt(value.slice(2), 16) }
}

/** Returns the JSON text of a height. */
export const quantityText = (height: number): string => `"0x${height.toString(16)}"`

export const replaceAt = (text: string, { from, to }: TextSpan, value: string): string =>
  text.slice(0, from) + value + text.slice(to)
