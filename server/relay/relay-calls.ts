import type { Endpoint } from '../endpoints/endpoints.ts'
import type { LimitDecision, Limits } from '../limits/limits.ts'
import type { Clock } from '../platform/clock.ts'
import { errorAnswer, errorCodes, errorText, type RpcError } from './errors.ts'
import type { EndpointRoute } from './forward/endpoint-route.ts'
import type { UpstreamFailure, Waiter } from './forward/upstream-request.ts'
import { forward, statusOf } from './forward/forward.ts'
import type { Routes } from './forward/routes.ts'
import { Item, type Refused, refusedMethod, refusedNoCall } from './item.ts'
import { type NotAdmitted, refusalOf } from './limit-refusals.ts'
import type { CallOutcome, Metered, RelayKey, RelayMeter } from './parties.ts'
import { joinAnswers, type Reply } from './reply.ts'
import type { Call, NoCall } from './request/call.ts'
import { parseRequest } from './request/parse.ts'
import type { RelaySettings } from './settings.ts'

export interface RelayCallsOptions {
  readonly routes: Routes
  readonly limits: Pick<Limits, 'admit'>
  readonly meter: RelayMeter
  readonly clock: Clock
  readonly settings: RelaySettings
}

/**
 * Relays the calls in one body of JSON-RPC, with a key that was found good for the endpoint. What callers and upstreams
 * do wrong is in the reply. A promise only where there is something to wait for. Fault: `unavailable` when calls cannot be counted. `waiter`: whoever waits for it.
 */
export type RelayCalls = (
  key: RelayKey,
  endpoint: Endpoint,
  body: string,
  bytesIn: number,
  waiter: Waiter | null,
  passOn?: PassOn,
) => Reply | Promise<Reply>

/** Gets calls answered, in place of `forward`. */
export type PassOn = (...asked: Parameters<typeof forward>) => ReturnType<typeof forward>

export function createRelayCalls({ routes, limits, meter, clock, settings }: RelayCallsOptions): RelayCalls {
  /** Calls that are within their limits are counted, passed on and settled. */
  function relay(asked: Asked, admission: LimitDecision): Reply | Promise<Reply> {
    const { key, elements, items, isBatch, cost, bytesIn, startedAt, waiter, passOn } = asked
    if (admission.kind !== 'admitted') {
      if (admission.kind !== 'unavailable') meter.refuse(key, items, admission.limit)
      return notAdmitted(elements, items, isBatch, admission)
    }
    const counted = meter.admit(key, items, bytesIn)
    const asking = { keyId: key.id, deadlineAt: startedAt + settings.totalMs, waiter }
    const finish = (failure: UpstreamFailure | null): Reply => {
      const text = joinAnswers(elements, isBatch)
      const back = creditsBackOf(items)
      if (back > 0) admission.giveBack(back)
      settle(counted, items, text, clock.monotonic() - startedAt)
      return replyOf(failure, text, cost - back, admission)
    }
    const failing = passOn(items, asked.route, asking)
    return failing instanceof Promise ? failing.then(finish) : finish(failing)
  }

  return (key, endpoint, body, bytesIn, waiter, passOn = forward) => {
    const startedAt = clock.monotonic()
    const parsed = parseRequest(body, settings)
    if (parsed.kind === 'refused') return unreadable(400, { code: parsed.code, message: parsed.why })
    if (parsed.kind === 'batch-too-large') return unreadable(413, batchTooLarge(settings.batchCalls))
    const { isBatch } = parsed
    const route = routes.of(endpoint)
    // By loops here and from here on: `map` and its like take a tenth of a call's whole time.
    const elements: (Item | Refused)[] = []
    const items: Item[] = []
    for (const each of parsed.elements) {
      const element = elementOf(each, route)
      elements.push(element)
      if (element instanceof Item) items.push(element)
    }
    if (items.length === 0) return allRefused(elements, isBatch)

    const cost = costOf(items)
    const asked = { key, route, elements, items, isBatch, cost, bytesIn, startedAt, waiter, passOn }
    const { id: keyId, rate, credits } = key
    const admission = limits.admit({ keyId, rate, credits, calls: items.length, cost })
    return admission instanceof Promise
      ? admission.then((found) => relay(asked, found))
      : relay(asked, admission)
  }
}

/** Calls that may be relayed, if the limits of their key have it. */
interface Asked {
  readonly key: RelayKey
  readonly route: EndpointRoute
  readonly elements: readonly (Item | Refused)[]
  readonly items: readonly Item[]
  readonly isBatch: boolean
  readonly cost: number
  readonly bytesIn: number
  readonly startedAt: number
  readonly waiter: Waiter | null
  readonly passOn: PassOn
}

function replyOf(
  failure: UpstreamFailure | null,
  text: string | null,
  credits: number,
  admission: LimitDecision,
): Reply {
  if (failure === null) {
    return { status: text === null ? 204 : 200, text, credits, admission, outcome: 'answered' }
  }
  const status = statusOf(failure)
  const reply = { status, text, credits, admission, outcome: 'unanswered' } as const
  return status === 503 ? { ...reply, retryAfterSec: 1 } : reply
}

function elementOf(element: Call | NoCall, route: EndpointRoute): Item | Refused {
  if (element.kind === 'no-call') return refusedNoCall(element)
  const facts = route.factsOf(element.method)
  return facts.isAllowed ? new Item(element, facts) : refusedMethod(element)
}

function costOf(items: readonly Item[]): number {
  let cost = 0
  for (const item of items) cost += item.facts.credits
  return cost
}

function creditsBackOf(items: readonly Item[]): number {
  let back = 0
  for (const item of items) back += item.creditsBack
  return back
}

function settle(metered: Metered, items: readonly Item[], text: string | null, tookMs: number): void {
  const outcomes: CallOutcome[] = []
  const creditsBack: number[] = []
  for (const item of items) {
    outcomes.push(item.outcome)
    creditsBack.push(item.creditsBack)
  }
  metered.settle(outcomes, { bytesOut: text === null ? 0 : Buffer.byteLength(text), tookMs, creditsBack })
}

const unreadable = (status: number, error: RpcError): Reply => ({
  status,
  text: errorAnswer('null', errorText(error)),
  credits: 0,
  admission: null,
  outcome: 'unreadable',
})

const batchTooLarge = (most: number): RpcError => ({
  code: errorCodes.noRequest,
  message: `a batch holds at most ${most} calls; send several`,
  reason: 'batch_too_large',
})

/** Nothing in it was a call that is offered here. Without an answer about a method it is a mistake of its sender. */
function allRefused(elements: readonly (Item | Refused)[], isBatch: boolean): Reply {
  const text = joinAnswers(elements, isBatch)
  const isMistake = !isBatch && elements.some((element) => 'isMistake' in element && element.isMistake)
  const status = isMistake ? 400 : text === null ? 204 : 200
  return { status, text, credits: 0, admission: null, outcome: 'unreadable' }
}

function notAdmitted(
  elements: readonly (Item | Refused)[],
  items: readonly Item[],
  isBatch: boolean,
  admission: NotAdmitted,
): Reply {
  const { status, error, outcome } = refusalOf(admission, items.length)
  const text = errorText(error)
  for (const item of items) item.refuse(text)
  // Notifications have no answer, but their sender sees that they were refused.
  const answers = joinAnswers(elements, isBatch) ?? errorAnswer('null', text)
  return { status, text: answers, credits: 0, admission, outcome }
}
