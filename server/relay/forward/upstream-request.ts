import type { HttpResponse } from '../../platform/http-client/buffered-response.ts'
import { isUnsent, type PooledRequest, type SendFailure } from '../../platform/http-client/connection-pool.ts'
import { unpredictableId, unpredictablePrefix } from '../../platform/request-id.ts'
import type { UpstreamClient } from '../upstreams/upstream-client.ts'
import {
  classifyResponse,
  type ResponseClass,
  type SentCalls,
  type UpstreamAnswers,
} from '../upstreams/upstream-response.ts'

/** Why an attempt, or a whole upstream request, has no answer. */
export type UpstreamFailure = SendFailure | 'redirect' | 'status' | 'not-json-rpc' | 'overloaded'

export type UpstreamOutcome =
  | { readonly kind: 'answers'; readonly answers: UpstreamAnswers; readonly from: UpstreamClient }
  | { readonly kind: 'failed'; readonly failure: UpstreamFailure }

/** What an upstream request needs of the owner of the upstreams. */
export interface Dispatcher {
  /** Returns the index of the upstream to call next; -1 when none is left. Bit n of `tried` is set if n was called. */
  choose(tried: number, request: UpstreamRequest): number
  clientAt(index: number): UpstreamClient | undefined
  /** The most attempts for one request. */
  readonly attempts: number
  now(): number
  /** Returns after how many ms a read at this upstream is hedged; infinity when it never is. */
  slowMs(client: UpstreamClient): number
  recordFailure(client: UpstreamClient, failure: UpstreamFailure): void
  recordSuccess(client: UpstreamClient, tookMs: number): void
  /** Records that another upstream was quicker than this one, which has not answered for `waitedMs`. */
  recordHedgeLoss(client: UpstreamClient, waitedMs: number): void
  /** The request has its outcome: no further waiter may join it. */
  ended(request: UpstreamRequest): void
}

/** A connection that waits for an upstream request. The server closes it after ten seconds unless that is extended. */
export interface Waiter {
  allowSeconds(seconds: number): void
}

/** Timeouts of waiters are extended after this time, well before the server closes their connections. */
const longWaitMs = 4_000
const extendedTimeoutSec = 60

/** What makes two single calls the same one. */
export interface CoalescingKey {
  readonly method: string
  /** The JSON text of the parameters. */
  readonly params: string
}

/** The part of an upstream request that all its attempts have in common. */
export interface RequestPlan {
  /** Returns the request body, with ids as in `SentCalls`. */
  bodyWith(id: string): string
  /** The calls of a batch; null for a single call. */
  readonly count: number | null
  readonly isRead: boolean
  /** The id of the key whose filters the calls are about; null when any upstream will do. */
  readonly stickyFor: string | null
  /** Requests with the same one share an upstream request; null when this one must be sent by itself. */
  readonly coalescingKey: CoalescingKey | null
  /** In ms of the monotonic clock. */
  readonly deadlineAt: number
}

/**
 * Gets one request answered, by one upstream after the other if need be, and by a second one at the same time when the
 * first is slow (hedging). It ends once, with the first good answer.
 */
export class UpstreamRequest {
  readonly plan: RequestPlan
  readonly outcome: Promise<UpstreamOutcome>
  /** The next one in its bucket of `InFlightRequests`. */
  nextInFlight: UpstreamRequest | null = null
  readonly #dispatcher: Dispatcher
  readonly #waiters: Waiter[] = []
  readonly #startedAt: number
  #resolve: (outcome: UpstreamOutcome) => void
  #tried = 0
  #attempts = 0
  readonly #open: Attempt[] = []
  #isOver = false
  /** The JSON-RPC answers of an overloaded upstream, which are used when no other upstream has better ones. */
  #lastResort: UpstreamOutcome | null = null

  constructor(plan: RequestPlan, dispatcher: Dispatcher) {
    this.plan = plan
    this.#dispatcher = dispatcher
    this.#startedAt = dispatcher.now()
    const { promise, resolve } = Promise.withResolvers<UpstreamOutcome>()
    this.outcome = promise
    this.#resolve = resolve
  }

  /** Resolves when the request ends. The timeout of `waiter` is extended until then. */
  outcomeFor(waiter: Waiter | null): Promise<UpstreamOutcome> {
    if (waiter !== null) this.#waiters.push(waiter)
    return this.outcome
  }

  start(): void {
    if (!this.#sendToNext()) this.#end({ kind: 'failed', failure: 'connect' })
  }

  /** Returns false when no upstream is left to call. */
  #sendToNext(): boolean {
    const index = this.#dispatcher.choose(this.#tried, this)
    const client = index < 0 ? undefined : this.#dispatcher.clientAt(index)
    if (client === undefined) return false
    this.#tried |= 1 << index
    this.#attempts++
    const slowMs = this.plan.isRead ? this.#dispatcher.slowMs(client) : Number.POSITIVE_INFINITY
    const startedAt = this.#attempts === 1 ? this.#startedAt : this.#dispatcher.now()
    const attempt = new Attempt(this, client, startedAt, slowMs)
    this.#open.push(attempt)
    client.send(attempt)
    return true
  }

  answered(attempt: Attempt, response: ResponseClass): void {
    const { client } = attempt
    if (response.kind === 'no-answer') return this.failed(attempt, response.reason)
    const { answers } = response
    if (response.kind === 'overloaded') {
      if (answers !== null) this.#lastResort = { kind: 'answers', answers, from: client }
      return this.failed(attempt, 'overloaded')
    }
    const now = this.#dispatcher.now()
    this.#dispatcher.recordSuccess(client, now - attempt.startedAt)
    this.#close(attempt)
    if (!this.#isOver) {
      for (const other of this.#open) this.#dispatcher.recordHedgeLoss(other.client, now - other.startedAt)
    }
    this.#end({ kind: 'answers', answers: response.answers, from: client })
  }

  failed(attempt: Attempt, failure: UpstreamFailure): void {
    this.#dispatcher.recordFailure(attempt.client, failure)
    this.#close(attempt)
    if (this.#isOver) return
    if (this.#mayRetry(failure) && this.#sendToNext()) return
    if (this.#open.length === 0) this.#end(this.#lastResort ?? { kind: 'failed', failure })
  }

  #close(attempt: Attempt): void {
    if (this.#open.length === 1) this.#open.pop()
    else this.#open.splice(this.#open.indexOf(attempt), 1)
  }

  /** A call that may change something is sent again only if no upstream can have seen it. */
  #mayRetry(failure: UpstreamFailure): boolean {
    if (failure === 'stopped' || this.#attempts >= this.#dispatcher.attempts) return false
    if (this.#dispatcher.now() >= this.plan.deadlineAt) return false
    return this.plan.isRead || isUnsent(failure)
  }

  /** Calls one more upstream; the first answer counts. */
  hedge(): void {
    if (!this.#isOver && this.#attempts < this.#dispatcher.attempts) this.#sendToNext()
  }

  extendTimeouts(): void {
    for (const waiter of this.#waiters.splice(0)) waiter.allowSeconds(extendedTimeoutSec)
  }

  #end(outcome: UpstreamOutcome): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#dispatcher.ended(this)
    this.#resolve(outcome)
  }
}

/** One attempt of an upstream request: one upstream is called once, with ids of its own. */
class Attempt implements PooledRequest, SentCalls {
  readonly client: UpstreamClient
  readonly id: string
  readonly count: number | null
  readonly body: string
  readonly startedAt: number
  readonly slowAt: number
  readonly #request: UpstreamRequest
  #hedgeAt: number
  #response: ResponseClass | null = null

  constructor(request: UpstreamRequest, client: UpstreamClient, startedAt: number, slowMs: number) {
    const { count } = request.plan
    this.#request = request
    this.client = client
    this.count = count
    this.id = count === null ? unpredictableId() : unpredictablePrefix()
    this.body = request.plan.bodyWith(this.id)
    this.startedAt = startedAt
    this.#hedgeAt = startedAt + slowMs
    this.slowAt = startedAt + Math.min(slowMs, longWaitMs)
  }

  get isRead(): boolean {
    return this.#request.plan.isRead
  }

  get deadlineAt(): number {
    return this.#request.plan.deadlineAt
  }

  accepts(response: HttpResponse): boolean {
    this.#response = classifyResponse(response, this)
    return !this.#response.isForeign
  }

  answered(): void {
    if (this.#response !== null) this.#request.answered(this, this.#response)
  }

  failed(failure: SendFailure): void {
    this.#request.failed(this, failure)
  }

  slow(now: number): number {
    if (now >= this.#hedgeAt) {
      this.#hedgeAt = Number.POSITIVE_INFINITY
      this.#request.hedge()
    }
    if (now >= this.startedAt + longWaitMs) this.#request.extendTimeouts()
    return Math.min(this.#hedgeAt, now + 1_000)
  }
}

const buckets = 1_024
/** At most this many characters of a call's parameters decide about its bucket. */
const hashedChars = 64

/**
 * The upstream requests in flight, by coalescing key. Every call is added and removed here: a `Map` would build one text
 * of method and parameters for each and hash all of it, which takes three times as long as the rest of a request.
 */
export class InFlightRequests {
  /** The first request of each bucket, which links to the others. */
  readonly #first: (UpstreamRequest | null)[] = Array.from({ length: buckets }, () => null)

  find(key: CoalescingKey): UpstreamRequest | null {
    let request = this.#first[bucketOf(key)] ?? null
    while (request !== null && !hasKey(request, key)) request = request.nextInFlight
    return request
  }

  add(request: UpstreamRequest, key: CoalescingKey): void {
    const bucket = bucketOf(key)
    request.nextInFlight = this.#first[bucket] ?? null
    this.#first[bucket] = request
  }

  remove(request: UpstreamRequest, key: CoalescingKey): void {
    const bucket = bucketOf(key)
    let before: UpstreamRequest | null = null
    let found = this.#first[bucket] ?? null
    while (found !== null && found !== request) {
      before = found
      found = found.nextInFlight
    }
    if (found === null) return
    if (before === null) this.#first[bucket] = request.nextInFlight
    else before.nextInFlight = request.nextInFlight
    request.nextInFlight = null
  }
}

const hasKey = ({ plan }: UpstreamRequest, { method, params }: CoalescingKey): boolean =>
  plan.coalescingKey !== null && plan.coalescingKey.params === params && plan.coalescingKey.method === method

/** FNV-1a over characters from all along the parameters. */
function bucketOf({ method, params }: CoalescingKey): number {
  const step = 1 + Math.floor(params.length / hashedChars)
  let hash = 0x811c9dc5 ^ method.length
  for (let index = params.length - 1; index >= 0; index -= step) {
    hash = Math.imul(hash ^ params.charCodeAt(index), 0x01000193)
  }
  return (hash >>> 16) & (buckets - 1)
}
