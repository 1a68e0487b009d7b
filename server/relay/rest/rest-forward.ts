import {
  decompressionBomb,
  EgressError,
  type EgressErrorCode,
  type EgressFetch,
} from '../../platform/egress.ts'
import type { ByteBudget } from '../../platform/http-client/buffered-response.ts'
import { isUnsent } from '../../platform/http-client/pooled-connection.ts'
import { parseJson } from '../../platform/json.ts'
import { retryAfterOf } from '../../platform/retry-after.ts'
import type { Upstream } from '../../endpoints/endpoints.ts'
import { classOfStatus } from '../classify/classify.ts'
import {
  type AttemptRecord,
  classOfFailure,
  type JudgedCall,
  type UpstreamFailure,
} from '../forward/attempt-class.ts'
import type { EndpointRoute } from '../forward/endpoint-route.ts'
import { whyNone } from '../forward/request-plan.ts'
import type { CallTerms } from '../methods/call-terms.ts'
import type { UpstreamClient } from '../upstreams/upstream-client.ts'
import { headersToNode } from './passed-headers.ts'
import { nodeAddress } from './request-path.ts'

/** A REST call as it is sent to nodes. */
export interface RestRequest {
  /** GET for the HEAD of a caller. */
  readonly method: string
  /** The pattern that it matched: what is learned about nodes is remembered by it. */
  readonly pattern: string
  readonly path: string
  readonly query: string
  readonly headers: Headers
  readonly body: Uint8Array<ArrayBuffer> | null
  readonly terms: CallTerms
  /** In ms of the monotonic clock. */
  readonly deadlineAt: number
}

/** The answer of a node, whole. */
export interface RestAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: Uint8Array<ArrayBuffer>
  readonly from: UpstreamClient
}

export type RestOutcome =
  | { readonly kind: 'answer'; readonly answer: RestAnswer }
  /** `waitMs`: after how long the first node may be called again that limits us or has no budget. */
  | { readonly kind: 'failed'; readonly failure: UpstreamFailure; readonly waitMs: number }
  /** The node has begun an event stream. */
  | { readonly kind: 'stream'; readonly response: Response; readonly from: Upstream }

export interface RestMeans {
  readonly fetch: EgressFetch
  readonly budget: ByteBudget
  /** Receives the attempts in the order in which they end. */
  readonly attemptLog: AttemptRecord[]
}

type Attempted =
  | Exclude<RestOutcome, { kind: 'failed' }>
  | {
      readonly kind: 'failed'
      readonly failure: UpstreamFailure
      readonly isRefused: boolean
      /** What the node says about the call, with a status that may as well speak against the node. */
      readonly words?: RestAnswer
    }

/** A node that compresses events may hold them back. */
const mayStream = ({ headers }: RestRequest): boolean =>
  headers.get('accept')?.includes('text/event-stream') === true

const isSafe = ({ method }: RestRequest): boolean => method === 'GET'

/** Whether a call takes as long as all attempts together may take. */
const isPatient = (request: RestRequest): boolean =>
  !isSafe(request) || (request.headers.get('accept') ?? '').includes('text/event-stream')

const isEventStream = ({ method }: RestRequest, { status, headers }: Pick<Response, 'status' | 'headers'>) =>
  method === 'GET' && status === 200 && /^text\/event-stream\b/i.test(headers.get('content-type') ?? '')

/**
 * Gets a REST call answered, by one node after the other if need be. What changes something is sent again only where
 * nobody can have done anything with it. Where no node does better, the last words about the call are its answer.
 */
export async function forwardRest(
  request: RestRequest,
  route: EndpointRoute,
  means: RestMeans,
): Promise<RestOutcome> {
  const credits = route.endpoint.priceOf(request.pattern)
  const calls: readonly JudgedCall[] = [{ method: request.pattern, params: '', credits }]
  const isRead = isSafe(request)
  const plan = { calls, isRead, stickyFor: null, mayMove: true, needs: null, tried: 0 }
  let tried = 0
  let attempts = 0
  let failure: UpstreamFailure = 'limited' // only if it is that of every attempt
  let words: RestAnswer | null = null
  while (attempts < request.terms.attempts && route.now() < request.deadlineAt) {
    const chosen = route.choose(tried, { plan })
    const client = route.clients[chosen]
    if (client === undefined) {
      if (tried === 0) failure = whyNone(chosen)
      break
    }
    tried |= 1 << client.index
    if (client.budget !== null) route.spend(client, plan)
    const attempted = await attempt(request, client, route, means, calls)
    if (attempted.kind !== 'failed') return attempted
    if (attempted.failure !== 'limited') {
      failure = attempted.failure
      attempts++
    }
    words = attempted.words ?? words
    route.recordFailure(client, attempted.failure, { calls })
    if (failure === 'too-large' || !(isRead || attempted.isRefused)) break
  }
  if (words !== null && failure !== 'too-large') return { kind: 'answer', answer: words }
  return { kind: 'failed', failure, waitMs: route.waitMs(calls) }
}

async function attempt(
  request: RestRequest,
  client: UpstreamClient,
  route: EndpointRoute,
  means: RestMeans,
  calls: readonly JudgedCall[],
): Promise<Attempted> {
  const startedAt = route.now()
  client.circuitBreaker.begin(startedAt)
  const attempted = await send(request, client, route, means)
  const ms = route.now() - startedAt
  const { kind } = attempted
  const attemptClass = kind === 'failed' ? classOfFailure[attempted.failure] : 'answer'
  means.attemptLog.push({ upstream: client.id, class: attemptClass, ms, startedAt })
  if (kind === 'answer') route.recordAnswers(client, ms, { kind: 'answers', classes: null }, { calls })
  // When a node begins a stream, it may wait for the first event: that tells nothing about how fast it answers.
  if (kind === 'stream') client.circuitBreaker.succeed()
  return attempted
}

async function send(
  request: RestRequest,
  client: UpstreamClient,
  route: EndpointRoute,
  means: RestMeans,
): Promise<Attempted> {
  const upstream = route.endpoint.upstreams[client.index]
  if (upstream === undefined) throw new TypeError('a client without an upstream')
  const leftMs = request.deadlineAt - route.now()
  try {
    const response = await means.fetch(addressOf(request, upstream), {
      method: request.method,
      headers: headersToNode(request.headers, upstream.headers),
      ...(request.body === null ? {} : { body: request.body }),
      limits: {
        timeoutMs: Math.max(1, isPatient(request) ? leftMs : Math.min(leftMs, request.terms.firstByteMs)),
        maxBytes: request.terms.answerBytes,
      },
      isOneParty: true,
      isEndless: (answer) => isEventStream(request, answer),
      // What is not a read is never sent twice, so that it must not meet the closing of a kept connection.
      onNewConnection: !isSafe(request),
      takesCompressed: client.longAnswers !== null && !mayStream(request),
    })
    return await judge(request, response, client, route, means)
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    const failure = failureOf(error)
    return { kind: 'failed', failure, isRefused: isUnsent(failure) }
  }
}

const addressOf = ({ path, query }: RestRequest, { url }: Upstream): string => nodeAddress(url, path, query)

/**
 * Statuses that nodes answer with where the call is at fault, too: a query that a contract refuses (grpc-gateway,
 * runtime/errors.go: `Unknown` is 500, `Unimplemented` 501), and every error of CometBFT (http_uri_handler.go).
 */
const ambiguous: ReadonlySet<number> = new Set([500, 501])

/** Words about a call are short; what is longer is some page. */
const mostWords = 65_536

/** A status that speaks against the node, or of a limit, is no answer; 404 is one, and so is every other of 4xx. */
async function judge(
  request: RestRequest,
  response: Response,
  client: UpstreamClient,
  route: EndpointRoute,
  { budget }: RestMeans,
): Promise<Attempted> {
  const { status, headers } = response
  const byStatus = status === 413 ? null : classOfStatus('http', status)
  if (ambiguous.has(status)) return await readWords(response, client, budget)
  if (byStatus !== null) {
    await response.body?.cancel()
    if (byStatus === 'limit') {
      route.recordLimit(client, retryAfterOf(headers))
      return { kind: 'failed', failure: 'limited', isRefused: true }
    }
    const failure = status < 400 ? 'redirect' : 'status'
    return { kind: 'failed', failure, isRefused: status === 401 || status === 402 || status === 403 }
  }
  const from = route.endpoint.upstreams[client.index]
  if (from !== undefined && isEventStream(request, response)) return { kind: 'stream', response, from }
  const body = await readWhole(response, budget)
  if (body === null) return { kind: 'failed', failure: 'too-large', isRefused: false }
  return { kind: 'answer', answer: { status, headers, body, from: client } }
}

/**
 * Reads what a node says with a status that may be about the call: an object in JSON, as APIs of nodes have errors. It
 * speaks against the node only once another one has answered the same call, because whoever sends calls at which all
 * fail must not take the nodes from others.
 */
async function readWords(response: Response, from: UpstreamClient, budget: ByteBudget): Promise<Attempted> {
  const { status, headers } = response
  const body = await readWhole(response, budget, mostWords)
  const said = body === null ? null : parseJson(body)
  if (body === null || typeof said !== 'object' || said === null)
    return { kind: 'failed', failure: 'status', isRefused: false }
  const words = { status, headers, body, from }
  return { kind: 'failed', failure: 'node-failure', isRefused: false, words }
}

/** Returns null where it is longer than that, or all answers that are being received would take too much memory. */
async function readWhole(
  response: Response,
  budget: ByteBudget,
  most = Number.POSITIVE_INFINITY,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const parts: Uint8Array[] = []
  let taken = 0
  try {
    for await (const part of response.body ?? []) {
      if (taken + part.byteLength > most || !budget.take(part.byteLength)) return null
      taken += part.byteLength
      parts.push(part)
    }
    return new Uint8Array(Buffer.concat(parts))
  } finally {
    budget.giveBack(taken)
  }
}

const failures: Readonly<Record<EgressErrorCode, UpstreamFailure>> = {
  ADDRESS: 'refused-address',
  DNS: 'refused-address',
  DNS_TIMEOUT: 'refused-address',
  SCHEME: 'refused-address',
  USERINFO: 'refused-address',
  PORT: 'refused-address',
  URL: 'refused-address',
  CONNECT: 'connect',
  TLS: 'certificate',
  PROTOCOL: 'malformed',
  REDIRECT: 'redirect',
  TIMEOUT: 'timeout',
  TOO_LARGE: 'too-large',
  ABORTED: 'stopped',
}

/** A connection that ended under way may have carried the call. */
function failureOf({ code, reason }: EgressError): UpstreamFailure {
  if (code === 'CONNECT' && reason === 'ECONNRESET') return 'closed'
  return reason === decompressionBomb ? decompressionBomb : failures[code]
}
