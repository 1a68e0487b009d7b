import type { Endpoint } from '../../endpoints/endpoints.ts'
import type { Clock } from '../../platform/clock.ts'
import { createMethodFacts, type MethodFacts } from '../methods/method-facts.ts'

import type { RelayMetrics } from '../relay-metrics.ts'
import type { RelaySettings } from '../settings.ts'
import { choose, chooseFor } from '../upstreams/choose.ts'
import type { UpstreamClient } from '../upstreams/upstream-client.ts'
import {
  type Dispatcher,
  UpstreamRequest,
  type UpstreamFailure,
  type RequestPlan,
  type Waiter,
  type UpstreamOutcome,
} from './upstream-request.ts'
import type { LastingAnswers } from './lasting-answers.ts'
import { RunningRequests } from './running-requests.ts'

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
  readonly lines: readonly UpstreamClient[]
  readonly factsOf: (method: string) => MethodFacts
  readonly lasting: LastingAnswers
  readonly #ids: readonly string[]
  readonly #world: RouteWorld
  readonly #running = new RunningRequests()

  constructor(
    endpoint: Endpoint,
    lines: readonly UpstreamClient[],
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

  /** Those who ask the same at the same time share one request. */
  ask(plan: RequestPlan, waiter: Waiter | null): Promise<UpstreamOutcome> {
    const { question } = plan
    const running = question === null ? null : this.#running.find(question)
    if (running !== null) {
      this.#world.numbers.countShared()
      return running.awaitedBy(waiter)
    }
    const request = new UpstreamRequest(plan, this)
    if (question !== null) this.#running.add(request, question)
    request.start()
    return request.awaitedBy(waiter)
  }

  ended(request: UpstreamRequest): void {
    const { question } = request.plan
    if (question !== null) this.#running.remove(request, question)
  }

  countCached(): void {
    this.#world.numbers.countCached()
  }

  choose(tried: number, { plan }: UpstreamRequest): number {
    if (plan.stickyFor === null) return choose(this.lines, tried, plan.isRead, this.#world.random())
    return tried === 0 ? chooseFor(plan.stickyFor, this.#ids, this.lines) : -1
  }

  clientAt(place: number): UpstreamClient | undefined {
    return this.lines[place]
  }

  get attempts(): number {
    return this.#world.settings.attempts
  }

  now(): number {
    return this.#world.clock.monotonic()
  }

  slowMs(line: UpstreamClient): number {
    const { hedgeAfterMs } = this.#world.settings
    if (hedgeAfterMs === null || this.lines.length < 2) return Number.POSITIVE_INFINITY
    return Math.min(Math.max(hedgeAfterMs, line.latency.p95Ms), hedgeAfterMs * latestHedge)
  }

  noteFailure(line: UpstreamClient, failure: UpstreamFailure): void {
    this.#world.numbers.countFailure(failure)
    if (failure !== 'stopped' && failure !== 'busy') line.breakerState.fail(this.now())
  }

  recordHedgeLoss(line: UpstreamClient, waitedMs: number): void {
    line.latency.take(waitedMs)
  }

  noteAnswer(line: UpstreamClient, tookMs: number): void {
    line.breakerState.succeed()
    line.latency.take(tookMs)
  }

  sweep(now: number): void {
    for (const { pool } of this.lines) pool.sweep(now)
  }

  get isIdle(): boolean {
    return this.lines.every(({ pool }) => pool.inFlight === 0)
  }

  close(): void {
    for (const { pool } of this.lines) pool.close()
  }
}
