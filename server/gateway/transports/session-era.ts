import { isInitializeRequest } from '@modelcontextprotocol/server'

import type { ServerFor } from '../mcp-server.ts'
import type { GatewayCaller, GatewayRequest } from '../authentication.ts'
import { type SessionRouter, singleProcessRouter } from '../session-routing/session-router.ts'
import { type ClientTraits, traitsOf, unknownClient } from '../sessions/client-traits.ts'
import type { GatewaySession } from '../sessions/session.ts'
import type { SessionFacts } from '../sessions/session-ids.ts'
import type { GatewaySessions } from '../sessions/sessions.ts'
import type { GatewaySettings } from '../settings.ts'
import { whenOver } from '../../platform/http/when-over.ts'
import { closeAnswering } from './in-flight.ts'
import { isEventStream } from './keep-alive.ts'
import { replayInitialize, type LiveSession, connectLive } from './live-session.ts'
import { malformedInitialize } from '../malformed-params.ts'
import { invalidRequestCode, malformedRefusal, noSuchSession, rpcRefusal } from './refusals.ts'

export interface SessionEra {
  answer(incoming: GatewayRequest, body: unknown): Response | Promise<Response>
  /** Rebuilds a session of a process that is gone. Faults: those of a new session. */
  rebuild(caller: GatewayCaller, sessionId: string, named: SessionFacts): Promise<void>
}

const sessionHeader = 'mcp-session-id'
/** What the SDK answers to a request for a stream where there is one, and to nothing else. */
const streamTaken = 409

/**
 * Serves Streamable HTTP up to protocol 2025-11-25: a session begins with `initialize` and has an MCP server of
 * its own.
 */
export function createSessionEra(
  serverFor: ServerFor,
  sessions: GatewaySessions,
  settings: GatewaySettings,
  sessionRouter: SessionRouter = singleProcessRouter,
): SessionEra {
  const live = new Map<string, LiveSession>()

  /**
   * Opens a session with `begin`, connects its transport, and runs `greet`. Ends the session when any step
   * fails.
   */
  async function serve<Greeting>(
    caller: GatewayCaller,
    begin: (close: () => void) => GatewaySession,
    greet: (one: LiveSession, session: GatewaySession) => Promise<Greeting>,
  ): Promise<Greeting> {
    const session = begin(() => {
      const ended = live.get(session.id)
      live.delete(session.id)
      void closeAnswering(server, ended?.inFlight)
    })
    const server = serverFor({ caller, session })
    try {
      const one = await connectLive(server, session.id, settings, () => sessions.end(session.id))
      return await greet(one, session)
    } catch (error) {
      sessions.end(session.id)
      throw error
    }
  }

  const open = ({ request, caller }: GatewayRequest, body: unknown): Promise<Response> =>
    serve(
      caller,
      (close) => sessions.open(caller, 'streamable', { client: clientIn(body), close }),
      async (one, session) => {
        live.set(session.id, one)
        const response = await one.transport.handleRequest(request, { parsedBody: body })
        if (!response.ok) sessions.end(session.id)
        return response
      },
    )

  const rebuild = (caller: GatewayCaller, sessionId: string, named: SessionFacts): Promise<void> =>
    serve(
      caller,
      (close) => sessions.rebuild(caller, sessionId, named, close),
      async (one) => {
        await replayInitialize(one.transport, sessionId, named.client)
        live.set(sessionId, one)
      },
    )

  function answerIn(id: string, incoming: GatewayRequest, body: unknown): Promise<Response> | Response {
    const { request, caller } = incoming
    const session = sessions.find(caller, id)
    if (session === null) return answerRemotely(id, incoming, body)
    const one = live.get(id)
    if (one !== undefined) return answerBy(one, id, request, body)
    const work = sessionRouter.rebuilding(id)
    return work === undefined ? noSuchSession() : work.then(() => answerHere(id, incoming, body))
  }

  async function answerRemotely(id: string, incoming: GatewayRequest, body: unknown): Promise<Response> {
    incoming.facts.allowSeconds(0)
    const routed = await sessionRouter.route(incoming, id, body)
    if (routed instanceof Response) return routed
    return routed === 'here' ? answerHere(id, incoming, body) : noSuchSession()
  }

  function answerHere(id: string, { request, caller }: GatewayRequest, body: unknown) {
    const one = sessions.find(caller, id) === null ? undefined : live.get(id)
    return one === undefined ? noSuchSession() : answerBy(one, id, request, body)
  }

  function answerBy(one: LiveSession, id: string, request: Request, body: unknown) {
    if (request.method === 'POST') return answerMessages(one, request, body)
    return request.method === 'GET' ? openStream(one, id, request) : one.transport.handleRequest(request)
  }

  /**
   * The session is in use for as long as the stream is open; a refusal opens none. The SDK keeps no more than one, which here
   * is the newest: a client asks again when it has lost its stream, of which nobody else may have heard (another network, a
   * process between that stands still).
   */
  async function openStream({ transport }: LiveSession, id: string, request: Request): Promise<Response> {
    let response = await transport.handleRequest(request)
    if (response.status === streamTaken) {
      transport.closeStandaloneSSEStream()
      response = await transport.handleRequest(request)
    }
    if (!isEventStream(response)) return response
    return new Response(whenOver(response.body, sessions.hold(id)), response)
  }

  return {
    answer(incoming, body) {
      nameTaken(incoming.request.headers)
      const id = incoming.request.headers.get(sessionHeader)
      if (id !== null) return answerIn(id, incoming, body)
      if (incoming.request.method === 'POST' && [body].flat().some(isInitializeRequest))
        return open(incoming, body)
      if (incoming.request.method !== 'POST') {
        return rpcRefusal(405, invalidRequestCode, 'Only POST, unless a session is named in Mcp-Session-Id', {
          headers: { allow: 'POST' },
        })
      }
      const malformed = malformedInitialize(body)
      if (malformed !== null) return malformedRefusal(malformed)
      return rpcRefusal(400, invalidRequestCode, 'Mcp-Session-Id is missing: start a session with initialize')
    },
    rebuild,
  }
}

/**
 * Names both kinds of answers for a client that takes anything (HTTP, RFC 9110 section 12.5.1), as plain HTTP clients say by
 * a wildcard or by no `Accept` at all: the SDK looks for the two names and refuses what has not got them.
 */
function nameTaken(headers: Headers): void {
  const accept = headers.get('accept')
  if (accept === null || accept.includes('*/*')) headers.set('accept', 'application/json, text/event-stream')
}

async function answerMessages(
  { transport, inFlight }: LiveSession,
  request: Request,
  body: unknown,
): Promise<Response> {
  const messages = [body].flat()
  const taken = inFlight.take(messages)
  if (taken !== null) return duplicate(taken)
  const response = await transport.handleRequest(request, { parsedBody: body })
  if (response.ok) inFlight.cancel(messages)
  else inFlight.release(messages)
  return response
}

function clientIn(body: unknown): ClientTraits {
  const asked = [body].flat().find(isInitializeRequest)
  return asked === undefined ? unknownClient : traitsOf(asked.params)
}

export const duplicate = (id: string | number): Response =>
  rpcRefusal(
    400,
    invalidRequestCode,
    `The request id ${JSON.stringify(id).slice(0, 80)} is in use by a request that is not answered yet`,
  )
