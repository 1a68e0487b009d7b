import { errorCodes, errorText, type RpcError } from '../errors.ts'
import { idInBatch } from '../../platform/request-id.ts'
import type { Item } from '../item.ts'
import { withoutSecrets } from '../upstreams/secrets.ts'
import type { EndpointRoute } from './endpoint-route.ts'
import type { UpstreamFailure, RequestPlan, UpstreamOutcome, Waiter } from './upstream-request.ts'

/**
 * Gets the items of one request answered; those that no upstream answered are refused. Says why not, at once where
 * nobody has to be asked.
 */
export function forward(
  items: readonly Item[],
  route: EndpointRoute,
  { keyId, deadlineAt, waiter }: Asking,
): UpstreamFailure | null | Promise<UpstreamFailure | null> {
  const asked: Item[] = []
  for (const item of items) if (!isAnsweredAtOnce(item, route)) asked.push(item)
  if (asked.length === 0) return null
  return route
    .ask(planOf(asked, keyId, deadlineAt), waiter)
    .then((outcome) => takeOutcome(asked, outcome, route))
}

/** Who asks. */
export interface Asking {
  readonly keyId: string
  /** By the monotonic clock, ms. */
  readonly deadlineAt: number
  readonly waiter: Waiter | null
}

/** By what an upstream answered earlier and would answer again. */
function isAnsweredAtOnce(item: Item, route: EndpointRoute): boolean {
  const result = route.lasting.find(item)
  if (result === null) return false
  item.takeResult(result)
  route.countCached()
  return true
}

/** A batch is as careful as the most delicate of its calls. */
function planOf(items: readonly Item[], keyId: string, deadlineAt: number): RequestPlan {
  const [first] = items
  let isRead = true
  let stickyFor: string | null = null
  for (const { facts } of items) {
    if (facts.kind !== 'read') isRead = false
    if (facts.kind === 'stateful') stickyFor = keyId
  }
  const { length: count } = items
  if (count > 1 || first === undefined) {
    const bodyWith = (prefix: string): string => batchText(items, prefix)
    return { bodyWith, count, isRead, stickyFor, question: null, deadlineAt }
  }
  const bodyWith = (id: string): string => first.requestAs(id)
  return { bodyWith, count: null, isRead, stickyFor, question: isRead ? first : null, deadlineAt }
}

const batchText = (items: readonly Item[], prefix: string): string =>
  `[${items.map((item, place) => item.requestAs(idInBatch(prefix, place))).join(',')}]`

function takeOutcome(
  items: readonly Item[],
  outcome: UpstreamOutcome,
  route: EndpointRoute,
): UpstreamFailure | null {
  if (outcome.kind === 'failed') {
    const error = errorText(unansweredError(outcome.failure))
    for (const item of items) item.refuse(error)
    return outcome.failure
  }
  const { answers, from } = outcome
  let answered = 0
  for (let place = 0; place < items.length; place++) {
    const item = items[place]
    const answer = answers[place] ?? null
    if (item === undefined) continue
    if (answer === null) {
      item.refuse(leftOutError)
      continue
    }
    answered++
    if (answer.isError) {
      item.takeError(withoutSecrets(answer.text, from.secrets))
    } else {
      item.takeResult(answer.text)
      route.lasting.learn(item, answer.text, from.place)
    }
  }
  return answered > 0 ? null : 'not-json-rpc'
}

const leftOutError = errorText({
  code: errorCodes.unavailable,
  message: 'the node left this call of the batch unanswered; it was not charged, and may be sent again',
  reason: 'upstream_error',
})

const isTimeout = (failure: UpstreamFailure): boolean => failure === 'timeout'

export const statusOf = (failure: UpstreamFailure): number => {
  if (failure === 'busy' || failure === 'stopped') return 503
  return isTimeout(failure) ? 504 : 502
}

function unansweredError(failure: UpstreamFailure): RpcError {
  const { unavailable: code } = errorCodes
  if (isTimeout(failure)) {
    return { code, message: 'no node answered in time; the call was not charged', reason: 'upstream_timeout' }
  }
  if (failure === 'busy' || failure === 'stopped') {
    return { code, message: 'all nodes are busy; the call was not charged, try again', reason: 'unavailable' }
  }
  return { code, message: 'no node could answer; the call was not charged', reason: 'upstream_error' }
}
