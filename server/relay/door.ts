import type { AddressLimit } from '../http/address-limit.ts'
import { bearerToken } from '../http/bearer-token.ts'
import type { DirectRoute } from '../http/direct-route.ts'
import type { RequestFacts } from '../http/request-facts.ts'
import type { Admission } from '../limits/limits.ts'
import { assertNever, Fault } from '../platform/fault.ts'
import { readAddress, relayPrefix } from './address.ts'
import { readBody } from './body.ts'
import { addPreflight, addReaders, anyReaders, nobody, noReaders, type Readers, readersOf } from './cors.ts'
import { errorAnswer, errorText, type RpcError } from './errors.ts'
import type { RelayEndpoints, RelayKey, RelayKeys } from './parties.ts'
import type { KeyCaller } from '../query-keys/query-keys.ts'
import { isDomainAllowed } from '../../shared/allowed-domains.ts'
import {
  bodyTooLarge,
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

export interface DoorOptions {
  readonly keys: RelayKeys
  readonly endpoints: RelayEndpoints
  readonly relayCalls: RelayCalls
  /** `RateLimit`, `RateLimit-Policy` and `Retry-After`. */
  readonly limitHeaders: (admission: Admission) => Record<string, string>
  /** Of requests with a wrong key, by address. */
  readonly wrongKeys: AddressLimit
  readonly numbers: RelayMetrics
  readonly bodyBytes: number
}

/** The relay over HTTP: `/rpc/{endpoint}/{key}`, or `/rpc/{endpoint}` with the key in a header. */
export function createDoor(options: DoorOptions): DirectRoute {
  const { keys, endpoints, relayCalls, limitHeaders, wrongKeys, numbers, bodyBytes } = options

  async function answerCalls(request: Request, facts: RequestFacts): Promise<Response> {
    try {
      return await checkAndAnswer(request, facts)
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'unavailable') throw error
      numbers.countRequest('unavailable')
      const retryAfter = { 'retry-after': String(error.retryAfterSec ?? 1) }
      return refuse(facts, 503, { ...unavailable, message: error.message }, anyReaders, retryAfter)
    }
  }

  async function checkAndAnswer(request: Request, facts: RequestFacts): Promise<Response> {
    const address = readAddress(request.url)
    if (address === null) return refuse(facts, 404, nothingHere, anyReaders)
    const value = address.key ?? keyInHeaders(request.headers)
    const asking = keys.authorize(value, address.endpoint, new LazyCaller(facts))
    const verdict = asking instanceof Promise ? await asking : asking
    switch (verdict.kind) {
      case 'allowed':
        return answerFor(verdict.key, address.endpoint, request, facts)
      case 'invalid':
        return refuseKey(facts)
      case 'ip_not_allowed':
      case 'domain_not_allowed':
        numbers.countRequest('restricted')
        return refuse(
          facts,
          403,
          restricted[verdict.kind],
          verdict.kind === 'ip_not_allowed' ? anyReaders : noReaders,
        )
      default:
        return assertNever(verdict)
    }
  }

  async function answerFor(
    key: RelayKey,
    name: string,
    request: Request,
    facts: RequestFacts,
  ): Promise<Response> {
    const readers = readersOf(key, request.headers.get('origin'))
    const endpoint = endpoints.find(name)
    if (endpoint === undefined) return refuse(facts, 404, endpointGone, readers)
    const body = await readBody(request, bodyBytes)
    if (body === null) {
      numbers.countRequest('unreadable')
      return refuse(facts, 413, bodyTooLarge(bodyBytes), readers, { connection: 'close' })
    }
    return answerWith(await relayCalls(key, endpoint, body.text, body.bytes, facts), facts, readers)
  }

  function answerWith(reply: Reply, facts: RequestFacts, readers: Readers): Response {
    numbers.countRequest(reply.outcome)
    const headers = headersFor(facts, readers)
    headers['x-rpc-credits'] = String(reply.credits)
    if (reply.admission !== null) Object.assign(headers, limitHeaders(reply.admission))
    if (reply.retryAfterSec !== undefined) headers['retry-after'] = String(reply.retryAfterSec)
    return new Response(reply.text, { status: reply.status, headers })
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
    const isAllowed = key === null || isDomainAllowed(key.allowedDomains, facts.caller().origin)
    const origin = request.headers.get('origin')
    const readers = key === null ? anyReaders : isAllowed ? readersOf(key, origin) : noReaders
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
          return answerCalls(request, facts)
        case 'OPTIONS':
          return answerPreflight(request, facts)
        case 'GET':
          return Response.json(howToUse, { headers: headersFor(facts, anyReaders) })
        default:
          return refuse(facts, 405, onlyPost, anyReaders, { allow: 'POST, GET, OPTIONS' })
      }
    },
  }
}

const keyInHeaders = (headers: Headers): string | null =>
  bearerToken(headers.get('authorization')) ?? headers.get('x-api-key')

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

function headersFor(facts: RequestFacts, readers: Readers): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'x-content-type-options': 'nosniff',
    'x-request-id': facts.requestId,
  }
  addReaders(headers, readers)
  return headers
}

function refuse(
  facts: RequestFacts,
  status: number,
  error: RpcError,
  readers: Readers,
  more: Readonly<Record<string, string>> = {},
): Response {
  return new Response(errorAnswer('null', errorText(error)), {
    status,
    headers: { ...headersFor(facts, readers), ...more },
  })
}
