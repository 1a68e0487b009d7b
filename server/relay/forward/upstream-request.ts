import type { HttpResponse } from '../../platform/http-client/buffered-response.ts'
import { isUnsent, type PooledRequest, type SendFailure } from '../../platform/http-client/connection-pool.ts'
import { unpredictableId, unpredictablePrefix } from '../../platform/request-id.ts'
import type { UpstreamClient } from '../upstreams/upstream-client.ts'
import { type Answers, judge, type Judgement, type SentCalls } from './judge.ts'
import type { Question } from './question.ts'

/** Why no upstream answered. */
export type UpstreamFailure = SendFailure | 'redirect' | 'status' | 'not-json-rpc' | 'overloaded'

export type UpstreamOutcome =
  | { readonly kind: 'answers'; readonly answers: Answers; readonly from: UpstreamClient }
  | { readonly kind: 'failed'; readonly failure: UpstreamFailure }

/** What an upstream request asks of whoever knows the upstreams. */
export interface Dispatcher {
  /** The next upstream to ask, by its place; -1: none. Bit n of `tried` stands for upstream n. */
  choose(tried: number, request: UpstreamRequest): number
  clientAt(place: number): UpstreamClient | undefined
  readonly attempts: number
  now(): number
  /** After how long a read counts as slow there, in ms; infinity: never. */
  slowMs(client: UpstreamClient): number
  noteFailure(client: UpstreamClient, failure: UpstreamFailure): void
  noteAnswer(client: UpstreamClient, tookMs: number): void
  /** Another upstream was quicker than this one, which has not answered for so long. */
  recordHedgeLoss(client: UpstreamClient, waitedMs: number): void
  /** It is over: nobody may wait for it any more. */
  ended(request: UpstreamRequest): void
}

/** Somebody who waits for an upstream request. The server cuts off whoever waits for long, unless it is told not to. */
export interface Waiter {
  allowSeconds(seconds: number): void
}

/** Before the server loses its patience, which it does after ten seconds. */
const longWaitMs = 4_000
const patienceSec = 60

/** What is to be done, as it does not change on the way. */
export interface RequestPlan {
  /** The request body, its ids as in `SentCalls`. */
  bodyWith(id: string): string
  /** Calls of a batch; null: a single call. */
  readonly count: number | null
  readonly isRead: boolean
  /** The key whose filters it is about; null: any upstream will do. */
  readonly stickyFor: string | null
  /** What makes two requests the same; null: each is one of its own. */
  readonly question: Question | null
  readonly deadlineAt: number
}

/** Gets one request answered, by one upstream after the other if need be. Ends once, with the first good answer. */
export class UpstreamRequest {
  readonly plan: RequestPlan
  readonly outcome: Promise<UpstreamOutcome>
  /** In its bucket of those that are under way. */
  nextRunning: UpstreamRequest | null = null
  readonly #dispatcher: Dispatcher
  readonly #waiters: Waiter[] = []
  readonly #startedAt: number
  #resolve: (outcome: UpstreamOutcome) => void
  #tried = 0
  #attempts = 0
  readonly #open: Attempt[] = []
  #isOver = false
  /** JSON-RPC answers of an upstream that had too much to do: better than none. */
  #lastResort: UpstreamOutcome | null = null

  constructor(plan: RequestPlan, dispatcher: Dispatcher) {
    this.plan = plan
    this.#dispatcher = dispatcher
    this.#startedAt = dispatcher.now()
    const { promise, resolve } = Promise.withResolvers<UpstreamOutcome>()
    this.outcome = promise
    this.#resolve = resolve
  }

  /** Resolves when it is over. */
  awaitedBy(waiter: Waiter | null): Promise<UpstreamOutcome> {
    if (waiter !== null) this.#waiters.push(waiter)
    return this.outcome
  }

  start(): void {
    if (!this.#sendToNext()) this.#end({ kind: 'failed', failure: 'connect' })
  }

  /** False: there is nobody left to ask. */
  #sendToNext(): boolean {
    const place = this.#dispatcher.choose(this.#tried, this)
    const client = place < 0 ? undefined : this.#dispatcher.clientAt(place)
    if (client === undefined) return false
    this.#tried |= 1 << place
    this.#attempts++
    const slowMs = this.plan.isRead ? this.#dispatcher.slowMs(client) : Number.POSITIVE_INFINITY
    const startedAt = this.#attempts === 1 ? this.#startedAt : this.#dispatcher.now()
    const attempt = new Attempt(this, client, startedAt, slowMs)
    this.#open.push(attempt)
    client.send(attempt)
    return true
  }

  answered(attempt: Attempt, judgement: Judgement): void {
    const { client } = attempt
    if (judgement.kind === 'no-answer') return this.failed(attempt, judgement.why)
    const { answers } = judgement
    if (judgement.kind === 'overloaded') {
      if (answers !== null) this.#lastResort = { kind: 'answers', answers, from: client }
      return this.failed(attempt, 'overloaded')
    }
    const now = this.#dispatcher.now()
    this.#dispatcher.noteAnswer(client, now - attempt.startedAt)
    this.#close(attempt)
    if (!this.#isOver) {
      for (const other of this.#open) this.#dispatcher.recordHedgeLoss(other.client, now - other.startedAt)
    }
    this.#end({ kind: 'answers', answers: judgement.answers, from: client })
  }

  failed(attempt: Attempt, failure: UpstreamFailure): void {
    this.#dispatcher.noteFailure(attempt.client, failure)
    this.#close(attempt)
    if (this.#isOver) return
    if (this.#mayAskAnother(failure) && this.#sendToNext()) return
    if (this.#open.length === 0) this.#end(this.#lastResort ?? { kind: 'failed', failure })
  }

  #close(attempt: Attempt): void {
    if (this.#open.length === 1) this.#open.pop()
    else this.#open.splice(this.#open.indexOf(attempt), 1)
  }

  /** A call that may change something is sent again only if nobody can have seen it. */
  #mayAskAnother(failure: UpstreamFailure): boolean {
    if (failure === 'stopped' || this.#attempts >= this.#dispatcher.attempts) return false
    if (this.#dispatcher.now() >= this.plan.deadlineAt) return false
    return this.plan.isRead || isUnsent(failure)
  }

  /** One more upstream is asked, and the first answer counts. */
  hedge(): void {
    if (!this.#isOver && this.#attempts < this.#dispatcher.attempts) this.#sendToNext()
  }

  extendTimeouts(): void {
    for (const waiter of this.#waiters.splice(0)) waiter.allowSeconds(patienceSec)
  }

  #end(outcome: UpstreamOutcome): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#dispatcher.ended(this)
    this.#resolve(outcome)
  }
}

/** One upstream is asked once, with an id of its own. */
class Attempt implements PooledRequest, SentCalls {
  readonly client: UpstreamClient
  readonly id: string
  readonly count: number | null
  readonly body: string
  readonly startedAt: number
  readonly slowAt: number
  readonly #request: UpstreamRequest
  #hedgeAt: number
  #judgement: Judgement | null = null

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
    this.#judgement = judge(response, this)
    return !this.#judgement.isForeign
  }

  answered(): void {
    if (this.#judgement !== null) this.#request.answered(this, this.#judgement)
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
