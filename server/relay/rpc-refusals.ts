import { isDomainAllowed } from '../../shared/allowed-domains.ts'
import { isPathPattern } from '../../shared/path-pattern.ts'
import type { Endpoint } from '../endpoints/endpoints.ts'
import type { Fault } from '../platform/fault.ts'
import type { RequestFacts } from '../platform/http/request-facts.ts'
import type { FinishedRequest, RequestClass } from '../../shared/request-log.ts'
import { relayUnavailable, restrictedKey } from './errors.ts'
import { anyOrigin, type CorsPolicy, corsPolicyOf, errorResponse, noOrigin } from './http-response.ts'
import type { RelayAuthorization, RelayKey } from './ports.ts'

/** A request whose calls were not read, for the request log. */
export const refusedRequest = (
  key: RelayKey,
  { requestId }: Pick<RequestFacts, 'requestId'>,
  refusal: RequestClass,
  status: number,
  bytesIn: number,
): FinishedRequest => ({
  key,
  entries: [],
  method: null,
  calls: 0,
  class: refusal,
  status,
  startedAt: 0,
  tookMs: 0,
  attempts: [],
  bytesIn,
  bytesOut: 0,
  credits: 0,
  requestId,
})

/** A request with a key that may not be used from there. */
export const restrictedRequest = (
  { kind, key }: Extract<RelayAuthorization, { kind: 'ip_not_allowed' | 'domain_not_allowed' }>,
  facts: RequestFacts,
): FinishedRequest =>
  refusedRequest(key, facts, kind === 'ip_not_allowed' ? 'ip-not-allowed' : 'domain-not-allowed', 403, 0)

/** The response while keys, limits or counters are unavailable. */
export function unavailableResponse(facts: RequestFacts, { message, retryAfterSec }: Fault): Response {
  const retryAfter = { 'retry-after': String(retryAfterSec ?? 1) }
  return errorResponse(facts, 503, { ...relayUnavailable, message }, anyOrigin, retryAfter)
}

/** A page of a domain that is not allowed may not even read the error. */
export const restrictedResponse = (facts: RequestFacts, kind: keyof typeof restrictedKey): Response =>
  errorResponse(facts, 403, restrictedKey[kind], kind === 'ip_not_allowed' ? anyOrigin : noOrigin)

/** `callerOrigin` is the origin that the restrictions are checked with; `origin` is the Origin header. */
export function preflightPolicyOf(
  key: RelayKey | null,
  callerOrigin: string | null,
  origin: string | null,
): CorsPolicy {
  if (key === null) return anyOrigin
  return isDomainAllowed(key.allowedDomains, callerOrigin) ? corsPolicyOf(key, origin) : noOrigin
}

const rpcMethods: readonly string[] = ['POST', 'GET']
const anyMethods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * Returns the methods of HTTP that a page may use: those of the patterns of the key's endpoint. Where there is no such key,
 * what stands in its place may be a path, with the key in a header that follows: all of them, and the call is checked.
 */
export function preflightMethods(
  endpoint: Endpoint | undefined,
  presented: string | null,
): readonly string[] {
  if (endpoint === undefined) return presented === null ? rpcMethods : anyMethods
  if (!endpoint.isRest) return rpcMethods
  const patterns = endpoint.methods.allow.filter(isPathPattern)
  const offered = new Set(patterns.map((pattern) => pattern.split(' ', 1)[0]))
  return anyMethods.filter((method) => offered.has(method === 'HEAD' ? 'GET' : method))
}
