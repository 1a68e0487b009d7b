import { Fault, isFault } from '../platform/fault.ts'
import type { AddressLimit } from '../platform/http/address-limit.ts'
import type { RequestFacts } from '../platform/http/request-facts.ts'
import { isUpgrade } from '../platform/http/web-socket.ts'
import type { AuthenticatedRequest, RestCalls } from './authenticated-request.ts'
import { noSuchAddress, onlyPost, tooManyWrongKeys, wrongKey } from './errors.ts'
import { helpResponse } from './help/help.ts'
import { anyOrigin, errorResponse, preflightResponse } from './http-response.ts'
import type { RelayAuthorization, RelayEndpoints, RelayKeys, RelayRequestLog } from './ports.ts'
import type { RelayAddress } from './presented-key.ts'
import type { RelayMetrics } from './relay-metrics.ts'
import {
  preflightMethods,
  preflightPolicyOf,
  restrictedRequest,
  restrictedResponse,
  unavailableResponse,
} from './rpc-refusals.ts'
import type { CallerSockets } from './websocket/caller-sockets.ts'

export interface OtherRequestsOptions {
  readonly keys: Pick<RelayKeys, 'findByValue'>
  readonly endpoints: RelayEndpoints
  readonly sockets: Pick<CallerSockets, 'open'>
  readonly restCalls: RestCalls
  /** Counts requests with a wrong key, by address. */
  readonly wrongKeys: AddressLimit
  readonly relayMetrics: RelayMetrics
  readonly requestLog: RelayRequestLog
  /** Returns `scheme://host[:port]` of this installation. */
  readonly origin: () => string
}

type RestrictedKey = Extract<RelayAuthorization, { kind: 'ip_not_allowed' | 'domain_not_allowed' }>

/** Creates what answers requests with which nothing is relayed over HTTP: WebSockets, help, preflights and refusals. */
export function createOtherRequests(options: OtherRequestsOptions) {
  const { keys, endpoints, sockets, restCalls, wrongKeys, relayMetrics, requestLog, origin } = options

  function openSocket({ facts, value, key, endpoint, cors }: AuthenticatedRequest): Response | null {
    const { address, origin: page } = facts.caller() // The request is gone once it became a WebSocket.
    const { requestId } = facts
    const opening = { value, key, endpoint: endpoint.name, caller: { address, origin: page }, requestId }
    const notOpened = sockets.open(opening, facts)
    return notOpened === null ? null : errorResponse(facts, notOpened.status, notOpened.error, cors)
  }

  return {
    /** Null: the request became a WebSocket. */
    serve(authenticated: AuthenticatedRequest): Response | null | Promise<Response> {
      const { request, facts, path, endpoint, key, cors } = authenticated
      if (path !== null && endpoint.isRest) return restCalls({ ...authenticated, path })
      if (path !== null || (endpoint.isRest && request.method !== 'GET'))
        return errorResponse(facts, 404, noSuchAddress, cors)
      if (request.method !== 'GET') {
        return errorResponse(facts, 405, onlyPost, cors, { allow: 'POST, GET, OPTIONS' })
      }
      if (isUpgrade(request) && !endpoint.isRest) return openSocket(authenticated)
      return helpResponse(request, facts, { endpoint, key, origin: origin() }, cors)
    },

    /** Allows any origin when the address holds no key: the request that follows brings the key, and is checked. */
    async preflight(request: Request, facts: RequestFacts, address: RelayAddress | null): Promise<Response> {
      const key =
        address === null || address.key === null ? null : await keys.findByValue(address.key, facts.caller())
      const cors = preflightPolicyOf(key, facts.caller().origin, request.headers.get('origin'))
      const endpoint = key === null ? undefined : endpoints.find(address?.endpoint ?? '')
      return preflightResponse(facts, cors, preflightMethods(endpoint, address?.key ?? null))
    },

    refuseWrongKey(facts: RequestFacts, value: string): Response {
      relayMetrics.countRequest('unauthorized')
      const waitSec = wrongKeys.count(facts.caller().address)
      if (waitSec > 0) return tooManyOf(facts, waitSec)
      return errorResponse(facts, 401, wrongKey(value), anyOrigin, { 'www-authenticate': 'Bearer' })
    },

    refuseRestricted(restricted: RestrictedKey, facts: RequestFacts): Response {
      relayMetrics.countRequest('restricted')
      requestLog.add(restrictedRequest(restricted, facts))
      return restrictedResponse(facts, restricted.kind)
    },

    /** Throws what is not the unavailability of keys, limits or counters, or a limit of unknown keys. */
    answerThrown(error: unknown, facts: RequestFacts): Response {
      if (isFault(error, 'rate_limited')) return tooManyOf(facts, error.retryAfterSec ?? 1)
      if (!(error instanceof Fault) || error.code !== 'unavailable') throw error
      relayMetrics.countRequest('unavailable')
      return unavailableResponse(facts, error)
    },
  }
}

const tooManyOf = (facts: RequestFacts, waitSec: number): Response =>
  errorResponse(facts, 429, tooManyWrongKeys, anyOrigin, { 'retry-after': String(waitSec) })
