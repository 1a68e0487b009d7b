import type { AddressLimit } from '../http/address-limit.ts'
import { isUpgrade } from '../http/web-socket.ts'
import { bearerToken } from '../http/bearer-token.ts'
import type { DirectRoute } from '../http/direct-route.ts'
import type { RequestFacts } from '../http/request-facts.ts'
import { assertNever, Fault } from '../platform/fault.ts'
import type { KeyCaller } from '../keys/check.ts'
import { readAddress, relayPrefix } from './address.ts'
import { readBody } from './body.ts'
import { addPreflight, anyReaders, nobody, noReaders, type Readers, readersOf } from './cors.ts'
import { createAnswers, headersFor, type LimitHeaders, refuse } from './http-answers.ts'
import type { RelayEndpoints, RelayKey, RelayKeys, RelayVerdict } from './parties.ts'
import type { Endpoint } from '../endpoints/endpoints.ts'
import { isDomainAllowed } from '../../shared/allowed-domains.ts'
import {
  bodyTooLarge,
  compressedBody,
  endpointGone,
  howToUse,
  nothingHere,
  onlyPost,
  restricted,
  tooManyWrongKeys,
  unavailable,
  wrongKey,
} from './refusals.ts'
import type { RelayCalls } from './relay-calls.ts'
import type { RelayMetrics } from './relay-metrics.ts'
import type { Reply } from './reply.ts'
import type { CallerSockets } from './websocket/caller-sockets.ts'

export interface DoorOptions {
  readonly keys: RelayKeys
  readonly endpoints: RelayEndpoints
  readonly relayCalls: RelayCalls
  readonly sockets: Pick<CallerSockets, 'open'>
  readonly limitHeaders: LimitHeaders
  /** Of requests with a wrong key, by address. */
  readonly wrongKeys: AddressLimit
  readonly numbers: RelayMetrics
  readonly bodyBytes: number
}

/** A request that shows a value. */
interface Showing {
  readonly request: Request
  readonly facts: RequestFacts
  readonly value: string
}

/** A request with a key that is good for its endpoint. */
interface Entrant {
  readonly request: Request
  readonly facts: RequestFacts
  readonly value: string
  readonly key: RelayKey
  readonly endpoint: Endpoint
  readonly readers: Readers
}

/** Null: it became a WebSocket. */
type Answer = Response | null | Promise<Response | null>
type Serve = (entrant: Entrant) => Answer

/** The relay over HTTP and WebSocket: `/rpc/{endpoint}/{key}`, or `/rpc/{endpoint}` with the key in a header. */
export function createDoor(options: DoorOptions): DirectRoute {
  const { keys, endpoints, relayCalls, sockets, limitHeaders, wrongKeys, numbers, bodyBytes } = options
  const answerWith = createAnswers(limitHeaders)

  /** Without a promise of its own where there is nothing to wait for, as nearly always but for the answer itself. */
  function admit(request: Request, facts: RequestFacts, serve: Serve): Answer {
    try {
      const answer = checkAndServe(request, facts, serve)
      return answer instanceof Promise ? answer.catch((error) => answerThrown(error, facts)) : answer
    } catch (error) {
      return answerThrown(error, facts)
    }
  }

  function answerThrown(error: unknown, facts: RequestFacts): Response {
    if (!(error instanceof Fault) || error.code !== 'unavailable') throw error
    numbers.countRequest('unavailable')
    return refuseForNow(facts, error)
  }

  function checkAndServe(request: Request, facts: RequestFacts, serve: Serve): Answer {
    const address = readAddress(request.url)
    if (address === null) return refuse(facts, 404, nothingHere, anyReaders)
    const value = address.key ?? keyInHeaders(request.headers) ?? ''
    const verdict = keys.authorize(value, address.endpoint, new LazyCaller(facts))
    const showing = { request, facts, value }
    return verdict instanceof Promise
      ? verdict.then((found) => answerBy(found, showing, serve))
      : answerBy(verdict, showing, serve)
  }

  function answerBy(verdict: RelayVerdict, showing: Showing, serve: Serve): Answer {
    const { request, facts, value } = showing
    switch (verdict.kind) {
      case 'allowed': {
        const { key } = verdict
        const readers = readersOf(key, request.headers.get('origin'))
        const endpoint = endpoints.find(key.endpoint)
        if (endpoint === undefined) return refuse(facts, 404, endpointGone, readers)
        return serve({ request, facts, value, key, endpoint, readers })
      }
      case 'invalid':
        return refuseKey(facts)
      case 'ip_not_allowed':
      case 'domain_not_allowed':
        numbers.countRequest('restricted')
        return refuseRestricted(facts, verdict.kind)
      default:
        return assertNever(verdict)
    }
  }

  function answerCalls({ request, facts, key, endpoint, readers }: Entrant): Response | Promise<Response> {
    const answer = (reply: Reply): Response => {
      if (isOfCompressedBody(reply, request)) {
        numbers.countRequest('unreadable')
        return refuse(facts, 415, compressedBody, readers)
      }
      numbers.countRequest(reply.outcome)
      return answerWith(reply, key, facts, readers)
    }
    return readBody(request, bodyBytes, (text, bytes) => {
      if (text === null) {
        numbers.countRequest('unreadable')
        return refuse(facts, 413, bodyTooLarge(bodyBytes), readers, { connection: 'close' })
      }
      const reply = relayCalls(key, endpoint, text, bytes, facts)
      return reply instanceof Promise ? reply.then(answer) : answer(reply)
    })
  }

  function openSocket({ facts, value, key, endpoint, readers }: Entrant): Response | null {
    const { address, origin } = facts.caller() // while there still is a request
    const opening = { value, key, endpoint: endpoint.name, caller: { address, origin } }
    const notOpened = sockets.open(opening, facts)
    return notOpened === null ? null : refuse(facts, notOpened.status, notOpened.error, readers)
  }

  function refuseKey(facts: RequestFacts): Response {
    numbers.countRequest('unauthorized')
    const waitSec = wrongKeys.count(facts.caller().address)
    if (waitSec > 0)
      return refuse(facts, 429, tooManyWrongKeys, anyReaders, { 'retry-after': String(waitSec) })
    return refuse(facts, 401, wrongKey, anyReaders, { 'www-authenticate': 'Bearer' })
  }

  /** Without a key in the address nothing can be said yet: the request itself brings it, and is checked. */
  function answerPreflight(request: Request, facts: RequestFacts): Response {
    const value = readAddress(request.url)?.key ?? null
    const key = value === null ? null : keys.findByValue(value)
    const readers = readersOfPreflight(key, facts.caller().origin, request.headers.get('origin'))
    const headers = headersFor(facts, nobody)
    addPreflight(headers, readers)
    return new Response(null, { status: 204, headers })
  }

  return {
    prefix: relayPrefix,
    template: '/rpc/:endpoint',
    answer(request, facts) {
      switch (request.method) {
        case 'POST':
          return admit(request, facts, answerCalls)
        case 'OPTIONS':
          return answerPreflight(request, facts)
        case 'GET':
          if (isUpgrade(request)) return admit(request, facts, openSocket)
          return Response.json(howToUse, { headers: headersFor(facts, anyReaders) })
        default:
          return refuse(facts, 405, onlyPost, anyReaders, { allow: 'POST, GET, OPTIONS' })
      }
    },
  }
}

/** Compressed bytes are no JSON; so only who was refused needs to be looked at. */
const isOfCompressedBody = ({ status }: Reply, { headers }: Request): boolean =>
  status === 400 && headers.has('content-encoding')

const keyInHeaders = (headers: Headers): string | null =>
  bearerToken(headers.get('authorization')) ?? headers.get('x-api-key')

/** What is asked cannot be looked up or counted at the moment. */
function refuseForNow(facts: RequestFacts, { message, retryAfterSec }: Fault): Response {
  const retryAfter = { 'retry-after': String(retryAfterSec ?? 1) }
  return refuse(facts, 503, { ...unavailable, message }, anyReaders, retryAfter)
}

/** A page of a domain that is not allowed may not even read that. */
const refuseRestricted = (facts: RequestFacts, kind: keyof typeof restricted): Response =>
  refuse(facts, 403, restricted[kind], kind === 'ip_not_allowed' ? anyReaders : noReaders)

/** `caller`: the origin that is believed; `origin`: what the browser sent. */
function readersOfPreflight(key: RelayKey | null, caller: string | null, origin: string | null): Readers {
  if (key === null) return anyReaders
  return isDomainAllowed(key.allowedDomains, caller) ? readersOf(key, origin) : noReaders
}

/** Most keys have no lists, and then nobody asks. */
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
