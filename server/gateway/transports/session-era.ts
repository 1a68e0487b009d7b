import { isInitializeRequest } from '@modelcontextprotocol/server'

import type { ServerFor } from '../mcp-server.ts'
import type { Principal } from '../principal.ts'
import { type Elsewhere, nowhere } from '../replicas/elsewhere.ts'
import { type ClientTraits, traitsOf, unknownClient } from '../sessions/client-traits.ts'
import type { GatewaySession } from '../sessions/session.ts'
import type { NamedSession } from '../sessions/session-names.ts'
import type { GatewaySessions } from '../sessions/sessions.ts'
import type { GatewaySettings } from '../settings.ts'
import { messagesOf } from './body.ts'
import type { Entrant } from './entrant.ts'
import { introduce } from './introduction.ts'
import { type LiveSession, connectLive } from './live-session.ts'
import { invalidRequestCode, noSuchSession, rpcRefusal } from './refusals.ts'

export interface SessionEra {
  answer(entrant: Entrant, body: unknown): Response | Promise<Response>
  /** Goes on with the session of a process that is gone. Faults: those of a new session. */
  rebuild(principal: Principal, sessionId: string, named: NamedSession): Promise<void>
  /** Ends the streams that bring nothing but what the server says unasked; no more are opened. */
  closeStreams(): void
}

const sessionHeader = 'mcp-session-id'

/** Streamable HTTP up to 2025-11-25: a session begins with `initialize`, and has a server of its own. */
export function createSessionEra(
  serverFor: ServerFor,
  sessions: GatewaySessions,
  settings: GatewaySettings,
  elsewhere: Elsewhere = nowhere,
): SessionEra {
  const live = new Map<string, LiveSession>()
  let isClosing = false

  /** The session that `begin` makes, served from when `greet` is through. */
  async function serve<Greeting>(
    principal: Principal,
    begin: (close: () => void) => GatewaySession,
    greet: (one: LiveSession, session: GatewaySession) => Promise<Greeting>,
  ): Promise<Greeting> {
    const session = begin(() => {
      live.delete(session.id)
      void server.close()
    })
    const server = serverFor({ principal, session })
    try {
      const one = await connectLive(server, session.id, settings, () => sessions.end(session.id))
      return await greet(one, session)
    } catch (error) {
      sessions.end(session.id)
      throw error
    }
  }

  const open = ({ request, principal }: Entrant, body: unknown): Promise<Response> =>
    serve(
      principal,
      (close) => sessions.open(principal, 'streamable', { client: clientIn(body), close }),
      async (one, session) => {
        live.set(session.id, one)
        const response = await one.transport.handleRequest(request, { parsedBody: body })
        if (!response.ok) sessions.end(session.id)
        return response
      },
    )

  const rebuild = (principal: Principal, sessionId: string, named: NamedSession): Promise<void> =>
    serve(
      principal,
      (close) => sessions.rebuild(principal, sessionId, named, close),
      async (one) => {
        await introduce(one.transport, sessionId, named.client)
        live.set(sessionId, one)
      },
    )

  function answerIn(id: string, entrant: Entrant, body: unknown): Promise<Response> | Response {
    const { request, principal } = entrant
    const session = sessions.find(principal, id)
    if (session === null) return answerElsewhere(id, entrant, body)
    const one = live.get(id)
    if (one !== undefined) return answerBy(one, id, request, body)
    const work = elsewhere.rebuilding(id)
    return work === undefined ? noSuchSession() : work.then(() => answerHere(id, entrant, body))
  }

  async function answerElsewhere(id: string, entrant: Entrant, body: unknown): Promise<Response> {
    entrant.facts.allowSeconds(0)
    const reached = await elsewhere.reach(entrant, id, body)
    if (reached instanceof Response) return reached
    return reached === 'here' ? answerHere(id, entrant, body) : noSuchSession()
  }

  function answerHere(id: string, { request, principal }: Entrant, body: unknown) {
    const one = sessions.find(principal, id) === null ? undefined : live.get(id)
    return one === undefined ? noSuchSession() : answerBy(one, id, request, body)
  }

  function answerBy({ transport, inFlight }: LiveSession, id: string, request: Request, body: unknown) {
    if (request.method === 'POST') {
      const taken = inFlight.take(messagesOf(body))
      if (taken !== null) return duplicate(taken)
    }
    if (request.method === 'GET') {
      if (isClosing) return stopping()
      // The SDK keeps no more than one such stream for each session.
      request.signal.addEventListener('abort', sessions.hold(id), { once: true })
    }
    return transport.handleRequest(request, { parsedBody: body })
  }

  return {
    answer(entrant, body) {
      const id = entrant.request.headers.get(sessionHeader)
      if (id !== null) return answerIn(id, entrant, body)
      if (entrant.request.method === 'POST' && messagesOf(body).some(isInitializeRequest))
        return open(entrant, body)
      if (entrant.request.method !== 'POST') {
        return rpcRefusal(405, invalidRequestCode, 'Only POST, unless a session is named in Mcp-Session-Id', {
          headers: { allow: 'POST' },
        })
      }
      return rpcRefusal(400, invalidRequestCode, 'Mcp-Session-Id is missing: start a session with initialize')
    },
    rebuild,
    closeStreams() {
      isClosing = true
      for (const { transport } of live.values()) transport.closeStandaloneSSEStream()
    },
  }
}

function clientIn(body: unknown): ClientTraits {
  const asked = messagesOf(body).find(isInitializeRequest)
  return asked === undefined ? unknownClient : traitsOf(asked.params)
}

export const duplicate = (id: string | number): Response =>
  rpcRefusal(
    400,
    invalidRequestCode,
    `The request id ${JSON.stringify(id).slice(0, 80)} is in use by a request that is not answered yet`,
  )

const stopping = (): Response =>
  rpcRefusal(503, invalidRequestCode, 'This process is stopping: the session goes on in another one', {
    headers: { 'retry-after': '1' },
  })
