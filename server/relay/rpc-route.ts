import type { AddressLimit } from '../platform/http/address-limit.ts'
import { readBytes } from '../platform/http/request-body.ts'
import type { DirectRoute } from '../platform/http/direct-routes.ts'
import type { RequestFacts } from '../platform/http/request-facts.ts'
import { isUpgrade } from '../platform/http/web-socket.ts'
import { assertNever, Fault } from '../platform/fault.ts'
import type { KeyCaller } from '../keys/check.ts'
import type { Endpoint } from '../endpoints/endpoints.ts'
import {
  compressedBody,
  endpointRemoved,
  noSuchAddress,
  onlyPost,
  requestBodyTooLarge,
  tooManyWrongKeys,
  usageHint,
  wrongKey,
} from './errors.ts'
import {
  anyOrigin,
  type CorsPolicy,
  corsPolicyOf,
  createReplyResponse,
  errorResponse,
  type LimitHeaders,
  preflightResponse,
  responseHeaders,
} from './http-response.ts'
import type { RelayAuthorization, RelayEndpoints, RelayKey, RelayKeys, RelayRequestLog } from './ports.ts'
import type { RelayCalls, Reply } from './relay-calls.ts'
import { keyInHeaders, rootAddress } from './presented-key.ts'
import type { RelayMetrics } from './relay-metrics.ts'
import {
  preflightPolicyOf,
  refusedRequest,
  restrictedRequest,
  restrictedResponse,
  unavailableResponse,
} from './rpc-refusals.ts'
import type { CallerSockets } from './websocket/caller-sockets.ts'

export interface RpcRouteOptions {
  readonly keys: RelayKeys
  readonly endpoints: RelayEndpoints
  readonly relayCalls: RelayCalls
  readonly sockets: Pick<CallerSockets, 'open'>
  readonly limitHeaders: LimitHeaders
  /** Counts requests with a wrong key, by address. */
  readonly wrongKeys: AddressLimit
  readonly relayMetrics: RelayMetrics
  readonly requestLog: RelayRequestLog
  /** The longest request body, in bytes. */
  readonly bodyBytes: number
}

/** A request with the key value that it presents, which is not checked yet. */
interface KeyedRequest {
  readonly request: Request
  readonly facts: RequestFacts
  readonly value: string
}

/** A request whose key is valid for its endpoint. */
interface AuthenticatedRequest {
  readonly request: Request
  readonly facts: RequestFacts
  readonly value: string
  readonly key: RelayKey
  readonly endpoint: Endpoint
  readonly cors: CorsPolicy
}

export interface RpcRoute extends DirectRoute {
  /** Answers `POST /`: `bitcoin-cli` and its like can send to no other address. */
  answerAtRoot(request: Request, facts: RequestFacts): Response | Promise<Response>
}

/** The response to a request; null when the request became a WebSocket. */
type Handled = Response | null | Promise<Response | null>
type Serve = (authenticated: AuthenticatedRequest) => Handled

/** Creates the route of the relay's requests: `/rpc/{endpoint}/{key}`, or `/rpc/{endpoint}` with the key in a header. */
export function createRpcRoute(options: RpcRouteOptions): RpcRoute {
  const { keys, endpoints, relayCalls, sockets, limitHeaders, wrongKeys, relayMetrics, bodyBytes } = options
  const replyResponse = createReplyResponse(limitHeaders)

  /** Adds no promise of its own where there is nothing to wait for, which is nearly always. */
  function authenticate(
    request: Request,
    facts: RequestFacts,
    serve: Serve,
    at?: RelayAddress | null,
  ): Handled {
    try {
      const address = at === undefined ? readAddress(request.url) : at
      if (address === null) return errorResponse(facts, 404, noSuchAddress, anyOrigin)
      const handled = checkAndServe(request, facts, address, serve)
      return handled instanceof Promise ? handled.catch((error) => responseToThrown(error, facts)) : handled
    } catch (error) {
      return responseToThrown(error, facts)
    }
  }

  function responseToThrown(error: unknown, facts: RequestFacts): Response {
    if (!(error instanceof Fault) || error.code !== 'unavailable') throw error
    relayMetrics.countRequest('unavailable')
    return unavailableResponse(facts, error)
  }

  function checkAndServe(
    request: Request,
    facts: RequestFacts,
    address: RelayAddress,
    serve: Serve,
  ): Handled {
    const value = address.key ?? keyInHeaders(request.headers) ?? ''
    const authorization = keys.authorize(value, address.endpoint, new LazyCaller(facts))
    const keyed = { request, facts, value }
    return authorization instanceof Promise
      ? authorization.then((decided) => serveAuthorized(decided, keyed, serve))
      : serveAuthorized(authorization, keyed, serve)
  }

  function serveAuthorized(authorization: RelayAuthorization, keyed: KeyedRequest, serve: Serve): Handled {
    const { request, facts, value } = keyed
    switch (authorization.kind) {
      case 'allowed': {
        const { key } = authorization
        const cors = corsPolicyOf(key, request.headers.get('origin'))
        const endpoint = endpoints.find(key.endpoint)
        if (endpoint === undefined) {
          options.requestLog.add(refusedRequest(key, facts, 'unavailable', 404, 0))
          return errorResponse(facts, 404, endpointRemoved, cors)
        }
        return serve({ request, facts, value, key, endpoint, cors })
      }
      case 'invalid':
        return wrongKeyResponse(facts)
      case 'ip_not_allowed':
      case 'domain_not_allowed':
        relayMetrics.countRequest('restricted')
        options.requestLog.add(restrictedRequest(authorization, facts))
        return restrictedResponse(facts, authorization.kind)
      default:
        return assertNever(authorization)
    }
  }

  function serveCalls(authenticated: AuthenticatedRequest): Response | Promise<Response> {
    const { request, facts, key, endpoint, cors } = authenticated
    const respond = (reply: Reply): Response => {
      if (hasCompressedBody(reply, request)) {
        relayMetrics.countRequest('unreadable')
        return errorResponse(facts, 415, compressedBody, cors)
      }
      relayMetrics.countRequest(reply.outcome)
      return replyResponse(reply, key, facts, cors)
    }
    return readBody(request, bodyBytes, (text, bytes) => {
      if (text === null) {
        relayMetrics.countRequest('unreadable')
        options.requestLog.add(refusedRequest(key, facts, 'invalid', 413, bytes))
        return errorResponse(facts, 413, requestBodyTooLarge(bodyBytes), cors, { connection: 'close' })
      }
      const reply = relayCalls(key, endpoint, text, bytes, facts)
      return reply instanceof Promise ? reply.then(respond) : respond(reply)
    })
  }

  function openSocket({ facts, value, key, endpoint, cors }: AuthenticatedRequest): Response | null {
    const { address, origin } = facts.caller() // The request is gone once it became a WebSocket.
    const opening = { value, key, endpoint: endpoint.name, caller: { address, origin } }
    const notOpened = sockets.open(opening, facts)
    return notOpened === null ? null : errorResponse(facts, notOpened.status, notOpened.error, cors)
  }

  function wrongKeyResponse(facts: RequestFacts): Response {
    relayMetrics.countRequest('unauthorized')
    const waitSec = wrongKeys.count(facts.caller().address)
    if (waitSec > 0)
      return errorResponse(facts, 429, tooManyWrongKeys, anyOrigin, { 'retry-after': String(waitSec) })
    return errorResponse(facts, 401, wrongKey, anyOrigin, { 'www-authenticate': 'Bearer' })
  }

  /** Allows any origin when the address holds no key: the request that follows brings the key, and is checked. */
  function answerPreflight(request: Request, facts: RequestFacts): Response {
    const value = readAddress(request.url)?.key ?? null
    const key = value === null ? null : keys.findByValue(value)
    const cors = preflightPolicyOf(key, facts.caller().origin, request.headers.get('origin'))
    return preflightResponse(facts, cors)
  }

  return {
    prefix: relayPrefix,
    template: '/rpc/:endpoint',
    answer(request, facts) {
      switch (request.method) {
        case 'POST':
          return authenticate(request, facts, serveCalls)
        case 'OPTIONS':
          return answerPreflight(request, facts)
        case 'GET':
          if (isUpgrade(request)) return authenticate(request, facts, openSocket)
          return Response.json(usageHint, { headers: responseHeaders(facts, anyOrigin) })
        default:
          return errorResponse(facts, 405, onlyPost, anyOrigin, { allow: 'POST, GET, OPTIONS' })
      }
    },
    async answerAtRoot(request, facts) {
      const handled = await authenticate(request, facts, serveCalls, rootAddress(request.headers, keys))
      if (handled === null) throw new TypeError('a POST became a WebSocket')
      return handled
    },
  }
}

const relayPrefix = '/rpc/'

/** The parts of a relay address; `key` is null when the key comes in a header. */
export interface RelayAddress {
  readonly endpoint: string
  readonly key: string | null
}

/** Reads `…/rpc/{endpoint}` and `…/rpc/{endpoint}/{key}` without parsing the URL; returns null for anything else. */
function readAddress(url: string): RelayAddress | null {
  const from = url.indexOf('/', 'https://'.length) + relayPrefix.length
  const query = url.indexOf('?', from)
  const to = query < 0 ? url.length : query
  const slash = url.indexOf('/', from)
  if (slash < 0 || slash >= to) return from === to ? null : { endpoint: url.slice(from, to), key: null }
  const key = url.slice(slash + 1, to)
  if (slash === from || key.includes('/')) return null
  return { endpoint: url.slice(from, slash), key: key === '' ? null : key }
}

/**
 * Makes something of a body; `text` is null when the body is too large. Malformed UTF-8 is U+FFFD in the text, and is
 * passed on so.
 */
type MakeOfBody<Made> = (text: string | null, bytes: number) => Made | Promise<Made>

const utf8 = new TextDecoder()

/** Reads the body of a request. `make` is called in here, because each promise in between is felt at every call. */
function readBody<Made>(request: Request, maxBytes: number, make: MakeOfBody<Made>): Made | Promise<Made> {
  const declared = Number(request.headers.get('content-length') ?? Number.NaN)
  if (declared > maxBytes) return make(null, declared)
  // The length is known, as with nearly every request: the server does not let in more than it declares.
  if (declared >= 0) return request.text().then((text) => make(text, declared))
  return readUndeclared(request, maxBytes).then((bytes) =>
    bytes === null ? make(null, maxBytes) : make(utf8.decode(bytes), bytes.length),
  )
}

async function readUndeclared(request: Request, maxBytes: number): Promise<Uint8Array | null> {
  try {
    return await readBytes(request, maxBytes)
  } catch (error) {
    if (error instanceof Fault && error.code === 'payload_too_large') return null
    throw error
  }
}

/** Compressed bytes are never JSON, so the header needs to be looked at only when the body could not be read. */
const hasCompressedBody = ({ status }: Reply, { headers }: Request): boolean =>
  status === 400 && headers.has('content-encoding')

/** Works out address and origin only when they are read: most keys have no restrictions. */
class LazyCaller implements KeyCaller {
  readonly #facts: RequestFacts

  constructor(facts: RequestFacts) {
    this.#facts = facts
  }

  get address(): string | null {
    return this.#facts.caller().address
  }

  get origin(): string | null {
    return this.#facts.caller().origin
  }
}
