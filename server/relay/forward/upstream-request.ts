import type { HttpResponse } from '../../platform/http-client/buffered-response.ts'
import type { PooledRequest, SendFailure } from '../../platform/http-client/pooled-connection.ts'
import { isUnsent } from '../../platform/http-client/pooled-connection.ts'
import { unpredictableId, unpredictablePrefix } from '../../platform/json-rpc-ids.ts'
import type { HedgeDelay } from '../methods/call-terms.ts'
import type { UpstreamClient } from '../upstreams/upstream-client.ts'
import {
  readResponse,
  type SentCalls,
  type UpstreamAnswers,
  type UpstreamResponse,
} from '../upstreams/upstream-response.ts'
import {
  type AnsweredResponse,
  type AttemptClass,
  classOfFailure,
  type EntryClasses,
  type JudgedCall,
  type JudgedResponse,
  limitPauseOf,
  type UpstreamFailure,
} from './attempt-class.ts'
import { logEnd, noneLeft, onlyShorterLeft, type RequestPlan, type Waiter, whyNone } from './request-plan.ts'

export type UpstreamOutcome =
  | {
      readonly kind: 'answers'
      readonly answers: UpstreamAnswers
      /** Null when all entries are answers. */
      readonly classes: EntryClasses | null
      readonly from: UpstreamClient
      /** The upstreams that were called, as bits. */
      readonly tried: number
      /** True when no other upstream is left that could know more. */
      readonly isLast: boolean
    }
  | { readonly kind: 'failed'; readonly failure: UpstreamFailure }

/** What an upstream request needs of the owner of the upstreams. */
export interface Dispatcher {
  readonly clients: readonly UpstreamClient[]
  /**
   * Returns the index of the upstream to call next, `noneLeft`, or why those that are left cannot be called: they limit us,
   * their budgets are spent, or they take shorter batches only. Bit n of `tried` is set if n was called.
   */
  choose(tried: number, request: UpstreamRequest): number
  now(): number
  /** Returns after how many ms a read at this upstream is hedged; infinity when it never is. */
  slowMs(client: UpstreamClient, hedge: HedgeDelay | null): number
  judge(response: UpstreamResponse, client: UpstreamClient, calls: readonly JudgedCall[]): JudgedResponse
  recordFailure(client: UpstreamClient, failure: UpstreamFailure, plan: RequestPlan): void
  /** Records a response that shows a node at work. Its time counts only if it is an answer. */
  recordAnswers(client: UpstreamClient, tookMs: number, judged: AnsweredResponse, plan: RequestPlan): void
  /** Takes what an attempt costs from the budget of the upstream. */
  spend(client: UpstreamClient, plan: RequestPlan): void
  /** Records that the node limits us. */
  recordLimit(client: UpstreamClient, retryAfterMs: number | null): void
  /** Records that another upstream was quicker than this one, which has not answered for `waitedMs`. */
  recordHedgeLoss(client: UpstreamClient, waitedMs: number): void
  /** The request has its outcome: no further waiter may join it. */
  ended(request: UpstreamRequest): void
}

/** Timeouts of waiters are extended after this time, well before the server closes their connections. */
const longWaitMs = 4_000
/** Beyond the deadline of the request, for the way of the answer. */
const moreSec = 30
const longestTimeoutSec = 255

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
  /** The logs of equal calls that wait for the same answer; null without any, as nearly always. */
  #sharedLogs: NonNullable<RequestPlan['attemptLog']>[] | null = null
  readonly #startedAt: number
  #resolve: (outcome: UpstreamOutcome) => void
  #tried: number
  /** Attempts that count: a node that refuses a call because of a limit or the method has not tried it. */
  #attempts = 0
  readonly #open: Attempt[] = []
  #isOver = false
  /** Answers of a node that knew less than others may, which are used when no other one has better ones. */
  #lastResort: UpstreamOutcome | null = null
  /** A limit is the reason only if it is that of every attempt. */
  #failure: UpstreamFailure = 'limited'

  constructor(plan: RequestPlan, dispatcher: Dispatcher) {
    this.plan = plan
    this.#dispatcher = dispatcher
    this.#tried = plan.tried
    this.#startedAt = dispatcher.now()
    const { promise, resolve } = Promise.withResolvers<UpstreamOutcome>()
    this.outcome = promise
    this.#resolve = resolve
  }

  /** Whether an upstream may still answer: a hedge must not bring a worse answer than the one that is waited for. */
  get isWaiting(): boolean {
    return this.#open.length > 0
  }

  /** Resolves when the request ends. The timeout of `waiter` is extended until then; `sharedLog` gets what is tried from now on. */
  outcomeFor(waiter: Waiter | null, sharedLog: RequestPlan['attemptLog'] = null): Promise<UpstreamOutcome> {
    if (waiter !== null) this.#waiters.push(waiter)
    if (sharedLog !== null) (this.#sharedLogs ??= []).push(sharedLog)
    return this.outcome
  }

  start(): void {
    const sent = this.#sendToNext()
    if (sent !== true) this.#end({ kind: 'failed', failure: whyNone(sent) })
  }

  /** Returns true, or why no upstream is left to call. */
  #sendToNext(highestTier = Number.POSITIVE_INFINITY): true | number {
    const index = this.#dispatcher.choose(this.#tried, this)
    const client = index < 0 ? undefined : this.#dispatcher.clients[index]
    if (client === undefined) return index
    if (client.tier > highestTier) return noneLeft
    const isFirst = this.#tried === this.plan.tried
    this.#tried |= 1 << index
    this.#attempts++
    const slowMs = this.plan.isRead
      ? this.#dispatcher.slowMs(client, this.plan.terms.hedge)
      : Number.POSITIVE_INFINITY
    const attempt = new Attempt(this, client, isFirst ? this.#startedAt : this.#dispatcher.now(), slowMs)
    this.#open.push(attempt)
    if (client.budget !== null) this.#dispatcher.spend(client, this.plan)
    client.send(attempt)
    return true
  }

  answered(attempt: Attempt, response: UpstreamResponse): void {
    const { client, startedAt } = attempt
    const judged = this.#dispatcher.judge(response, client, this.plan.calls)
    if (judged.kind === 'failed') {
      if (judged.failure === 'limited') this.#dispatcher.recordLimit(client, limitPauseOf(response))
      return this.failed(attempt, judged.failure, judged.isRefused)
    }
    const now = this.#dispatcher.now()
    this.#dispatcher.recordAnswers(client, now - startedAt, judged, this.plan)
    const isLast = judged.kind === 'useless'
    this.#close(attempt, isLast ? judged.class : 'answer')
    const answers = response.answers ?? []
    const outcome = {
      kind: 'answers',
      answers,
      classes: judged.classes,
      from: client,
      tried: this.#tried,
      isLast,
    } as const
    if (isLast) return this.#useless(outcome, judged.class)
    if (!this.#isOver) {
      for (const other of this.#open) this.#dispatcher.recordHedgeLoss(other.client, now - other.startedAt)
    }
    this.#end(outcome)
  }

  /**
   * A node that does not offer the method says so at once, and does not speak for the others. One that lacks what a call
   * needs has done nothing with it, so that another one may get even a transaction.
   */
  #useless(outcome: UpstreamOutcome, attemptClass: AttemptClass): void {
    const isUnsupported = attemptClass === 'unsupported'
    if (!isUnsupported || this.#lastResort === null) this.#lastResort = outcome
    if (isUnsupported) this.#attempts--
    const didNothing = isUnsupported || (attemptClass === 'missing-data' && this.plan.calls.length === 1)
    this.#goOn(this.plan.isRead || didNothing)
  }

  /** `isRefused`: the upstream has done nothing with the calls. */
  failed(attempt: Attempt, failure: UpstreamFailure, isRefused = isUnsent(failure)): void {
    this.#dispatcher.recordFailure(attempt.client, failure, this.plan)
    this.#close(attempt, classOfFailure[failure])
    if (failure === 'limited' || failure === 'batch-refused') this.#attempts--
    const mayRepeat = this.plan.isRead || isRefused
    if (!mayRepeat) this.#failure = failure === 'batch-refused' ? 'not-json-rpc' : failure
    // A batch that a node would take in parts is sent so once no other one takes it whole.
    else if (failure !== 'limited' && this.#failure !== 'batch-refused') this.#failure = failure
    // Another node has the same large answer, and who stops has no time for another one.
    this.#goOn(mayRepeat && failure !== 'stopped' && failure !== 'too-large')
  }

  /** Calls another upstream where one may know more; ends the request when nothing is left to wait for. */
  #goOn(mayRepeat: boolean): void {
    if (this.#isOver) return
    const sent = mayRepeat && this.#hasAttemptLeft() ? this.#sendToNext() : noneLeft
    if (sent === true) return
    if (sent === onlyShorterLeft) this.#failure = 'batch-refused'
    if (this.#open.length === 0) this.#end(this.#lastResort ?? { kind: 'failed', failure: this.#failure })
  }

  #hasAttemptLeft(): boolean {
    return this.#attempts < this.plan.terms.attempts && this.#dispatcher.now() < this.plan.deadlineAt
  }

  #close(attempt: Attempt, attemptClass: AttemptClass): void {
    if (this.#open.length === 1) this.#open.pop()
    else this.#open.splice(this.#open.indexOf(attempt), 1)
    const { client, startedAt } = attempt
    const ms = this.#dispatcher.now() - startedAt
    const record = { upstream: client.id, class: attemptClass, ms, startedAt }
    logEnd(record, this.plan.attemptLog, this.#sharedLogs)
  }

  /** Calls one more upstream, of no higher tier; the first answer counts. */
  hedge(): void {
    if (this.#isOver || this.#attempts >= this.plan.terms.attempts) return
    this.#sendToNext(this.#open[0]?.client.tier)
  }

  extendTimeouts(): void {
    const leftSec = Math.ceil((this.plan.deadlineAt - this.#dispatcher.now()) / 1_000)
    const seconds = Math.min(longestTimeoutSec, leftSec + moreSec)
    for (const waiter of this.#waiters.splice(0)) waiter.allowSeconds(seconds)
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
  readonly takesCompressed: boolean
  readonly startedAt: number
  readonly slowAt: number
  readonly #request: UpstreamRequest
  #hedgeAt: number
  #response: UpstreamResponse | null = null

  constructor(request: UpstreamRequest, client: UpstreamClient, startedAt: number, slowMs: number) {
    const { count } = request.plan
    this.#request = request
    this.client = client
    this.count = count
    this.id = count === null ? unpredictableId() : unpredictablePrefix()
    this.body = request.plan.bodyWith(this.id)
    this.takesCompressed = client.longAnswers !== null && client.longAnswers.expects(request.plan.calls)
    this.startedAt = startedAt
    this.#hedgeAt = startedAt + slowMs
    this.slowAt = startedAt + Math.min(slowMs, longWaitMs)
  }

  get isRead(): boolean {
    return this.#request.plan.isRead
  }

  get firstByteMs(): number {
    return this.#request.plan.terms.firstByteMs
  }

  get answerBytes(): number {
    return this.#request.plan.terms.answerBytes
  }

  get deadlineAt(): number {
    return this.#request.plan.deadlineAt
  }

  accepts(response: HttpResponse): boolean {
    this.#response = readResponse(response, this)
    this.client.longAnswers?.learn(this.#request.plan.calls, response.text.length)
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
