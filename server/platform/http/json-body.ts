import { fault } from '../fault.ts'
import { readBytes } from './body-bytes.ts'
import { nestsDeeperThan } from './json-depth.ts'
import { requestLimits } from './request-limits.ts'

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
    return parseJson(await readBytes(request, maxBytes))
  }
  houseParsers.add(parse)
  return parse
}

/** Whether a route's parser is one of ours. Elysia's own knows none of the limits. */
export const isJsonBody = (parser: unknown): boolean =>
  typeof parser === 'function' && houseParsers.has(parser)

function requireJson(headers: Headers): void {
  const contentType = headers.get('content-type') ?? ''
  if (!/^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i.test(contentType)) {
    throw fault('unsupported_media_type', 'The content-type must be application/json')
  }
  const encoding = headers.get('content-encoding')
  if (encoding !== null && encoding !== 'identity') {
    throw fault('unsupported_media_type', 'The body must not be compressed')
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Throws `bad_request`. */
export function parseJson(bytes: Uint8Array): unknown {
  if (nestsDeeperThan(bytes, requestLimits.jsonDepth)) {
    throw fault('bad_request', `JSON must not nest deeper than ${requestLimits.jsonDepth} levels`)
  }
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes))
    return value
  } catch {
    // The parser's own text repeats a part of the body.
    throw fault('bad_request', 'The body is not valid JSON in UTF-8')
  }
}
