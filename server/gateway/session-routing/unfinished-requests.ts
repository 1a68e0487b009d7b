import type { RequestId } from '@modelcontextprotocol/server'

import { parseJson } from '../../platform/json.ts'

/** Returns the ids of the JSON-RPC requests in a body. */
export const requestIdsIn = (body: unknown): RequestId[] =>
  [body instanceof Uint8Array ? parseJson(body) : body].flat().flatMap(requestId)

function requestId(message: unknown): RequestId[] {
  if (typeof message !== 'object' || message === null || !('id' in message) || !('method' in message))
    return []
  return typeof message.id === 'string' || typeof message.id === 'number' ? [message.id] : []
}

const internalErrorCode = -32_603
const text =
  'The process that was answering has ended: the call may or may not have been carried out. The session goes on; credentials that were bound to it are to be bound again'

/**
 * Returns the last events of a stream whose process is gone: an error for each request. Without them a client
 * would wait for its own timeout; errors for requests that were already answered are ignored.
 */
export const lastEvents = (ids: readonly RequestId[]): string =>
  ids
    .map((id) => ({ jsonrpc: '2.0', id, error: { code: internalErrorCode, message: text } }))
    .map((message) => `event: message\ndata: ${JSON.stringify(message)}\n\n`)
    .join('')
