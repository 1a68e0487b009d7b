import type { Endpoint } from '../../endpoints/endpoints.ts'
import type { EndpointCache } from '../cache/endpoint-cache.ts'
import { batchRefusalOf } from '../classify/batch-refusals.ts'
import type { Clock } from '../../platform/clock.ts'
import {
  type BeyondBudgets,
  beyondBudgets,
  longestPart,
  spendCalls,
  waitOf,
  withinBudgets,
} from '../budgets/calls-in-budget.ts'
import type { HedgeDelay } from '../methods/call-terms.ts'
import { createMethodFacts, type MethodFacts } from '../methods/method-facts.ts'
import type { MonitoredNodes } from '../ports.ts'
import type { RelayMetrics } from '../relay-metrics.ts'
import type { RestCache } from '../rest/rest-cache.ts'
import type { RelaySettings } from '../settings.ts'
import { chooseInOrder, chooseSticky, chooseUpstream } from '../upstreams/choose.ts'
import { logBlocksOf, LogRange } from '../logs/log-range.ts'
import { RpcCall } from '../rpc-call.ts'
import type { EndpointTip, NeededBlock } from '../tip/endpoint-tip.ts'
import { mayLackBlock } from '../tip/observe-answer.ts'
import { type KnownTips, silentlyAtTip } from '../tip/prepare-call.ts'
import { MethodSupport } from '../upstreams/method-support.ts'
import { limiting, takingLess, type UpstreamClient } from '../upstreams/upstream-client.ts'
import { hasPlainResults, type UpstreamResponse } from '../upstreams/upstream-response.ts'
import { AccusedNodes } from './accused-nodes.ts'
import {
  allAnswered,
  type AnsweredResponse,
  classOfFailure,
  type JudgedCall,
  type JudgedResponse,
  judgeResponse,
  speaksAgainstNode,
  suggestsOutage,
  type UpstreamFailure,
} from './attempt-class.ts'
import { InFlightRequests } from './shared-results.ts'
import {
  type ChoicePlan,
  type ChoiceRequest,
  noneLeft,
  type PlannedCalls,
  type RequestPlan,
  type Waiter,
  whyExcluded,
} from './request-plan.ts'
import { type Dispatcher, type UpstreamOutcome, UpstreamRequest } from './upstream-request.ts'

export interface RouteContext {
  readonly clock: Clock
  readonly random: () => number
  readonly relayMetrics: RelayMetrics
  readonly settings: RelaySettings
  readonly monitored: MonitoredNodes
}

/** An endpoint with its upstream clients, and all that was learned about its methods and results. */
export class EndpointRoute implements Dispatcher {
  readonly endpoint: Endpoint
  readonly clients: readonly UpstreamClient[]
  readonly factsOf: (method: string) => MethodFacts
  readonly results: EndpointCache
  /** Null where there is no choice between nodes, or it is not known how they name blocks. */
  readonly tip: EndpointTip | null
  readonly logRange: LogRange
  /** Null at endpoints that are not called by paths. */
  readonly restResults: RestCache | null
  readonly #ids: readonly string[]
  readonly #hasBudgets: boolean
  readonly #context: RouteContext
  readonly #inFlight = new InFlightRequests()
  /** Null until a node could not do something, as nearly always. */
  #methods: MethodSupport | null = null
  /** Null until a node has failed in words. */
  #accused: AccusedNodes | null = null
  /** When the last pause of an upstream ends; 0 while none has one, as nearly always. */
  #pausedUntil = 0

  constructor(
    endpoint: Endpoint,
    clients: readonly UpstreamClient[],
    { results, restResults }: Pick<EndpointRoute, 'results' | 'restResults'>,
    tip: EndpointTip | null,
    context: RouteContext,
  ) {
    this.endpoint = endpoint
    this.factsOf = createMethodFacts(endpoint, context.settings)
    this.results = results
    this.restResults = restResults
    this.clients = clients
    this.#ids = clients.map(({ id }) => id)
    this.#hasBudgets = clients.some(({ budget }) => budget !== null)
    this.tip = tip
    this.logRange = new LogRange(() => logBlocksOf(endpoint, clients, context.monitored.boundsOf))
    this.#context = context
  }

  /** Gets a request answered. Equal reads at the same time share one upstream request. */
  request(plan: RequestPlan, waiter: Waiter | null): Promise<UpstreamOutcome> {
    const { coalescingKey } = plan
    const inFlight = coalescingKey === null ? null : this.#inFlight.find(coalescingKey)
    if (inFlight !== null) {
      this.#context.relayMetrics.countShared()
      return inFlight.outcomeFor(waiter, plan.attemptLog)
    }
    const request = new UpstreamRequest(plan, this)
    if (coalescingKey !== null) this.#inFlight.add(request, coalescingKey)
    request.start()
    return request.outcomeFor(waiter)
  }

  ended(request: UpstreamRequest): void {
    const { coalescingKey, isRead } = request.plan
    if (!isRead) this.#inFlight.leaveToTheirCallers()
    else if (coalescingKey !== null) this.#inFlight.remove(request, coalescingKey)
  }

  /** Answers a call from the cache. Returns false when a node has to be asked. */
  answerFromCache(call: RpcCall, result = this.results.find(call)): boolean {
    if (result === null) return false
    call.setResult(result)
    call.isCached = true
    this.#context.relayMetrics.countCached()
    return true
  }

  choose(tried: number, request: ChoiceRequest): number {
    const { calls, stickyFor, mayMove } = request.plan
    const limited = this.#limited()
    const { spent, holdingLess } = this.#beyondBudgets(calls)
    const shorter = calls.length > 1 ? takingLess(this.clients, calls.length, this.now()) | holdingLess : 0
    const excluded = limited | spent | shorter
    const chosen =
      stickyFor !== null && !mayMove
        ? this.#chooseSticky(stickyFor, tried, excluded)
        : this.#chooseReached(tried, excluded, request)
    if (chosen >= 0 || (excluded & ~tried) === 0) return chosen
    return whyExcluded(limited & ~tried, shorter & ~tried)
  }

  /** Where the node of the filters fails, another one says that it does not know the filter, and is given a new one. */
  #chooseSticky(stickyFor: string, tried: number, limited: number): number {
    const chosen = chooseSticky(stickyFor, this.#ids, this.clients)
    if (((limited >> chosen) & 1) === 1) return noneLeft
    return tried === 0 ? chosen : chooseSticky(stickyFor, this.#ids, this.clients, tried | limited)
  }

  /** Prefers upstreams that have the block that is needed, and the one to which the key's calls went before. */
  #chooseReached(tried: number, limited: number, { plan, isWaiting }: ChoiceRequest): number {
    const { needs, stickyFor } = plan
    const isFirst = tried === plan.tried
    if (isFirst && stickyFor !== null) return this.#chooseOwn(stickyFor, tried | limited, needs)
    if (needs === null || this.tip === null) return this.#chooseSuited(tried, tried | limited, plan)
    // Once a node has turned out to lack the block, it goes to those that are known to have it.
    const unsure = this.tip.withoutBlock(isFirst ? needs : { ...needs, isStrict: true })
    const chosen = this.#chooseSuited(tried, tried | limited | unsure, plan)
    if (chosen >= 0 || needs.isStrict || isWaiting === true) return chosen
    return this.#chooseSuited(tried, tried | limited, plan)
  }

  /** Returns the node that answers the nonces of a key: one that has the block that is needed, where there is one. */
  #chooseOwn(keyId: string, excluded: number, needs: NeededBlock | null): number {
    const behind = needs === null || this.tip === null ? 0 : this.tip.withoutBlock(needs)
    const chosen = chooseSticky(keyId, this.#ids, this.clients, excluded | behind)
    if (chosen >= 0 || needs?.isStrict === true) return chosen
    return chooseSticky(keyId, this.#ids, this.clients, excluded)
  }

  /** Prefers upstreams that have shown no weakness with these methods; where all have, whoever is left is called. */
  #chooseSuited(tried: number, excluded: number, { calls, isRead }: ChoicePlan): number {
    const choose = (without: number): number =>
      chooseUpstream(this.clients, without, isRead, this.#context.random())
    if (this.#methods === null || this.#methods.isEmpty) return choose(excluded)
    const now = this.now()
    const unsupported = this.#methods.unsupported(calls, now)
    const suited = choose(excluded | unsupported | this.#methods.useless(calls, now))
    if (suited >= 0) return suited
    const offering = choose(excluded | unsupported)
    return offering >= 0 || tried !== 0 ? offering : choose(excluded)
  }

  /** Returns the upstreams that limit us at present, as bits. */
  #limited(): number {
    if (this.#pausedUntil === 0) return 0
    const now = this.now()
    if (now >= this.#pausedUntil) this.#pausedUntil = 0
    return limiting(this.clients, now)
  }

  /** Returns how many calls of a batch that no upstream takes whole go to one at once. */
  longestPart(calls: readonly JudgedCall[]): number {
    return longestPart(this.clients, calls, this.#context.clock)
  }

  #beyondBudgets(calls: readonly JudgedCall[]): BeyondBudgets {
    return this.#hasBudgets ? beyondBudgets(this.clients, calls, this.#context.clock) : withinBudgets
  }

  spend(client: UpstreamClient, { calls }: PlannedCalls): void {
    spendCalls(client, calls, this.#context.clock.now())
  }

  /** Returns after how many whole ms the first upstream may get one of these calls that limits us or has no budget; 0: now. */
  waitMs(calls: readonly JudgedCall[]): number {
    return Math.ceil(Math.min(...this.clients.map((client) => waitOf(client, calls, this.#context.clock))))
  }

  /** The newest blocks, as far as they are known: that of a single node, where there is one. */
  readonly knownHeights: Pick<KnownTips, 'height'> = {
    height: (tag) => this.tip?.height(tag) ?? (tag === 'latest' ? this.results.lowestHead() : null),
  }

  /** How many nodes get a transaction at once. */
  get transactionNodes(): number {
    return this.endpoint.settings.transactionNodes ?? this.#context.settings.transactionNodes
  }

  /** Returns the indexes of all upstreams, the best first, but before them the one that answers the nonces of the key. */
  inOrder(transaction: JudgedCall, keyId: string): number[] {
    const excluded = this.#limited() | this.#beyondBudgets([transaction]).spent
    const own = this.#chooseOwn(keyId, excluded, this.tip === null ? null : silentlyAtTip(this.tip))
    const order = chooseInOrder(this.clients, this.#context.random)
    return own < 0 ? order : [own, ...order.filter((index) => index !== own)]
  }

  now(): number {
    return this.#context.clock.monotonic()
  }

  slowMs({ latency }: UpstreamClient, hedge: HedgeDelay | null): number {
    if (hedge === null || this.clients.length < 2) return Number.POSITIVE_INFINITY
    return Math.min(Math.max(hedge.leastMs, latency.percentileMs(hedge.percentile)), hedge.mostMs)
  }

  judge(response: UpstreamResponse, client: UpstreamClient, calls: readonly JudgedCall[]): JudgedResponse {
    if (hasPlainResults(response)) return allAnswered
    const refusal = calls.length > 1 ? batchRefusalOf(response, calls.length) : null
    if (refusal !== null) {
      client.batchBound.refuse(calls.length, refusal, this.now())
      return { kind: 'failed', failure: 'batch-refused', isRefused: !refusal.isDone }
    }
    const { family } = this.endpoint
    return judgeResponse(response, { family, calls, mayLack: (call) => this.#mayLack(call, client.index) })
  }

  /** Tells whether another node may have what the upstream with this index answers with nothing (`null` or `[]`). */
  #mayLack(call: JudgedCall, upstream: number): boolean {
    if (this.tip === null || !(call instanceof RpcCall) || call.served === null) return false
    return mayLackBlock(this.tip, { ...call.served, method: call.method }, upstream)
  }

  recordFailure(client: UpstreamClient, failure: UpstreamFailure, { calls }: PlannedCalls): void {
    this.#context.relayMetrics.countFailure(failure)
    client.countFailure(classOfFailure[failure])
    if (client.serviceId !== null && suggestsOutage(failure))
      this.#context.monitored.suspect(client.serviceId)
    if (failure === 'node-failure') (this.#accused ??= new AccusedNodes()).add(calls, client)
    else if (speaksAgainstNode(failure)) client.circuitBreaker.fail(this.now())
    // Nodes with narrower bounds may have less to say, and one that always says too much must not get every call.
    if (failure !== 'too-large' && failure !== 'call-failure') return
    this.#methods ??= new MethodSupport()
    for (const { method } of calls) this.#methods.recordUseless(method, client.index, this.now())
  }

  recordHedgeLoss(client: UpstreamClient, waitedMs: number): void {
    client.latency.record(waitedMs)
  }

  recordLimit(client: UpstreamClient, retryAfterMs: number | null): void {
    const now = this.now()
    client.limitPause.begin(now, retryAfterMs)
    client.budget?.limited(this.#context.clock.now())
    this.#pausedUntil = Math.max(this.#pausedUntil, now + client.limitPause.remainingMs(now))
  }

  recordAnswers(client: UpstreamClient, tookMs: number, judged: AnsweredResponse, plan: PlannedCalls): void {
    client.circuitBreaker.succeed()
    this.#accused?.convict(plan.calls, this.now())
    if (judged.kind === 'answers') {
      client.answers++
      client.latency.record(tookMs)
      client.limitPause.forgive()
    } else {
      client.countFailure(judged.class)
    }
    if (judged.classes === null && (this.#methods === null || this.#methods.isEmpty)) return
    this.#methods ??= new MethodSupport()
    const isLimited = this.#methods.recordEntries(client.index, judged.classes, plan.calls, this.now())
    if (isLimited) this.recordLimit(client, null)
  }

  close(): void {
    for (const { pool } of this.clients) pool.close()
  }
}
