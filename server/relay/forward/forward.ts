import { errorCodes, errorText, type RpcError } from '../errors.ts'
import type { Item } from '../item.ts'
import { withoutSecrets } from '../upstreams/secrets.ts'
import { singleId } from '../answers/answer-reader.ts'
import type { EndpointRoute } from './endpoint-route.ts'
import type { ErrandFailure, ErrandOrder, ErrandOutcome, Waiter } from './errand.ts'

/**
 * Gets the items of one request answered; those that no upstream answered are refused. Says why not, at once where
 * nobody has to be asked.
 */
export function forward(
  items: readonly Item[],
  route: EndpointRoute,
  { keyId, deadlineAt, waiter }: Asking,
): ErrandFailure | null | Promise<ErrandFailure | null> {
  const asked: Item[] = []
  for (const item of items) if (!isAnsweredAtOnce(item, route)) asked.push(item)
  if (asked.length === 0) return null
  return route
    .ask(orderOf(asked, keyId, deadlineAt), waiter)
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
function orderOf(items: readonly Item[], keyId: string, deadlineAt: number): ErrandOrder {
  const [first] = items
  let isRead = true
  let stickyFor: string | null = null
  for (const { facts } of items) {
    if (facts.kind !== 'read') isRead = false
    if (facts.kind === 'stateful') stickyFor = keyId
  }
  if (items.length > 1 || first === undefined) {
    const body = batchText(items)
    return { body, count: items.length, isRead, stickyFor, question: null, deadlineAt }
  }
  const body = first.requestAs(singleId)
  return { body, count: null, isRead, stickyFor, question: isRead ? first : null, deadlineAt }
}

/** The ids are places from 1 on: see `readBatch`. */
const batchText = (items: readonly Item[]): string =>
  `[${items.map((item, place) => item.requestAs(String(place + 1))).join(',')}]`

function takeOutcome(
  items: readonly Item[],
  outcome: ErrandOutcome,
  route: EndpointRoute,
): ErrandFailure | null {
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

const isTimeout = (failure: ErrandFailure): boolean => failure === 'timeout'

export const statusOf = (failure: ErrandFailure): number => {
  if (failure === 'busy' || failure === 'stopped') return 503
  return isTimeout(failure) ? 504 : 502
}

function unansweredError(failure: ErrandFailure): RpcError {
  const { unavailable: code } = errorCodes
  if (isTimeout(failure)) {
    return { code, message: 'no node answered in time; the call was not charged', reason: 'upstream_timeout' }
  }
  if (failure === 'busy' || failure === 'stopped') {
    return { code, message: 'all nodes are busy; the call was not charged, try again', reason: 'unavailable' }
  }
  return { code, message: 'no node could answer; the call was not charged', reason: 'upstream_error' }
}
