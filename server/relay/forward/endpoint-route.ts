import type { Endpoint } from '../../endpoints/endpoints.ts'
import type { Clock } from '../../platform/clock.ts'
import { createMethodFacts, type MethodFacts } from '../methods/method-facts.ts'

import type { RelayMetrics } from '../relay-metrics.ts'
import type { RelaySettings } from '../settings.ts'
import { choose, chooseFor } from '../upstreams/choose.ts'
import type { UpstreamLine } from '../upstreams/upstream-line.ts'
import {
  type Dispatcher,
  Errand,
  type ErrandFailure,
  type ErrandOrder,
  type Waiter,
  type ErrandOutcome,
} from './errand.ts'
import type { LastingAnswers } from './lasting-answers.ts'
import { RunningErrands } from './running-errands.ts'

/** A node that has stopped in the middle of everything must not teach us to wait for it. */
const latestHedge = 10

export interface RouteWorld {
  readonly clock: Clock
  readonly random: () => number
  readonly numbers: RelayMetrics
  readonly settings: RelaySettings
}

/** An endpoint with all that was learned about its upstreams and its methods. */
export class EndpointRoute implements Dispatcher {
  readonly endpoint: Endpoint
  readonly lines: readonly UpstreamLine[]
  readonly factsOf: (method: string) => MethodFacts
  readonly lasting: LastingAnswers
  readonly #ids: readonly string[]
  readonly #world: RouteWorld
  readonly #running = new RunningErrands()

  constructor(
    endpoint: Endpoint,
    lines: readonly UpstreamLine[],
    lasting: LastingAnswers,
    world: RouteWorld,
  ) {
    this.endpoint = endpoint
    this.factsOf = createMethodFacts(endpoint)
    this.lasting = lasting
    this.lines = lines
    this.#ids = lines.map(({ id }) => id)
    this.#world = world
  }

  /** Those who ask the same at the same time share one errand. */
  ask(order: ErrandOrder, waiter: Waiter | null): Promise<ErrandOutcome> {
    const { question } = order
    const running = question === null ? null : this.#running.find(question)
    if (running !== null) {
      this.#world.numbers.countShared()
      return running.awaitedBy(waiter)
    }
    const errand = new Errand(order, this)
    if (question !== null) this.#running.add(errand, question)
    errand.start()
    return errand.awaitedBy(waiter)
  }

  ended(errand: Errand): void {
    const { question } = errand.order
    if (question !== null) this.#running.remove(errand, question)
  }

  countCached(): void {
    this.#world.numbers.countCached()
  }

  choose(tried: number, { order }: Errand): number {
    if (order.stickyFor === null) return choose(this.lines, tried, order.isRead, this.#world.random())
    return tried === 0 ? chooseFor(order.stickyFor, this.#ids, this.lines) : -1
  }

  lineAt(place: number): UpstreamLine | undefined {
    return this.lines[place]
  }

  get attempts(): number {
    return this.#world.settings.attempts
  }

  now(): number {
    return this.#world.clock.monotonic()
  }

  slowMs(line: UpstreamLine): number {
    const { hedgeAfterMs } = this.#world.settings
    if (hedgeAfterMs === null || this.lines.length < 2) return Number.POSITIVE_INFINITY
    return Math.min(Math.max(hedgeAfterMs, line.latency.p95Ms), hedgeAfterMs * latestHedge)
  }

  noteFailure(line: UpstreamLine, failure: ErrandFailure): void {
    this.#world.numbers.countFailure(failure)
    if (failure !== 'stopped' && failure !== 'busy') line.breakerState.fail(this.now())
  }

  noteOvertaken(line: UpstreamLine, waitedMs: number): void {
    line.latency.take(waitedMs)
  }

  noteAnswer(line: UpstreamLine, tookMs: number): void {
    line.breakerState.succeed()
    line.latency.take(tookMs)
  }

  sweep(now: number): void {
    for (const { sender } of this.lines) sender.sweep(now)
  }

  get isIdle(): boolean {
    return this.lines.every(({ sender }) => sender.inFlight === 0)
  }

  close(): void {
    for (const { sender } of this.lines) sender.close()
  }
}
