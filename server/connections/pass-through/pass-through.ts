import { CLIENT_CAPABILITIES_META_KEY } from '@modelcontextprotocol/client'

import { fieldsOf } from '../../../shared/fields.ts'
import type { EgressFetch } from '../../platform/egress.ts'
import { parseJsonBody } from '../../platform/http/request-body.ts'
import type { Log } from '../../platform/log.ts'
import { opensStandingStream } from '../../platform/standing-stream.ts'
import type { Vault } from '../../platform/vault.ts'
import { type Bytes, dropped, readBeginning, readJsonBody } from '../downstream/bodies.ts'
import { type EventBudget, createEventBudget, watchedEvents } from '../downstream/event-stream.ts'
import { DownstreamError } from '../downstream/failure.ts'
import type { DownstreamLimits } from '../downstream/limits.ts'
import { createQuotedSecret, createQuotedTokens } from '../downstream/quoted-secret.ts'
import { type RequestSender, createSender } from '../downstream/sender.ts'
import { callFailureOf, ownErrorIn } from '../call-failure.ts'
import type { DownstreamCalls } from '../downstream-calls.ts'
import { type FindRoute, isRoute, principalOf } from '../find-route.ts'
import type { Route } from '../route.ts'
import type { OfferedCredentials, Scope } from '../scope.ts'
import type { ConnectionSettings } from '../settings.ts'
import type { ConnectionStore } from '../store.ts'
import type { BeginToolCall } from '../tool-call.ts'
import type { IsReadOnlyTool } from '../tools/read-only-tools.ts'
import { type AnswerSecrets, createAnswerSecrets } from './answer-secrets.ts'
import { sessionNotFound, jsonRpcErrorResponse, callFailureResponse, sseOnly } from './responses.ts'
import { headersToCaller, headersToDownstream } from './headers.ts'
import type { CheckAccepted } from '../tools/accepted-only.ts'
import { askableBy, keyAskable } from '../tools/askable.ts'
import type { UnroutedCalls } from '../unrouted-calls.ts'
import { createOpenPassages } from './open-passages.ts'
import { type CallAnswerReader, beginPassedCall, toolRequestIn } from './passed-tool-call.ts'
import { type PassedSession, createPassedSessions } from './sessions.ts'

export interface PassThroughOptions {
  readonly findRoute: FindRoute
  readonly downstreamCalls: DownstreamCalls
  readonly fetch: EgressFetch
  readonly settings: ConnectionSettings
  readonly vault: Vault
  readonly begin: BeginToolCall
  readonly isReadOnlyTool: IsReadOnlyTool
  readonly checkAccepted: CheckAccepted
  readonly unrouted: UnroutedCalls
  readonly store: Pick<ConnectionStore, 'existing'>
  readonly log: Log
}

/** A request of a client of one tool server, its body read by whoever limits it. */
export interface PassedRequest extends Pick<Request, 'method' | 'headers' | 'signal'> {
  /** Null for every method but POST. */
  readonly body: Uint8Array<ArrayBuffer> | null
}

/** One request on its way to a tool server. */
interface Passage {
  readonly request: PassedRequest
  readonly sender: RequestSender
  readonly route: Route
  readonly session: PassedSession | null
  /** It lasts as long as its client listens, and answers no call. */
  readonly isStanding: boolean
  readonly owner: string
  /** What the client can be asked, as `askableOf` returns it. */
  readonly askable: string
  readonly signal: AbortSignal
  /** What becomes of the tool call that the request makes; null where it makes none. */
  readonly answer: CallAnswerReader | null
  /** Null where no secret is sent. */
  readonly secrets: AnswerSecrets | null
}

/** JSON-RPC takes some bytes around a result. */
const envelopeBytes = 1_024
const least = (bytes: number, { resultBytes }: Route['use']): number =>
  Math.min(bytes, resultBytes + envelopeBytes)

/** The result of a call may be no longer than the connection takes. */
const limitsOf = ({ answer: reader, route: { use } }: Passage, limits: DownstreamLimits): DownstreamLimits =>
  reader === null
    ? limits
    : { ...limits, bodyBytes: least(limits.bodyBytes, use), eventBytes: least(limits.eventBytes, use) }

const methods: ReadonlySet<string> = new Set(['GET', 'POST', 'DELETE'])
/**
 * The budget of a stream that this process does not read: it is passed on no faster than its reader takes it.
 */
const unlimited: EventBudget = { renew: () => undefined, spend: () => true }
const maxErrorBytes = 64 << 10

type Way = Pick<Passage, 'sender' | 'secrets'>

/** Ids are the client's own here, and easily guessed: so no two owners share a connection. */
function wayTo(route: Route, owner: string, { fetch, downstreamCalls }: PassThroughOptions): Way {
  const { credential, bearer, use } = route
  const onQuoted = (): void => downstreamCalls.secretQuoted(route)
  const sent = credential()
  const tokens = bearer === null ? null : createQuotedTokens(onQuoted)
  const quoted = tokens ?? (sent === null ? null : createQuotedSecret(sent.secret, onQuoted))
  return {
    sender: createSender({
      fetch: (url, init) => fetch(url, { ...init, partition: owner }),
      credential: sent,
      bearer,
      onToken: (token) => tokens?.sent(token),
    }),
    secrets: quoted === null ? null : createAnswerSecrets(quoted, use.showsSecrets),
  }
}

async function send({ request, sender, route, session, signal }: Passage): Promise<Response> {
  const { method, body } = request
  const headers = headersToDownstream(request.headers, session?.downstreamId ?? null)
  try {
    return await sender.send({ url: route.service.url, method, headers, body, signal })
  } catch (error) {
    throw signal.aborted ? new DownstreamError('timed_out') : error
  }
}

/**
 * Lets a client speak to a tool server directly. Requests pass unchanged; credentials and session ids are
 * exchanged.
 */
export function createPassThrough(options: PassThroughOptions) {
  const { findRoute, downstreamCalls, settings, vault, unrouted } = options
  const { downstream } = settings
  const sessions = createPassedSessions(vault)
  const open = createOpenPassages(options.store, options.log)

  /** Reserves room for a request and returns what releases it, or null when too many are in progress. */
  function enter(route: Route, isStanding: boolean, message: unknown): (() => void) | null {
    if (isStanding) return downstreamCalls.enterStream(route)
    return (
      downstreamCalls.enter(route) ?? (asksForNothing(message) ? downstreamCalls.enterMessage(route) : null)
    )
  }

  /** Returns the response, and calls `onEnd` when nothing more will come. */
  async function answer(passage: Passage, response: Response, onEnd: () => void): Promise<Response> {
    const { status } = response
    if (status === 401 || status === 403) {
      await dropped(response.body?.cancel())
      throw await passage.sender.refusalOf(response, passage.isStanding)
    }
    const headers = headersToCaller(response.headers)
    renameSession(passage, response, headers)
    const type = mediaType(response.headers)
    const limits = limitsOf(passage, downstream)
    if (type === 'text/event-stream' && response.ok && response.body !== null) {
      const budget = passage.isStanding ? unlimited : createEventBudget(limits)
      const watch = { budget, rewrite: rewriterOf(passage), onEnd }
      return new Response(watchedEvents(response.body, limits, watch), { status, headers })
    }
    const isJson = type === 'application/json'
    const body = await (isJson ? readJsonBody(response, limits) : readBeginning(response, maxErrorBytes))
    passage.answer?.body(body)
    const passed = passage.secrets?.hiddenInBody(body) ?? body
    if (!isJson) headers.set('content-type', 'text/plain; charset=utf-8')
    onEnd()
    return new Response(status === 204 || status === 304 ? null : passed, { status, headers })
  }

  function renameSession(
    { request, session, owner, askable }: Passage,
    response: Response,
    headers: Headers,
  ): void {
    const downstreamId = response.headers.get('mcp-session-id')
    if (downstreamId !== null) headers.set('mcp-session-id', sessions.take(owner, downstreamId, askable).id)
    const isOver = response.status === 404 || (request.method === 'DELETE' && response.ok)
    if (session !== null && isOver) sessions.end(session.id)
  }

  async function pass(passage: Passage, leave: () => void): Promise<Response> {
    let isOver = false
    const onEnd = (): void => {
      if (!isOver) leave()
      isOver = true
      const { request, signal, answer: reader } = passage
      reader?.end(request.signal.aborted ? 'cancelled' : signal.aborted ? 'timed_out' : 'unanswered')
    }
    passage.signal.addEventListener('abort', onEnd, { once: true })
    try {
      return await answer(passage, await send(passage), onEnd)
    } catch (error) {
      const failure = callFailureOf(error, passage.route, 'calling', passage.request.signal)
      passage.answer?.end(failure?.outcome ?? 'failed')
      onEnd()
      if (failure === null) throw ownErrorIn(error)
      return callFailureResponse(failure)
    }
  }

  return {
    async forward(
      scope: Scope,
      connectionId: string,
      offered: OfferedCredentials,
      request: PassedRequest,
    ): Promise<Response> {
      if (!methods.has(request.method))
        return jsonRpcErrorResponse(405, -32_000, 'Method not allowed', { allow: 'GET, POST, DELETE' })
      const route = await findRoute(scope, { kind: 'connection', connectionId }, offered)
      if (!isRoute(route)) {
        const call = toolRequestIn(request.body === null ? null : parseJsonBody(request.body))
        if (call !== null) unrouted(scope, { kind: 'connection', connectionId }, call, 'pass_through', route)
        return callFailureResponse(route)
      }
      if (route.service.transport === 'sse') return sseOnly()
      const owner = JSON.stringify([principalOf(scope), scope.sessionId, connectionId])
      const asked = request.headers.get('mcp-session-id')
      const session = asked === null ? null : sessions.find(owner, asked)
      if (asked !== null && session === null) return sessionNotFound()
      const message = request.body === null ? null : parseJsonBody(request.body)
      const askable = askableSender(message, session)
      // It is held to what clients are listed that can be asked the same.
      const asking = { ...route, key: keyAskable(route.key, askable) }
      const begun = await beginPassedCall(options, { scope, route: asking, message, request })
      if (begun instanceof Response) return begun
      const isStanding = opensStandingStream(request.method, message)
      const room = enter(route, isStanding, message)
      if (room === null) {
        begun?.end('busy')
        return callFailureResponse({ outcome: 'busy', retryAfterSec: 1 })
      }
      const { signal, leave } = open.add(route, room)
      const ends = [request.signal, signal]
      if (!isStanding) ends.push(AbortSignal.timeout(downstream.callTotalMs))
      const one = { request, route, session, isStanding, owner, askable, answer: begun }
      return pass({ ...wayTo(route, owner, options), ...one, signal: AbortSignal.any(ends) }, leave)
    },
    endSession(sessionId: string): void {
      sessions.endOwners((owner) => (JSON.parse(owner) as string[])[1] === sessionId)
    },
    /** Ends the requests of a gateway session or of a saved connection, and their streams. */
    closeHolder: open.closeHolder,
    stop: open.stop,
  }
}

/** Returns what the sender of a message can be asked: it says so in each from protocol 2026-07-28 on, and when it begins before. */
function askableSender(message: unknown, session: PassedSession | null): string {
  const { method, params } = fieldsOf(message)
  const { capabilities, _meta: meta } = fieldsOf(params)
  const declared = method === 'initialize' ? capabilities : fieldsOf(meta)[CLIENT_CAPABILITIES_META_KEY]
  return declared === undefined && session !== null ? session.askable : askableBy(declared)
}

/** Returns true for answers to the tool server's questions and for notifications. */
function asksForNothing(message: unknown): boolean {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return false
  return !('method' in message && 'id' in message)
}

/** Returns what is passed on of each piece of an event stream. */
function rewriterOf({ answer: reader, secrets }: Passage): (piece: Bytes) => Bytes {
  const hide = secrets?.hiddenInEvents()
  return (piece) => {
    reader?.piece(piece)
    return hide === undefined ? piece : hide(piece)
  }
}

const mediaType = (headers: Headers): string =>
  (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
