import { parseJson } from '../../platform/json.ts'
import {
  endOfArray,
  endOfObject,
  endOfValue,
  isMemberName,
  type MemberReader,
  noJson,
  plainText,
  skipSpace,
} from '../../platform/json/value-end.ts'
import { type InvalidEntry, methodPattern, type ParsedCall } from './parsed-call.ts'
import { parsePlainBatch } from './plain-batch.ts'

export type ParsedRequest =
  | {
      readonly kind: 'calls'
      readonly isBatch: boolean
      readonly entries: readonly (ParsedCall | InvalidEntry)[]
    }
  /** The whole body is refused, with a JSON-RPC error of this code. */
  | { readonly kind: 'refused'; readonly code: -32700 | -32600; readonly reason: string }
  | { readonly kind: 'batch-too-large' }

export interface RequestBounds {
  /** The most entries of a batch. */
  readonly batchCalls: number
  /** How deep arrays and objects may nest, the outermost one included. */
  readonly depth: number
  /** Whether calls in the forms of JSON-RPC 1.0 and 1.1 are calls, as clients of the Bitcoin family send them. */
  readonly takesLegacy?: boolean
}

/**
 * Reads a body by JSON-RPC 2.0, strictly. Of a member that occurs twice the last value counts, as with `JSON.parse`;
 * members that JSON-RPC does not know are left out. So what is metered is what is passed on, however an upstream reads
 * doubled members, or `Method` for `method`. Never throws.
 */
export function parseRequest(text: string, bounds: RequestBounds): ParsedRequest {
  if (text.charCodeAt(0) === openBracket) {
    const calls = parsePlainBatch(text, bounds)
    return calls === null ? parseAnyRequest(text, bounds) : { kind: 'calls', isBatch: true, entries: calls }
  }
  const call = parsePlainCall(text, bounds.depth)
  return call === null ? parseAnyRequest(text, bounds) : { kind: 'calls', isBatch: false, entries: [call] }
}

/** Reads any body, as `parseRequest` does. */
export function parseAnyRequest(
  text: string,
  { batchCalls, depth, takesLegacy = false }: RequestBounds,
): ParsedRequest {
  const reader = new CallReader(takesLegacy)
  const entries: (ParsedCall | InvalidEntry)[] = []
  let isTooLarge = false

  function takeEntry(json: string, at: number, levels: number): number {
    isTooLarge ||= entries.length === batchCalls
    if (isTooLarge) return noJson
    const isObject = json.charCodeAt(at) === 0x7b
    const end = isObject ? reader.read(json, at, levels) : endOfValue(json, at, levels)
    if (end !== noJson) entries.push(isObject ? reader.entry() : notAnObject)
    return end
  }

  const from = skipSpace(text, 0)
  const isBatch = text.charCodeAt(from) === 0x5b
  const to = isBatch ? endOfArray(text, from, takeEntry, depth - 1) : takeEntry(text, from, depth)
  if (isTooLarge) return { kind: 'batch-too-large' }
  // The depth is known to be bounded here: parsing deep JSON would cost much time.
  if (to === noJson || skipSpace(text, to) !== text.length || parseJson(text) === undefined)
    return { kind: 'refused', ...notJson(depth) }
  if (entries.length === 0) return { kind: 'refused', ...emptyBatch }
  return { kind: 'calls', isBatch, entries }
}

const notAnObject: InvalidEntry = {
  kind: 'invalid',
  id: 'null',
  reason: 'a call is an object with jsonrpc, id, method and params',
  isLegacy: false,
}

const emptyBatch = { code: -32600, reason: 'a batch holds at least one call' } as const

const notJson = (depth: number) =>
  ({ code: -32700, reason: `the body must be JSON in UTF-8, nested at most ${depth} levels deep` }) as const

/**
 * What stands for `jsonrpc` in calls of older forms. JSON-RPC 1.0 has no such member and 1.1 has `version` in its place,
 * but Bitcoin Core's documentation says `"jsonrpc":"1.0"` (src/rpc/request.cpp, JSONRPCRequest::parse).
 */
const legacyVersions: ReadonlySet<string> = new Set(['', 'null', '"1.0"', '"1.1"'])

/** Reads the objects of a request one after the other. Values are slices of the text. */
class CallReader implements MemberReader {
  readonly #takesLegacy: boolean
  #version = ''
  #id = ''
  #method = ''
  #params = ''

  constructor(takesLegacy: boolean) {
    this.#takesLegacy = takesLegacy
  }

  /** Returns the index after the object, or `noJson`. */
  read(text: string, at: number, levels: number): number {
    this.#version = ''
    this.#id = ''
    this.#method = ''
    this.#params = ''
    return endOfObject(text, at, levels - 1, this)
  }

  take(text: string, keyFrom: number, keyTo: number, from: number, to: number): void {
    // The longest comes first: only a key that is longer than a name can be that name in escapes, which is slow to tell.
    if (isMemberName(text, keyFrom, keyTo, 'jsonrpc')) this.#version = text.slice(from, to)
    else if (isMemberName(text, keyFrom, keyTo, 'method')) this.#method = text.slice(from, to)
    else if (isMemberName(text, keyFrom, keyTo, 'params')) this.#params = text.slice(from, to)
    else if (isMemberName(text, keyFrom, keyTo, 'id')) this.#id = text.slice(from, to)
  }

  /** Returns what the object is that was read last. */
  entry(): ParsedCall | InvalidEntry {
    const method = plainText(this.#method) ?? ''
    const isLegacy = this.#takesLegacy && legacyVersions.has(this.#version)
    const reason = this.#reasonInvalid(method, isLegacy)
    const isAnyId = isLegacy || isId(this.#id)
    // Who leaves the id out of an older form gets an answer, too.
    const id = this.#id === '' ? (isLegacy ? 'null' : null) : this.#id
    if (reason !== null)
      return { kind: 'invalid', id: id !== null && isAnyId ? id : 'null', reason, isLegacy }
    return { kind: 'call', id, method, params: this.#params === 'null' ? '' : this.#params, isLegacy }
  }

  #reasonInvalid(method: string, isLegacy: boolean): string | null {
    if (!isLegacy) {
      if (this.#version !== '"2.0"' && plainText(this.#version) !== '2.0') return 'jsonrpc must be "2.0"'
      if (this.#id !== '' && !isId(this.#id)) return 'id must be a string, a number or null'
    }
    if (!methodPattern.test(method)) {
      return 'method must be a string of 1 to 100 letters, digits, _ . : or -'
    }
    const kind = this.#params.charAt(0)
    if (kind !== '' && kind !== '[' && kind !== '{' && kind !== 'n')
      return 'params must be an array or an object'
    return null
  }
}

/** A string, a number or null. Its first character tells, as the text is known to be JSON. */
const isId = (json: string): boolean => !'tf[{'.includes(json.charAt(0))

/** Longer bodies are rare, and might nest deeply, which `JSON.parse` must not be asked to read. */
const maxPlainChars = 2_000

const colon = 0x3a
const openBracket = 0x5b
const backslash = '\\'

/**
 * Reads a body that is one call as libraries write them: short, no member twice, none that JSON-RPC does not know, no
 * escapes. Returns null for anything else, valid or not; `parseAnyRequest` then decides. It takes about half of that one's
 * time, because `JSON.parse` does most of the work.
 */
export function parsePlainCall(text: string, depth: number): ParsedCall | null {
  if (text.length > maxPlainChars || text.includes(backslash)) return null
  const read = parseJson(text)
  if (typeof read !== 'object' || read === null || Array.isArray(read)) return null
  const { jsonrpc, id, method, params } = read as Readonly<Record<string, unknown>>
  if (jsonrpc !== '2.0' || typeof method !== 'string' || !methodPattern.test(method)) return null
  if (!hasOnlyKnownMembers(read) || !isPlainId(id) || (params !== undefined && !isContainer(params)))
    return null
  const idText = id === undefined ? '' : memberText(text, '"id"', 1)
  const paramsText = params === undefined ? '' : memberText(text, '"params"', depth - 1)
  if (idText === null || paramsText === null) return null
  return { kind: 'call', id: idText === '' ? null : idText, method, params: paramsText, isLegacy: false }
}

function hasOnlyKnownMembers(read: object): boolean {
  for (const name in read) {
    if (name !== 'jsonrpc' && name !== 'id' && name !== 'method' && name !== 'params') return false
  }
  return true
}

const isPlainId = (id: unknown): boolean =>
  typeof id === 'number' || typeof id === 'string' || id === null || id === undefined

const isContainer = (params: unknown): boolean => typeof params === 'object' && params !== null

/**
 * Returns the value of a member exactly as it was written; null when the name occurs more than once, or the value nests
 * too deep. A text without escapes in which the name occurs once, and which has such a member, has the member there.
 */
function memberText(text: string, quotedName: string, levels: number): string | null {
  const at = text.indexOf(quotedName)
  if (at < 0 || text.indexOf(quotedName, at + quotedName.length) >= 0) return null
  const colonAt = skipSpace(text, at + quotedName.length)
  if (text.charCodeAt(colonAt) !== colon) return null
  const from = skipSpace(text, colonAt + 1)
  const to = endOfValue(text, from, levels)
  return to === noJson ? null : text.slice(from, to)
}
