import { isLegacyRequest } from '@modelcontextprotocol/server'

import type { DirectRoute } from '../../http/direct-route.ts'
import type { PublicAddress } from '../../http/public-address.ts'
import { type RequestFacts, keepFacts } from '../../http/request-facts.ts'
import type { Log } from '../../platform/log.ts'
import type { Principals } from '../principal.ts'
import type { GatewaySettings } from '../settings.ts'
import { mayTakeLong, readJson } from './body.ts'
import type { Entrant } from './entrant.ts'
import type { ModernEra } from './modern-era.ts'
import { type OwnHosts, foreignPageRefusal, ownHosts } from './own-host.ts'
import type { PassThrough } from './pass-through.ts'
import { plainCallIn } from './plain-call.ts'
import { faultRefusal, invalidRequestCode, parseErrorCode, rpcRefusal } from './refusals.ts'
import { metadataPath, resourceMetadata } from './resource-metadata.ts'
import type { SessionEra } from './session-era.ts'
import type { SseEra } from './sse-era.ts'

export interface DoorOptions {
  readonly principals: Principals
  readonly eras: { readonly modern: ModernEra; readonly session: SessionEra; readonly sse: SseEra }
  readonly passThrough: PassThrough
  readonly address: () => PublicAddress
  readonly settings: Pick<GatewaySettings, 'bodyBytes'>
  readonly log: Log
}

type Serve = (entrant: Entrant) => Response | Promise<Response>

/** The addresses of the gateway. */
export function createDoors(options: DoorOptions): DirectRoute[] {
  const { principals, eras, passThrough, address, settings, log } = options

  // Not before the first request: the port may be chosen when the server listens.
  let known: OwnHosts | null = null
  const hosts = (): OwnHosts => (known ??= ownHosts(address()))

  /** Every way in: not by a page of another site, and as somebody. */
  async function admit(request: Request, facts: RequestFacts, serve: Serve): Promise<Response> {
    try {
      const refused = foreignPageRefusal(request.headers, hosts())
      if (refused !== null) throw refused
      keepFacts(request, facts)
      const principal = await principals.identify(request, facts)
      return await serve({ request, facts, principal })
    } catch (thrown) {
      const { fault, response } = faultRefusal(thrown, `${address().origin}${metadataPath}/mcp`)
      if (fault.code === 'internal') {
        log.error('the gateway failed', {
          requestId: facts.requestId,
          route: facts.route,
          detail: fault.detail,
        })
      }
      return response
    }
  }

  async function serveMcp(entrant: Entrant): Promise<Response> {
    const { request, facts } = entrant
    switch (request.method) {
      case 'POST': {
        const body = await readJson(request, settings.bodyBytes)
        if (body === undefined) return rpcRefusal(400, parseErrorCode, 'The body is not valid JSON')
        if (mayTakeLong(body)) facts.allowSeconds(0)
        const plain = plainCallIn(request.headers, body)
        if (plain !== null) return eras.modern.answerPlain(entrant, plain, body)
        const isLegacy = await isLegacyRequest(request, body)
        return isLegacy ? eras.session.answer(entrant, body) : eras.modern.answer(entrant, body)
      }
      case 'GET':
        facts.allowSeconds(0)
        return eras.session.answer(entrant, undefined)
      case 'DELETE':
        return eras.session.answer(entrant, undefined)
      default:
        return onlyMethods('GET, POST, DELETE')
    }
  }

  function serveSse(entrant: Entrant): Response | Promise<Response> {
    switch (entrant.request.method) {
      case 'GET':
        entrant.facts.allowSeconds(0)
        return eras.sse.open(entrant)
      case 'POST': // by clients of a later era that were given this address
        return serveMcp(entrant)
      default:
        return onlyMethods('GET, POST')
    }
  }

  async function serveMessages(entrant: Entrant): Promise<Response> {
    if (entrant.request.method !== 'POST') return onlyMethods('POST')
    const sessionId = new URL(entrant.request.url).searchParams.get('sessionId') ?? ''
    const body = await readJson(entrant.request, settings.bodyBytes)
    return eras.sse.receive(entrant, sessionId, body)
  }

  const passing = '/mcp/c/'
  const places: Readonly<Record<string, Serve>> = {
    '/mcp': serveMcp,
    '/sse': serveSse,
    '/messages': serveMessages,
  }

  const door = (prefix: string): DirectRoute => ({
    prefix,
    template: prefix,
    async answer(request, facts) {
      const serve = places[pathOf(request.url)]
      const response = serve === undefined ? nothingHere() : await admit(request, facts, serve)
      return completed(response, facts)
    },
  })

  const passingDoor: DirectRoute = {
    prefix: passing,
    template: `${passing}:connection`,
    async answer(request, facts) {
      const connection = pathOf(request.url).slice(passing.length)
      return completed(await admit(request, facts, (entrant) => passThrough(entrant, connection)), facts)
    },
  }

  const metadata: DirectRoute = {
    prefix: metadataPath,
    template: metadataPath,
    answer(request, facts) {
      const path = pathOf(request.url)
      const isOurs = path === metadataPath || path === `${metadataPath}/mcp`
      if (!isOurs) return completed(nothingHere(), facts)
      const isRead = request.method === 'GET' || request.method === 'HEAD'
      return completed(isRead ? resourceMetadata(address().origin) : onlyMethods('GET, HEAD'), facts)
    },
  }
  return [passingDoor, ...Object.keys(places).map(door), metadata]
}

function pathOf(url: string): string {
  const start = url.indexOf('/', 'https://'.length)
  const end = url.indexOf('?', start)
  return url.slice(start, end === -1 ? undefined : end)
}

const onlyMethods = (allow: string): Response =>
  rpcRefusal(405, invalidRequestCode, `This address answers to ${allow} only`, { headers: { allow } })

const nothingHere = (): Response =>
  rpcRefusal(404, invalidRequestCode, 'There is nothing at this address: the gateway is at /mcp and at /sse')

/** Direct routes bring all their headers. */
function completed(response: Response, { requestId }: RequestFacts): Response {
  const { headers } = response
  headers.set('x-request-id', requestId)
  headers.set('x-content-type-options', 'nosniff')
  return response
}
