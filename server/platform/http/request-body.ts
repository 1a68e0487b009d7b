import { promisify } from 'node:util'
import { brotliDecompress, gunzip, zstdDecompress } from 'node:zlib'

import { bodyTooLarge, requestLimits } from './request-limits.ts'
import { Fault, fault } from '../fault.ts'
import { parseJson } from '../json.ts'

/** The body as it was sent, of at most `maxBytes`. Throws `payload_too_large`, and `bad_request` when its end does not come. */
export async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const declared = request.headers.get('content-length')
  if (declared !== null) {
    if (Number(declared) > maxBytes) throw bodyTooLarge(maxBytes)
    const bytes = await request.bytes().catch(throwCutOff)
    // A length can be declared falsely where a proxy or a test makes the request.
    if (bytes.length > maxBytes) throw bodyTooLarge(maxBytes)
    return bytes
  }
  return request.body === null ? new Uint8Array() : readStream(request.body, maxBytes)
}

async function readStream(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  // Leaving the loop early leaves the rest to whoever answers.
  try {
    for await (const chunk of stream.values({ preventCancel: true })) {
      length += chunk.length
      if (length > maxBytes) throw bodyTooLarge(maxBytes)
      chunks.push(chunk)
    }
  } catch (error) {
    return throwCutOff(error)
  }
  return Buffer.concat(chunks)
}

/**
 * For what reading a body throws: a caller that goes away while it sends is no failure of ours.
 * @throws Fault `bad_request`, or the fault that is given
 */
export function throwCutOff(error: unknown): never {
  if (error instanceof Fault) throw error
  throw fault('bad_request', 'The connection was closed before the body had come whole', { detail: error })
}

const quote = 0x22
const backslash = 0x5c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/**
 * Whether JSON text nests deeper than `maxDepth`. Looked at before parsing: a body of 100,000 brackets parses in
 * milliseconds, but whoever writes it out again blocks the process or runs out of stack.
 */
export function nestsDeeperThan(json: Uint8Array, maxDepth: number): boolean {
  let depth = 0
  let isInText = false
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (isInText) {
      if (byte === backslash) at++
      else if (byte === quote) isInText = false
    } else if (byte === quote) {
      isInText = true
    } else if (byte === openBracket || byte === openBrace) {
      depth++
      if (depth > maxDepth) return true
    } else if (byte === closeBracket || byte === closeBrace) {
      depth--
    }
  }
  return false
}

interface JsonBodyOptions {
  /** Bytes; 256 KiB unless given. */
  maxBytes?: number
}

type JsonParser = (context: { request: Request }) => Promise<unknown>

const houseParsers = new WeakSet<object>()

/**
 * For the `parse` option of a route with a `body` schema. Faults: `unsupported_media_type` for anything but
 * application/json, `payload_too_large`, `bad_request` for no JSON, or nested deeper than 64 levels.
 */
export function jsonBody({ maxBytes = requestLimits.bodyBytes }: JsonBodyOptions = {}): JsonParser {
  const parse: JsonParser = async ({ request }) => {
    requireJson(request.headers)
    return parseJsonBody(await readBytes(request, maxBytes))
  }
  houseParsers.add(parse)
  return parse
}

/** Returns true for a parser that was made here. Elysia's own knows none of the limits. */
export const isJsonBody = (parser: unknown): boolean =>
  typeof parser === 'function' && houseParsers.has(parser)

const jsonType = /^application\/json\s*(?:;|$)/i
const otherCharset = /;\s*charset\s*=(?!\s*"?utf-8"?\s*(?:;|$))/i

/** Returns true for application/json in UTF-8. Parameters without a meaning are passed over. */
export function saysJson(headers: Headers): boolean {
  const type = headers.get('content-type') ?? ''
  return jsonType.test(type) && !otherCharset.test(type)
}

/** Fault: `unsupported_media_type`, for anything but uncompressed application/json. */
export function requireJson(headers: Headers): void {
  if (!saysJson(headers)) {
    throw fault('unsupported_media_type', 'The content-type must be application/json')
  }
  const encoding = headers.get('content-encoding')
  if (encoding !== null && encoding !== 'identity') {
    throw fault('unsupported_media_type', 'The body must not be compressed')
  }
}

/**
 * Returns the JSON of a request, or undefined when it is none. Faults: `unsupported_media_type`, `payload_too_large`,
 * `bad_request`.
 */
export async function readJsonValue(request: Request, maxBytes: number): Promise<unknown> {
  requireJson(request.headers)
  const bytes = await readBytes(request, maxBytes)
  requireShallow(bytes)
  return parseJson(bytes)
}

function requireShallow(bytes: Uint8Array): void {
  if (nestsDeeperThan(bytes, requestLimits.jsonDepth)) {
    throw fault('bad_request', `JSON must not nest deeper than ${requestLimits.jsonDepth} levels`)
  }
}

/** Throws `bad_request`. */
export function parseJsonBody(bytes: Uint8Array): unknown {
  requireShallow(bytes)
  const value = parseJson(bytes)
  if (value === undefined) throw fault('bad_request', 'The body is not valid JSON in UTF-8')
  return value
}

/** A body whose exact bytes matter, because they are signed. */
interface RawBody {
  /** The bytes as they were sent, possibly compressed. */
  sent: Uint8Array
  /** Decompressed; the same bytes as `sent` where nothing was compressed. */
  content: Uint8Array
}

const decompressors = {
  gzip: promisify(gunzip),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
}

/**
 * For routes with `parse: 'none'`. `maxBytes` holds for the sent bytes and again for the decompressed ones, so that
 * a compression bomb costs no more than an honest body. Faults: `payload_too_large`, `unsupported_media_type` for
 * another encoding than gzip, br or zstd, `bad_request` for what cannot be decompressed.
 */
export async function readRawBody(request: Request, maxBytes: number): Promise<RawBody> {
  const encoding = request.headers.get('content-encoding')?.toLowerCase() ?? 'identity'
  const sent = await readBytes(request, maxBytes)
  switch (encoding) {
    case 'identity':
      return { sent, content: sent }
    case 'gzip':
    case 'x-gzip': // the same (RFC 9110, 8.4.1.3)
      return { sent, content: await decompress(sent, 'gzip', maxBytes) }
    case 'br':
    case 'zstd':
      return { sent, content: await decompress(sent, encoding, maxBytes) }
    default:
      throw fault('unsupported_media_type', 'The content-encoding must be gzip, br, zstd or none')
  }
}

async function decompress(
  sent: Uint8Array,
  encoding: keyof typeof decompressors,
  maxBytes: number,
): Promise<Uint8Array> {
  try {
    return await decompressors[encoding](sent, { maxOutputLength: maxBytes })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') {
      throw bodyTooLarge(maxBytes)
    }
    throw fault('bad_request', `The body is not valid ${encoding}`, { detail: error })
  }
}
