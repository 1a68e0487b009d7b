import { idInBatch } from '../../platform/request-id.ts'
import { errorCodes, type RpcError, rpcErrorText } from '../errors.ts'
import type { RpcCall } from '../rpc-call.ts'
import { withoutSecrets } from '../upstreams/secrets.ts'
import type { EndpointRoute } from './routes.ts'
import type { RequestPlan, UpstreamFailure, UpstreamOutcome, Waiter } from './upstream-request.ts'

/**
 * Gets the calls of one request answered, and rejects those that no upstream answered. Returns why none was answered,
 * null when one was; without a promise where no upstream has to be called.
 */
export function forward(
  calls: readonly RpcCall[],
  route: EndpointRoute,
  { keyId, deadlineAt, waiter }: ForwardContext,
): UpstreamFailure | null | Promise<UpstreamFailure | null> {
  const uncached: RpcCall[] = []
  for (const call of calls) if (!isAnsweredFromCache(call, route)) uncached.push(call)
  if (uncached.length === 0) return null
  return route
    .request(planOf(uncached, keyId, deadlineAt), waiter)
    .then((outcome) => setAnswers(uncached, outcome, route))
}

/** The request that the calls belong to. */
export interface ForwardContext {
  readonly keyId: string
  /** When the last answer must be there, in ms of the monotonic clock. */
  readonly deadlineAt: number
  readonly waiter: Waiter | null
}

function isAnsweredFromCache(call: RpcCall, route: EndpointRoute): boolean {
  const result = route.results.find(call)
  if (result === null) return false
  call.setResult(result)
  route.countCached()
  return true
}

/** A batch is as careful as the most delicate of its calls. */
function planOf(calls: readonly RpcCall[], keyId: string, deadlineAt: number): RequestPlan {
  const [first] = calls
  let isRead = true
  let stickyFor: string | null = null
  for (const { facts } of calls) {
    if (facts.kind !== 'read') isRead = false
    if (facts.kind === 'filter') stickyFor = keyId
  }
  const { length: count } = calls
  if (count > 1 || first === undefined) {
    const bodyWith = (prefix: string): string => batchText(calls, prefix)
    return { bodyWith, count, isRead, stickyFor, coalescingKey: null, deadlineAt }
  }
  const bodyWith = (id: string): string => first.requestAs(id)
  return { bodyWith, count: null, isRead, stickyFor, coalescingKey: isRead ? first : null, deadlineAt }
}

const batchText = (calls: readonly RpcCall[], prefix: string): string =>
  `[${calls.map((call, index) => call.requestAs(idInBatch(prefix, index))).join(',')}]`

function setAnswers(
  calls: readonly RpcCall[],
  outcome: UpstreamOutcome,
  route: EndpointRoute,
): UpstreamFailure | null {
  if (outcome.kind === 'failed') {
    const error = rpcErrorText(unansweredError(outcome.failure))
    for (const call of calls) call.reject(error)
    return outcome.failure
  }
  const { answers, from } = outcome
  let answered = 0
  for (let index = 0; index < calls.length; index++) {
    const call = calls[index]
    const answer = answers[index] ?? null
    if (call === undefined) continue
    if (answer === null) {
      call.reject(leftOutError)
      continue
    }
    answered++
    if (answer.isError) {
      call.setError(withoutSecrets(answer.text, from.secrets))
    } else {
      call.setResult(answer.text)
      route.results.store(call, answer.text, from.index)
    }
  }
  return answered > 0 ? null : 'not-json-rpc'
}

const leftOutError = rpcErrorText({
  code: errorCodes.unavailable,
  message: 'the node left this call of the batch unanswered; it was not charged, and may be sent again',
  reason: 'upstream_error',
})

const isTimeout = (failure: UpstreamFailure): boolean => failure === 'timeout'

/** Returns the status of the HTTP response to a request that no upstream answered. */
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
