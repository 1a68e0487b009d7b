import { consolePages } from '../../shared/console-pages.ts'
import { requestLimits } from '../platform/http/request-limits.ts'
import type { Clock } from '../platform/clock.ts'
import { Fault } from '../platform/fault.ts'
import { createAddressLimit } from '../platform/http/address-limit.ts'
import { type DirectRoute, pathOf } from '../platform/http/direct-routes.ts'
import { faultStatus, toFault } from '../platform/http/faults.ts'
import { type PublicAddress, askedOrigin } from '../platform/http/public-address.ts'
import { nestsDeeperThan, readBytes, saysJson } from '../platform/http/request-body.ts'
import type { RequestFacts } from '../platform/http/request-facts.ts'
import { preparedHeaders } from '../platform/http/response-headers.ts'
import { parseJson } from '../platform/json.ts'
import type { Log } from '../platform/log.ts'
import type { Clients } from './clients/clients.ts'
import { serverMetadata } from './metadata.ts'
import { OAuthRefusal } from './oauth-refusal.ts'
import { isOffered } from './resources.ts'
import type { TokenAnswer } from './token-requests.ts'

interface AgentRoutesOptions {
  readonly address: () => PublicAddress
  readonly clients: Pick<Clients, 'register' | 'canRegister'>
  readonly tokenRequests: {
    token(form: URLSearchParams): Promise<TokenAnswer>
    revoke(form: URLSearchParams): Promise<void>
  }
  readonly clock: Clock
  readonly log: Log
}

/** Reads a request whose limits were looked at, and answers it. Throws `OAuthRefusal` and faults. */
type Answer = (request: Request, origin: string) => Response | Promise<Response>

const metadataAddress = '/.well-known/oauth-authorization-server'
const longestQuery = 4_096
const maxFormBytes = 32 << 10
const registrationsPerHour = 20
const refusedPerMinute = 60
const hourInMinutes = 60

/** Public clients in browsers call these addresses, and nothing there goes by a cookie. */
const open = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'retry-after, x-request-id',
  'cross-origin-resource-policy': 'cross-origin',
}
const secret = { ...open, 'cache-control': 'no-store', pragma: 'no-cache' }

/** The addresses of the authorization server. They stand beside the router, because their errors have a form of their own. */
export function createAgentRoutes({ address, clients, tokenRequests, clock, log }: AgentRoutesOptions) {
  const refusals = createAddressLimit(refusedPerMinute, clock.monotonic)
  const registrations = createAddressLimit(registrationsPerHour, () => clock.monotonic() / hourInMinutes)

  const answers: Readonly<Record<string, { readonly methods: readonly string[]; readonly answer: Answer }>> =
    {
      [metadataAddress]: {
        methods: ['GET', 'HEAD'],
        answer: (_request, origin) =>
          Response.json(serverMetadata(origin, clients.canRegister), {
            headers: { ...open, 'cache-control': 'public, max-age=300' },
          }),
      },
      '/oauth/authorize': { methods: ['GET'], answer: toConsentPage },
      '/oauth/token': {
        methods: ['POST'],
        answer: async (request) =>
          Response.json(await tokenRequests.token(await readForm(request)), { headers: secret }),
      },
      '/oauth/revoke': {
        methods: ['POST'],
        async answer(request) {
          await tokenRequests.revoke(await readForm(request))
          return new Response(null, { headers: secret })
        },
      },
      '/oauth/register': {
        methods: ['POST'],
        answer: async (request) =>
          Response.json(await clients.register(await readRegistrationBody(request)), {
            status: 201,
            headers: secret,
          }),
      },
    }

  /** Counts before anything is looked at, where each request costs something. */
  function requireRoom(path: string, facts: RequestFacts): void {
    const limit = path === '/oauth/register' ? registrations.count : refusals.waitSec
    const waitSec = limit(facts.caller().address) * (path === '/oauth/register' ? hourInMinutes : 1)
    if (waitSec > 0)
      throw new OAuthRefusal('temporarily_unavailable', 'Too many requests from this address', 429, waitSec)
  }

  async function answer(request: Request, facts: RequestFacts): Promise<Response> {
    const path = pathOf(request.url)
    const found = isOffered(address()) ? answers[path] : undefined
    if (found === undefined)
      return refusal(new OAuthRefusal('not_found', 'There is nothing at this address', 404))
    if (request.method === 'OPTIONS') return preflight(found.methods)
    if (!found.methods.includes(request.method)) return otherMethod(found.methods)
    try {
      if (request.method === 'POST') requireRoom(path, facts)
      return await found.answer(request, askedOrigin(request.headers, address()))
    } catch (thrown) {
      const refused = refusalOf(thrown)
      if (refused.status < 500) refusals.count(facts.caller().address)
      else log.warn('an agent could not be answered', { requestId: facts.requestId, error: thrown })
      return refusal(refused)
    }
  }

  const routeFor = (prefix: string): DirectRoute => ({
    prefix,
    template: prefix,
    async answer(request, facts) {
      const answered = await answer(request, facts)
      const headers = preparedHeaders(Object.fromEntries(answered.headers))
      headers.set('x-request-id', facts.requestId)
      return new Response(answered.body, { status: answered.status, headers })
    },
  })

  return { routes: [metadataAddress, '/oauth/'].map(routeFor) }
}

/**
 * Hands the words of the client to the console, which knows who is signed in, or asks. Nothing is read or stored before:
 * the query is written anew, so that the address of our page has nothing in it but parameters.
 */
function toConsentPage(request: Request, origin: string): Response {
  const query = new URL(request.url).searchParams.toString()
  if (query.length > longestQuery) throw new OAuthRefusal('invalid_request', 'The request is too long', 414)
  return new Response(null, {
    status: 303,
    headers: { location: `${origin}${consolePages.connectAgent}?${query}`, 'cache-control': 'no-store' },
  })
}

async function readForm(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) {
    throw new OAuthRefusal('invalid_request', 'Send a form: content-type application/x-www-form-urlencoded')
  }
  return new URLSearchParams(Buffer.from(await readBytes(request, maxFormBytes)).toString('utf8'))
}

async function readRegistrationBody(request: Request): Promise<unknown> {
  if (!saysJson(request.headers)) {
    throw new OAuthRefusal('invalid_client_metadata', 'Send JSON: content-type application/json')
  }
  const bytes = await readBytes(request, maxFormBytes)
  return nestsDeeperThan(bytes, requestLimits.jsonDepth) ? undefined : parseJson(bytes)
}

/** Whatever was thrown, in the words of OAuth. */
function refusalOf(thrown: unknown): OAuthRefusal {
  if (thrown instanceof OAuthRefusal) return thrown
  const { code, message, retryAfterSec } = toFault(thrown)
  const status = faultStatus[code]
  if (status === 503) return new OAuthRefusal('temporarily_unavailable', message, status, retryAfterSec ?? 1)
  return new OAuthRefusal(thrown instanceof Fault ? 'invalid_request' : 'server_error', message, status)
}

function refusal({ code, message, status, retryAfterSec }: OAuthRefusal): Response {
  const wait = retryAfterSec === null ? {} : { 'retry-after': String(Math.ceil(retryAfterSec)) }
  const challenge = status === 401 ? { 'www-authenticate': 'Bearer' } : {}
  return Response.json(
    { error: code, error_description: message },
    { status, headers: { ...secret, ...wait, ...challenge } },
  )
}

const otherMethod = (methods: readonly string[]): Response => {
  const answer = refusal(
    new OAuthRefusal('invalid_request', `This address answers to ${methods.join(', ')} only`, 405),
  )
  answer.headers.set('allow', methods.join(', '))
  return answer
}

const preflight = (methods: readonly string[]): Response =>
  new Response(null, {
    status: 204,
    headers: {
      ...open,
      'access-control-allow-methods': methods.join(', '),
      'access-control-allow-headers': 'content-type, authorization, mcp-protocol-version',
      'access-control-max-age': '86400',
    },
  })
