import { faultStatus, toFault } from '../../platform/http/faults.ts'
import type { Fault } from '../../platform/fault.ts'
import { tokenPrefixes } from '../../platform/token-prefixes.ts'

/** The code `-32000`, which the SDKs use for requests that a transport refuses. */
const refusedCode = -32_000
const sessionNotFoundCode = -32_001
export const parseErrorCode = -32_700
export const invalidRequestCode = -32_600

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

interface RefusalExtras {
  readonly data?: unknown
  readonly headers?: Record<string, string>
}

/** Returns the one response for a session that ended, never existed, or belongs to another caller. */
export const noSuchSession = (): Response =>
  rpcRefusal(404, sessionNotFoundCode, 'Session not found: start a new one with initialize')

/** Returns the response to a method that an address does not take. */
export const onlyMethods = (allow: string): Response =>
  rpcRefusal(405, invalidRequestCode, `This address answers to ${allow} only`, { headers: { allow } })

/** What tells clients how to authenticate. */
interface ChallengeFacts {
  /** RFC 9728, section 5.1. */
  readonly metadataUrl: string
  readonly authorization: string | null
}

const leastScope = 'scope="gateway_use"'

/**
 * The challenge of a refusal (RFC 6750, section 3); null where none helps. A scope that is missing is told to agents only:
 * whoever shows an API key cannot ask for more.
 */
function challengeOf({ code }: Fault, { metadataUrl, authorization }: ChallengeFacts): string | null {
  const metadata = `resource_metadata="${metadataUrl}"`
  if (faultStatus[code] === 401) {
    const shown = authorization === null ? '' : 'error="invalid_token", '
    return `Bearer ${shown}${metadata}, ${leastScope}`
  }
  const isAgent = authorization?.slice('Bearer '.length).startsWith(tokenPrefixes.agentAccess) === true
  return isAgent && code === 'permission_missing'
    ? `Bearer error="insufficient_scope", ${metadata}, ${leastScope}`
    : null
}

/** Converts whatever was thrown to a response. */
export function faultRefusal(thrown: unknown, facts: ChallengeFacts): { fault: Fault; response: Response } {
  const fault = toFault(thrown)
  const status = faultStatus[fault.code]
  const headers: Record<string, string> = { ...fault.headers }
  const challenge = challengeOf(fault, facts)
  if (challenge !== null) headers['www-authenticate'] = challenge
  if (fault.retryAfterSec !== undefined) headers['retry-after'] = String(Math.ceil(fault.retryAfterSec))
  const response = rpcRefusal(status, refusedCode, fault.message, { data: { code: fault.code }, headers })
  return { fault, response }
}
