import { isLegacyRequest } from '@modelcontextprotocol/server'

import type { DirectRoute } from '../../http/direct-route.ts'
import type { PublicAddress } from '../../http/public-address.ts'
import type { RequestFacts } from '../../http/request-facts.ts'
import type { Log } from '../../platform/log.ts'
import type { Principals } from '../principal.ts'
import { type Elsewhere, nowhere } from '../replicas/elsewhere.ts'
import type { GatewaySessions } from '../sessions/sessions.ts'
import type { GatewaySettings } from '../settings.ts'
import { type Serve, createAdmission } from './admission.ts'
import { mayTakeLong, readJson, sessionNamedIn } from './body.ts'
import type { Entrant } from './entrant.ts'
import type { ModernEra } from './modern-era.ts'
import type { PassThrough } from './pass-through.ts'
import { plainCallIn } from './plain-call.ts'
import { invalidRequestCode, parseErrorCode, rpcRefusal } from './refusals.ts'
import { metadataPath, resourceMetadata } from './resource-metadata.ts'
import type { SessionEra } from './session-era.ts'
import type { SseEra } from './sse-era.ts'

export interface DoorOptions {
  readonly principals: Principals
  readonly eras: { readonly modern: ModernEra; readonly session: SessionEra; readonly sse: SseEra }
  readonly passThrough: PassThrough
  readonly sessions: Pick<GatewaySessions, 'isHere'>
  readonly elsewhere?: Elsewhere
  readonly address: () => PublicAddress
  readonly settings: Pick<GatewaySettings, 'bodyBytes'>
  readonly log: Log
}

export interface Doors {
  /** The addresses of the gateway. */
  readonly routes: readonly DirectRoute[]
  /** Answers what came in at another process, about a session that is here. */
  answerForwarded(request: Request, facts: RequestFacts): Promise<Response>
}

export function createDoors(options: DoorOptions): Doors {
  const { principals, eras, passThrough, sessions, elsewhere = nowhere, address, settings, log } = options

  const { admit, admitForwarded } = createAdmission({ principals, address, log })

  async function serveMcp(entrant: Entrant): Promise<Response> {
    const { request, facts } = entrant
    switch (request.method) {
      case 'POST': {
        const body = await readJson(request, settings.bodyBytes)
        if (body === undefined) return rpcRefusal(400, parseErrorCode, 'The body is not valid JSON')
        if (mayTakeLong(body)) facts.allowSeconds(0)
        const plain = plainCallIn(request.headers, body)
        if (plain !== null)
          return serveModern(entrant, body, () => eras.modern.answerPlain(entrant, plain, body))
        const isLegacy = await isLegacyRequest(request, body)
        if (isLegacy) return eras.session.answer(entrant, body)
        return serveModern(entrant, body, () => eras.modern.answer(entrant, body))
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

  /** A session that a call names may be in another process. */
  function serveModern(entrant: Entrant, body: unknown, serve: () => Response | Promise<Response>) {
    const handle = sessionNamedIn(body)
    const isElsewhere = handle !== null && !sessions.isHere(entrant.principal.name, handle)
    return isElsewhere ? serveElsewhere(entrant, handle, body, serve) : serve()
  }

  async function serveElsewhere(
    entrant: Entrant,
    handle: string,
    body: unknown,
    serve: () => Response | Promise<Response>,
  ): Promise<Response> {
    entrant.facts.allowSeconds(0)
    const reached = await elsewhere.reach(entrant, handle, body)
    // Where there is no such session, the tool says so.
    return reached instanceof Response ? reached : serve()
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
  return {
    routes: [passingDoor, ...Object.keys(places).map(door), metadata],
    answerForwarded(request, facts) {
      const path = pathOf(request.url)
      const connection = path.startsWith(passing) ? path.slice(passing.length) : null
      const serve: Serve | undefined =
        connection === null ? places[path] : (entrant) => passThrough(entrant, connection)
      return serve === undefined ? Promise.resolve(nothingHere()) : admitForwarded(request, facts, serve)
    },
  }
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
