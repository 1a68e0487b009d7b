import { faultStatus, toFault } from '../../platform/http/faults.ts'
import type { RequestFacts } from '../../platform/http/request-facts.ts'
import type { Log } from '../../platform/log.ts'

/** The code `-32000`, which the SDKs use for requests that a transport refuses. */
export const refusedCode = -32_000
export const sessionNotFoundCode = -32_001
export const parseErrorCode = -32_700
export const invalidRequestCode = -32_600
const invalidParamsCode = -32_602

/** Returns an HTTP response with a JSON-RPC error that MCP clients understand. */
export function rpcRefusal(
  status: number,
  code: number,
  message: string,
  more: RefusalExtras = {},
): Response {
  const error = { code, message, ...(more.data === undefined ? {} : { data: more.data }) }
  return Response.json(
    { jsonrpc: '2.0', error, id: null },
    { status, headers: { 'cache-control': 'no-store', ...more.headers } },
  )
}

/** Returns the response to a request whose parameters are malformed. It has the id of the request. */
export const malformedRefusal = ({ id, text }: { readonly id: string | number; readonly text: string }) =>
  Response.json(
    { jsonrpc: '2.0', error: { code: invalidParamsCode, message: text }, id },
    { status: 400, headers: { 'cache-control': 'no-store' } },
  )

interface RefusalExtras {
  readonly data?: unknown
  readonly headers?: Record<string, string>
}

/** Returns the one response for a session that ended, never existed, or belongs to another caller. */
export const noSuchSession = (): Response =>
  rpcRefusal(404, sessionNotFoundCode, 'Session not found: start a new one with initialize')

/** The same for a message to a stream: a client of HTTP with SSE begins by opening another one. */
export const noSuchStream = (): Response =>
  rpcRefusal(
    404,
    sessionNotFoundCode,
    'Session not found: open a new stream with GET, at the address that ends in /sse',
  )

/** Returns the response to a method that an address does not take. */
export const onlyMethods = (allow: string): Response =>
  rpcRefusal(405, invalidRequestCode, `This address answers to ${allow} only`, { headers: { allow } })

/** Converts whatever was thrown to a response, and logs what is our own failure. */
export function faultRefusal(
  thrown: unknown,
  { requestId, route }: Pick<RequestFacts, 'requestId' | 'route'>,
  log: Log,
  challengeOf: (why: 'unauthorized' | 'permission_missing') => string | null = () => null,
): Response {
  const fault = toFault(thrown)
  if (fault.code === 'internal') log.error('the gateway failed', { requestId, route, detail: fault.detail })
  const status = faultStatus[fault.code]
  const headers: Record<string, string> = { ...fault.headers }
  const isUnknown = status === 401
  const challenge =
    isUnknown || fault.code === 'permission_missing'
      ? challengeOf(isUnknown ? 'unauthorized' : 'permission_missing')
      : null
  if (challenge !== null) headers['www-authenticate'] = challenge
  if (fault.retryAfterSec !== undefined) headers['retry-after'] = String(Math.ceil(fault.retryAfterSec))
  return rpcRefusal(status, refusedCode, fault.message, { data: { code: fault.code }, headers })
}
