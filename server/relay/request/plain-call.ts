import { endOfValue, noJson, skipSpace } from '../json/value-end.ts'
import { isMethodName } from './call-reader.ts'
import type { Call } from './call.ts'

/** Longer bodies are rare, and might nest deeply, which `JSON.parse` must not be asked to read. */
const maxPlainChars = 2_000

const colon = 0x3a
const backslash = '\\'

/**
 * Reads a body that is one call as libraries write them: short, no member twice, none that JSON-RPC does not know, no
 * escapes. Null for anything else, which is not to say that it is wrong: whoever reads with care decides. Takes a third
 * of the time of that, because `JSON.parse` does the most of it.
 */
export function readPlainCall(text: string, depth: number): Call | null {
  if (text.length > maxPlainChars || text.includes(backslash)) return null
  const read = parsed(text)
  if (typeof read !== 'object' || read === null || Array.isArray(read)) return null
  const { jsonrpc, id, method, params } = read as Readonly<Record<string, unknown>>
  if (jsonrpc !== '2.0' || typeof method !== 'string' || !isMethodName(method)) return null
  if (!hasOnlyKnownMembers(read) || !isPlainId(id) || (params !== undefined && !isContainer(params)))
    return null
  const idText = id === undefined ? '' : memberText(text, '"id"', 1)
  const paramsText = params === undefined ? '' : memberText(text, '"params"', depth - 1)
  if (idText === null || paramsText === null) return null
  return { kind: 'call', id: idText === '' ? null : idText, method, params: paramsText }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
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
 * The value of a member exactly as it was written. A text without escapes in which the name stands once, and which has
 * such a member, has it there. Null: it stands more than once, or nests too deep.
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
