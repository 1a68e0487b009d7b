import { endOfArray, endOfValue, noJson, skipSpace } from '../json/value-end.ts'
import type { Call, NoCall, ParsedRequest } from './call.ts'
import { CallReader } from './call-reader.ts'
import { readPlainCall } from './plain-call.ts'

/** What a request may be. */
export interface RequestBounds {
  /** Elements of a batch. */
  readonly batchCalls: number
  /** How deep arrays and objects may nest, the outermost one included. */
  readonly depth: number
}

/**
 * Reads a body by JSON-RPC 2.0, strictly. A member that stands twice counts as it stands last, as `JSON.parse` has it;
 * members that JSON-RPC does not know are left out. So what is metered is what is passed on, however an upstream reads
 * doubled members, or `Method` for `method`. Never throws.
 */
export function parseRequest(text: string, bounds: RequestBounds): ParsedRequest {
  const call = readPlainCall(text, bounds.depth)
  return call === null ? parseWithCare(text, bounds) : { kind: 'calls', isBatch: false, elements: [call] }
}

/** The same for any text. */
export function parseWithCare(text: string, { batchCalls, depth }: RequestBounds): ParsedRequest {
  const reader = new CallReader()
  const elements: (Call | NoCall)[] = []
  let isTooLarge = false

  function takeElement(json: string, at: number, levels: number): number {
    isTooLarge ||= elements.length === batchCalls
    if (isTooLarge) return noJson
    const isObject = json.charCodeAt(at) === 0x7b
    const end = isObject ? reader.read(json, at, levels) : endOfValue(json, at, levels)
    if (end !== noJson) elements.push(isObject ? reader.made() : noObject)
    return end
  }

  const from = skipSpace(text, 0)
  const isBatch = text.charCodeAt(from) === 0x5b
  const to = isBatch ? endOfArray(text, from, takeElement, depth - 1) : takeElement(text, from, depth)
  if (isTooLarge) return { kind: 'batch-too-large' }
  if (to === noJson || skipSpace(text, to) !== text.length || !isJson(text))
    return { kind: 'refused', ...notJson(depth) }
  if (elements.length === 0) return { kind: 'refused', ...emptyBatch }
  return { kind: 'calls', isBatch, elements }
}

/** Asked only when the depth is known to be bounded: deep JSON would cost much time here. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const noObject: NoCall = {
  kind: 'no-call',
  id: 'null',
  why: 'a call is an object with jsonrpc, id, method and params',
}

const emptyBatch = { code: -32600, why: 'a batch holds at least one call' } as const

const notJson = (depth: number) =>
  ({ code: -32700, why: `the body must be JSON in UTF-8, nested at most ${depth} levels deep` }) as const
