import { readBytes, throwCutOff } from '../platform/http/request-body.ts'
import type { DirectRoute } from '../platform/http/direct-routes.ts'
import type { RequestFacts } from '../platform/http/request-facts.ts'
import { assertNever, isFault } from '../platform/fault.ts'
import { isQueryKey } from '../platform/token-prefixes.ts'
import type { KeyCaller } from '../keys/check.ts'
import type { Endpoint } from '../endpoints/endpoints.ts'
import type { AuthenticatedRequest } from './authenticated-request.ts'
import { readCompressed } from './compressed-request.ts'
import { endpointRemoved, noSuchAddress, requestBodyTooLarge, type RpcError } from './errors.ts'
import {
  anyOrigin,
  corsPolicyOf,
  createReplyResponse,
  errorResponse,
  type LimitHeaders,
} from './http-response.ts'
import { createOtherRequests, type OtherRequestsOptions } from './other-requests.ts'
import type { RelayAuthorization, RelayEndpoints, RelayKeys } from './ports.ts'
import { addressWithHeaders, keyInHeaders, type RelayAddress, rootAddress } from './presented-key.ts'
import type { RelayCalls, Reply } from './relay-calls.ts'
import { refusedRequest } from './rpc-refusals.ts'

export interface RpcRouteOptions extends OtherRequestsOptions {
  readonly keys: RelayKeys
  readonly endpoints: RelayEndpoints
  readonly relayCalls: RelayCalls
  readonly limitHeaders: LimitHeaders
}

/** A request with the key value that it presents, which is not checked yet. */
interface KeyedRequest {
  readonly request: Request
  readonly facts: RequestFacts
  readonly path: string | null
  readonly value: string
}

export interface RpcRoute extends DirectRoute {
  /** Answers `POST /`: `bitcoin-cli` and its like can send to no other address. */
  answerAtRoot(request: Request, facts: RequestFacts): Response | Promise<Response>
}

/** The response to a request; null when the request became a WebSocket. */
type Handled = Response | null | Promise<Response | null>

/** Creates the route of the relay's requests: `/rpc/{endpoint}/{key}`, or `/rpc/{endpoint}` with the key in a header. */
export function createRpcRoute(options: RpcRouteOptions): RpcRoute {
  const { keys, endpoints, relayCalls, limitHeaders, relayMetrics, requestLog } = options
  const replyResponse = createReplyResponse(limitHeaders)
  const others = createOtherRequests(options)

  /** Adds no promise of its own where there is nothing to wait for, which is nearly always. */
  function answer(request: Request, facts: RequestFacts, address: RelayAddress | null): Handled {
    if (address === null) return errorResponse(facts, 404, noSuchAddress, anyOrigin)
    try {
      const handled = checkAndServe(request, facts, address)
      return handled instanceof Promise
        ? handled.catch((error) => others.answerThrown(error, facts))
        : handled
    } catch (error) {
      return others.answerThrown(error, facts)
    }
  }

  function checkAndServe(request: Request, facts: RequestFacts, address: RelayAddress): Handled {
    const { path, key } = isQueryKey(address.key) ? address : addressWithHeaders(address, request.headers)
    const value = key ?? keyInHeaders(request.headers) ?? ''
    const authorization = keys.authorize(value, address.endpoint, new LazyCaller(facts))
    const keyed = { request, facts, path, value }
    return authorization instanceof Promise
      ? authorization.then((decided) => serveAuthorized(decided, keyed))
      : serveAuthorized(authorization, keyed)
  }

  function serveAuthorized(authorization: RelayAuthorization, keyed: KeyedRequest): Handled {
    const { request, facts, value } = keyed
    switch (authorization.kind) {
      case 'allowed': {
        const { key } = authorization
        const cors = corsPolicyOf(key, request.headers.get('origin'))
        const endpoint = endpoints.find(key.endpoint)
        if (endpoint === undefined) {
          requestLog.add(refusedRequest(key, facts, 'unavailable', 404, 0))
          return errorResponse(facts, 404, endpointRemoved, cors)
        }
        const path = pathMeant(keyed.path, request.method, endpoint)
        const authenticated = { request, facts, path, value, key, endpoint, cors }
        return request.method === 'POST' && path === null && !endpoint.isRest
          ? serveCalls(authenticated)
          : others.serve(authenticated)
      }
      case 'invalid':
        return others.refuseWrongKey(facts, value)
      case 'ip_not_allowed':
      case 'domain_not_allowed':
        return others.refuseRestricted(authorization, facts)
      default:
        return assertNever(authorization)
    }
  }

  function serveCalls(authenticated: AuthenticatedRequest): Response | Promise<Response> {
    const { request, facts, key, endpoint, cors } = authenticated
    // Read now: the headers are gone once the caller is.
    const acceptEncoding = request.headers.get('accept-encoding')
    const respond = (reply: Reply): Response | Promise<Response> => {
      relayMetrics.countRequest(reply.outcome)
      return replyResponse(reply, key, facts, cors, acceptEncoding)
    }
    const refuse = (status: 400 | 413 | 415, error: RpcError, bytes: number): Response => {
      relayMetrics.countRequest('unreadable')
      requestLog.add(refusedRequest(key, facts, 'invalid', status, bytes))
      return errorResponse(facts, status, error, cors)
    }
    const answerText = (text: string, bytes: number): Response | Promise<Response> => {
      const reply = relayCalls(key, endpoint, text, bytes, facts)
      return reply instanceof Promise ? reply.then(respond) : respond(reply)
    }
    const maxBytes = endpoint.bodyBounds.some
    if (request.headers.has('content-encoding')) {
      return readCompressed(request, maxBytes).then((body) =>
        body.kind === 'text'
          ? answerText(body.text, body.bytes)
          : refuse(body.status, body.error, body.bytes),
      )
    }
    return readBody(request, maxBytes, (text, bytes) =>
      text === null ? refuse(413, requestBodyTooLarge(maxBytes), bytes) : answerText(text, bytes),
    )
  }

  return {
    prefix: relayPrefix,
    template: '/rpc/:endpoint',
    answer(request, facts) {
      const address = readAddress(request.url)
      return request.method === 'OPTIONS'
        ? others.preflight(request, facts, address)
        : answer(request, facts, address)
    },
    async answerAtRoot(request, facts) {
      const handled = await answer(request, facts, await rootAddress(request.headers, keys, facts))
      if (handled === null) throw new TypeError('a POST became a WebSocket')
      return handled
    },
  }
}

const relayPrefix = '/rpc/'

/**
 * Clients that join a base address and nothing leave a slash at its end, which means nothing unless nodes have paths. Then what
 * is sent to the address alone is for their root, as of the XRP Ledger; who only looks is shown what the address is for.
 * Clients of CometBFT put the path at which its nodes have their WebSocket behind whatever address they are given.
 */
function pathMeant(
  path: string | null,
  method: string,
  { isRest, family }: Pick<Endpoint, 'isRest' | 'family'>,
): string | null {
  if (!isRest) {
    const isNoPath = path === '/' || (path === '/websocket' && family === 'cosmos' && method === 'GET')
    return isNoPath ? null : path
  }
  return path === null && method !== 'GET' && method !== 'HEAD' ? '/' : path
}

/** Reads `…/rpc/{endpoint}` and `…/rpc/{endpoint}/{key}/{path}` without parsing the URL; returns null for anything else. */
function readAddress(url: string): RelayAddress | null {
  const from = url.indexOf('/', 'https://'.length) + relayPrefix.length
  const query = url.indexOf('?', from)
  const to = query < 0 ? url.length : query
  const slash = url.indexOf('/', from)
  if (slash < 0 || slash >= to)
    return from === to ? null : { endpoint: url.slice(from, to), key: null, path: null }
  if (slash === from) return null
  const next = url.indexOf('/', slash + 1)
  const end = next < 0 || next >= to ? to : next
  const key = slash + 1 === end ? null : url.slice(slash + 1, end)
  if (key === null && end < to) return null
  return { endpoint: url.slice(from, slash), key, path: end < to ? url.slice(end, to) : null }
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
  if (declared >= 0) return request.text().then((text) => make(text, declared), throwCutOff)
  return readUndeclared(request, maxBytes).then((bytes) =>
    bytes === null ? make(null, maxBytes) : make(utf8.decode(bytes), bytes.length),
  )
}

async function readUndeclared(request: Request, maxBytes: number): Promise<Uint8Array | null> {
  try {
    return await readBytes(request, maxBytes)
  } catch (error) {
    if (isFault(error, 'payload_too_large')) return null
    throw error
  }
}

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
