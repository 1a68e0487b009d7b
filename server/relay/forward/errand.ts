import type { UpstreamLine } from '../upstreams/upstream-line.ts'
import type { HttpAnswer } from '../wire/answer-parser.ts'
import { type Exchange, isUnsent, type SendFailure } from '../wire/exchange.ts'
import { type Answers, judge } from './judge.ts'
import type { Question } from './question.ts'

/** Why no upstream answered. */
export type ErrandFailure = SendFailure | 'redirect' | 'status' | 'not-json-rpc' | 'overloaded'

export type ErrandOutcome =
  | { readonly kind: 'answers'; readonly answers: Answers; readonly from: UpstreamLine }
  | { readonly kind: 'failed'; readonly failure: ErrandFailure }

/** What an errand asks of those who know the upstreams. */
export interface Dispatcher {
  /** The next upstream to ask, by its place; -1: none. Bit n of `tried` stands for upstream n. */
  choose(tried: number, errand: Errand): number
  lineAt(place: number): UpstreamLine | undefined
  readonly attempts: number
  now(): number
  /** After how long a read counts as slow there, in ms; infinity: never. */
  slowMs(line: UpstreamLine): number
  noteFailure(line: UpstreamLine, failure: ErrandFailure): void
  noteAnswer(line: UpstreamLine, tookMs: number): void
  /** Another upstream was quicker than this one, which has not answered for so long. */
  noteOvertaken(line: UpstreamLine, waitedMs: number): void
  /** It is over: nobody may wait for it any more. */
  ended(errand: Errand): void
}

/** Somebody who waits for an errand. The server cuts off whoever waits for long, unless it is told not to. */
export interface Waiter {
  allowSeconds(seconds: number): void
}

/** Before the server loses its patience, which it does after ten seconds. */
const longWaitMs = 4_000
const patienceSec = 60

/** What is to be done, as it does not change on the way. */
export interface ErrandOrder {
  readonly body: string
  /** Calls of a batch; null: a single call. */
  readonly count: number | null
  readonly isRead: boolean
  /** The key whose filters it is about; null: any upstream will do. */
  readonly stickyFor: string | null
  /** What makes two errands the same; null: each is one of its own. */
  readonly question: Question | null
  readonly deadlineAt: number
}

/** Gets one request answered, by one upstream after the other if need be. Ends once, with the first good answer. */
export class Errand {
  readonly order: ErrandOrder
  readonly outcome: Promise<ErrandOutcome>
  /** In its bucket of those that are under way. */
  nextRunning: Errand | null = null
  readonly #dispatcher: Dispatcher
  readonly #waiters: Waiter[] = []
  readonly #startedAt: number
  #resolve: (outcome: ErrandOutcome) => void
  #tried = 0
  #attempts = 0
  readonly #open: Sending[] = []
  #isOver = false
  /** JSON-RPC answers of an upstream that had too much to do: better than none. */
  #lastResort: ErrandOutcome | null = null

  constructor(order: ErrandOrder, dispatcher: Dispatcher) {
    this.order = order
    this.#dispatcher = dispatcher
    this.#startedAt = dispatcher.now()
    const { promise, resolve } = Promise.withResolvers<ErrandOutcome>()
    this.outcome = promise
    this.#resolve = resolve
  }

  /** Resolves when it is over. */
  awaitedBy(waiter: Waiter | null): Promise<ErrandOutcome> {
    if (waiter !== null) this.#waiters.push(waiter)
    return this.outcome
  }

  start(): void {
    if (!this.#sendToNext()) this.#end({ kind: 'failed', failure: 'connect' })
  }

  /** False: there is nobody left to ask. */
  #sendToNext(): boolean {
    const place = this.#dispatcher.choose(this.#tried, this)
    const line = place < 0 ? undefined : this.#dispatcher.lineAt(place)
    if (line === undefined) return false
    this.#tried |= 1 << place
    this.#attempts++
    const slowMs = this.order.isRead ? this.#dispatcher.slowMs(line) : Number.POSITIVE_INFINITY
    const startedAt = this.#attempts === 1 ? this.#startedAt : this.#dispatcher.now()
    const sending = new Sending(this, line, startedAt, slowMs)
    this.#open.push(sending)
    line.send(sending)
    return true
  }

  answered(sending: Sending, http: HttpAnswer): void {
    const { line } = sending
    const judgement = judge(http, this.order.count)
    if (judgement.kind === 'no-answer') return this.failed(sending, judgement.why)
    const { answers } = judgement
    if (judgement.kind === 'overloaded') {
      if (answers !== null) this.#lastResort = { kind: 'answers', answers, from: line }
      return this.failed(sending, 'overloaded')
    }
    const now = this.#dispatcher.now()
    this.#dispatcher.noteAnswer(line, now - sending.startedAt)
    this.#close(sending)
    if (!this.#isOver) {
      for (const other of this.#open) this.#dispatcher.noteOvertaken(other.line, now - other.startedAt)
    }
    this.#end({ kind: 'answers', answers: judgement.answers, from: line })
  }

  failed(sending: Sending, failure: ErrandFailure): void {
    this.#dispatcher.noteFailure(sending.line, failure)
    this.#close(sending)
    if (this.#isOver) return
    if (this.#mayAskAnother(failure) && this.#sendToNext()) return
    if (this.#open.length === 0) this.#end(this.#lastResort ?? { kind: 'failed', failure })
  }

  #close(sending: Sending): void {
    if (this.#open.length === 1) this.#open.pop()
    else this.#open.splice(this.#open.indexOf(sending), 1)
  }

  /** A call that may change something is sent again only if nobody can have seen it. */
  #mayAskAnother(failure: ErrandFailure): boolean {
    if (failure === 'stopped' || this.#attempts >= this.#dispatcher.attempts) return false
    if (this.#dispatcher.now() >= this.order.deadlineAt) return false
    return this.order.isRead || isUnsent(failure)
  }

  /** One more upstream is asked, and the first answer counts. */
  hedge(): void {
    if (!this.#isOver && this.#attempts < this.#dispatcher.attempts) this.#sendToNext()
  }

  askForPatience(): void {
    for (const waiter of this.#waiters.splice(0)) waiter.allowSeconds(patienceSec)
  }

  #end(outcome: ErrandOutcome): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#dispatcher.ended(this)
    this.#resolve(outcome)
  }
}

/** One attempt of an errand. */
class Sending implements Exchange {
  readonly line: UpstreamLine
  readonly startedAt: number
  readonly slowAt: number
  readonly #errand: Errand
  #hedgeAt: number

  constructor(errand: Errand, line: UpstreamLine, startedAt: number, slowMs: number) {
    this.#errand = errand
    this.line = line
    this.startedAt = startedAt
    this.#hedgeAt = startedAt + slowMs
    this.slowAt = startedAt + Math.min(slowMs, longWaitMs)
  }

  get body(): string {
    return this.#errand.order.body
  }

  get isRead(): boolean {
    return this.#errand.order.isRead
  }

  get deadlineAt(): number {
    return this.#errand.order.deadlineAt
  }

  answered(answer: HttpAnswer): void {
    this.#errand.answered(this, answer)
  }

  failed(failure: SendFailure): void {
    this.#errand.failed(this, failure)
  }

  slow(now: number): number {
    if (now >= this.#hedgeAt) {
      this.#hedgeAt = Number.POSITIVE_INFINITY
      this.#errand.hedge()
    }
    if (now >= this.startedAt + longWaitMs) this.#errand.askForPatience()
    return Math.min(this.#hedgeAt, now + 1_000)
  }
}
