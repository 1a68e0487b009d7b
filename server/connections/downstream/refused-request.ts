import { dayMs, secondMs } from '../../../shared/durations.ts'
import { fieldsOf } from '../../../shared/fields.ts'
import { parseJson } from '../../platform/json.ts'
import { retryAfterOf } from '../../platform/retry-after.ts'
import type { Bytes } from './bodies.ts'
import { DownstreamError } from './failure.ts'

/**
 * Returns the response to a refused request, whose body was `sent`; `body` is the beginning of what came back. A JSON-RPC
 * error under the id of the request answers that request, whatever the status: it comes as a response that is OK, because
 * the SDK looks for answers in no other. Throws a `DownstreamError` where the server takes no notice of the request, because
 * it was started anew or is another one.
 */
export function responseToRefused(response: Response, body: Bytes, sent: BodyInit | null): Response {
  const { id, error } = fieldsOf(parseJson(body))
  const { code, message } = fieldsOf(error)
  if (typeof code !== 'number' || typeof message !== 'string') return response
  const isAnswer = id === fieldsOf(typeof sent === 'string' ? parseJson(sent) : null).id
  const isAboutRequest = isAnswer && !codesOfNotKnown.has(code)
  if (response.status === 400 && !isAboutRequest && notKnown.test(message))
    throw new DownstreamError('session_lost')
  return isAnswer ? new Response(null, { headers: { 'content-type': 'application/json' } }) : response
}

/**
 * What a server says that was started anew. The specification has 404 for that, but the examples of the official SDKs answer
 * 400: "No valid session ID provided", "Server not initialized", "Unsupported protocol version".
 */
const notKnown = /session|not initialized|unsupported protocol version/i

/**
 * The codes under which servers say so: an error of their own, session not found, invalid request, unsupported version. Any
 * other code belongs to the call, whose tool or arguments may well have "session" in their names.
 */
const codesOfNotKnown: ReadonlySet<number> = new Set([-32_000, -32_001, -32_600, -32_022])

/** The failure of a request that a limit or an outage of the tool server refuses for a time that it names; null of any other. */
export function refusedForNow({ status, headers }: Response): DownstreamError | null {
  const retryAfterMs = status === 429 || status === 503 ? retryAfterOf(headers) : null
  if (retryAfterMs === null) return null
  const retryAfterSec = Math.ceil(Math.min(retryAfterMs, dayMs) / secondMs)
  return new DownstreamError('unreachable', `HTTP ${status}`, retryAfterSec)
}
