import { isFields } from '../../../shared/fields.ts'
import { parseJson } from '../../platform/json.ts'
import type { Bytes } from './bodies.ts'
import { createLineReader } from './line-reader.ts'

/** The SDK refuses a whole answer whose result has `"_meta": null`, which some servers write for "nothing". */
const nullMeta = /"_meta"\s*:\s*null/

function withoutNullMeta(text: string): string {
  const message = nullMeta.test(text) ? parseJson(text) : null
  if (!isFields(message) || !isFields(message.result)) return text
  const { _meta: meta, ...result } = message.result
  return meta === null ? JSON.stringify({ ...message, result }) : text
}

/** Returns the body of an answer without a null for the metadata of its result. */
export function bodyWithoutNullMeta(body: Bytes): Bytes {
  if (!Buffer.from(body.buffer, body.byteOffset, body.byteLength).includes('"_meta"')) return body
  const text = decoder.decode(body)
  const read = withoutNullMeta(text)
  return read === text ? body : encoder.encode(read)
}

/** Returns a function that takes an event stream piece by piece, and returns the lines that have ended, changed likewise. */
export function createNullMetaFilter(): (piece: Bytes) => Bytes {
  const linesOf = createLineReader()
  return (piece) =>
    encoder.encode(
      linesOf(piece)
        .map((line) => `${lineWithoutNullMeta(line)}\n`)
        .join(''),
    )
}

const lineWithoutNullMeta = (line: string): string =>
  line.startsWith('data:') ? `data:${withoutNullMeta(line.slice('data:'.length))}` : line

const decoder = new TextDecoder()
const encoder = new TextEncoder()
