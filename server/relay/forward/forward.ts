import { errorCodes, type RpcError, rpcErrorText } from '../errors.ts'
import { tryAgainIn } from '../../platform/try-again-in.ts'
import type { RpcCall } from '../rpc-call.ts'
import { observeAnswer } from '../tip/observe-answer.ts'
import { withoutSecrets } from '../upstreams/secrets.ts'
import type { EntryClasses, UpstreamFailure } from './attempt-class.ts'
import type { EndpointRoute } from './endpoint-route.ts'
import { OwnCall } from './own-call.ts'
import { forwardBlocks, type SendCalls } from './forward-blocks.ts'
import { divideLogs } from './forward-logs.ts'
import { forwardTransaction, sendMethod } from './forward-transaction.ts'
import { type ForwardContext, planOf } from './request-plan.ts'
import type { UpstreamOutcome } from './upstream-request.ts'

/**
 * Gets the calls of one request answered, and rejects those that no upstream answered. Returns why none was answered,
 * null when one was; without a promise where no upstream has to be called.
 */
export function forward(
  calls: readonly RpcCall[],
  route: EndpointRoute,
  context: ForwardContext,
): UpstreamFailure | null | Promise<UpstreamFailure | null> {
  const uncached: RpcCall[] = []
  let isPlain = true
  for (const call of calls) {
    if (call.facts.cache !== null && route.answerFromCache(call)) continue
    uncached.push(call)
    if (!isSentAsItIs(call, route)) isPlain = false
    else if (call.facts.cache !== null && route.results.mayBeShared(call)) isPlain = false
  }
  if (uncached.length === 0) return null
  const failure = isPlain
    ? route
        .request(planOf(uncached, context, 0), context.waiter)
        .then((outcome) => setAnswers(uncached, outcome, route, context))
    : forwardByKind(uncached, route, context)
  return uncached.length === calls.length ? failure : failure.then(() => null)
}

/** Tells whether a call goes to one node, with the parameters that it came with, and its answer is that of the node. */
function isSentAsItIs({ method, facts: { blockUse } }: RpcCall, route: EndpointRoute): boolean {
  if (blockUse === null) return method !== sendMethod
  return route.tip === null && blockUse.kind !== 'logs'
}

async function forwardByKind(
  uncached: readonly RpcCall[],
  route: EndpointRoute,
  context: ForwardContext,
): Promise<UpstreamFailure | null> {
  const calls = await answerFromStore(uncached, route)
  const send: SendCalls = async (sent, without = 0) => {
    const outcome = await route.request(planOf(sent, context, without), context.waiter)
    return await setAnswers(sent, outcome, route, context)
  }
  const transactions = calls.filter(({ method }) => method === sendMethod)
  const others = calls.filter(({ method }) => method !== sendMethod)
  const failures = await Promise.all([
    ...transactions.map((call) => forwardTransaction(call, context.keyId, route, send)),
    forwardOthers(others, route, send),
  ])
  return uncached.some(isAnswered) ? null : (failures.find((failure) => failure !== null) ?? null)
}

/** Answers what other processes have kept. Returns the calls that a node has to answer. */
async function answerFromStore(calls: readonly RpcCall[], route: EndpointRoute): Promise<readonly RpcCall[]> {
  const shared = calls.filter((call) => call.facts.cache !== null && route.results.mayBeShared(call))
  if (shared.length === 0) return calls
  const found = await route.results.findShared(shared)
  for (const [index, call] of shared.entries()) route.answerFromCache(call, found[index] ?? null)
  return calls.filter(({ isCached }) => !isCached)
}

async function forwardOthers(
  calls: readonly RpcCall[],
  route: EndpointRoute,
  send: SendCalls,
): Promise<UpstreamFailure | null> {
  if (calls.length === 0) return null
  // Those that are known to be too large, and then those that have turned out to be.
  for (const call of calls) await divideLogs(call, route, send)
  const open = calls.filter(({ outcome }) => outcome === 'unanswered')
  if (open.length === 0) return null
  const { tip } = route
  const failure = tip === null ? await send(open) : await forwardBlocks(open, route, tip, send)
  for (const call of open) await divideLogs(call, route, send)
  return failure
}

/** Sets the answers that came, and asks other nodes for those that did not. */
function setAnswers(
  calls: readonly RpcCall[],
  outcome: UpstreamOutcome,
  route: EndpointRoute,
  context: ForwardContext,
): UpstreamFailure | null | Promise<UpstreamFailure | null> {
  if (outcome.kind === 'failed' && outcome.failure === 'batch-refused' && calls.length > 1) {
    return divideBatch(calls, route, context)
  }
  if (outcome.kind === 'failed') {
    const error = rpcErrorText(unansweredError(outcome.failure, route.waitMs(calls)))
    for (const call of calls) if (call.answer === '') call.reject(error)
    return calls.some(isAnswered) ? null : outcome.failure
  }
  const { classes, tried, isLast } = outcome
  for (let index = 0; index < calls.length; index++) setAnswer(calls[index], index, outcome, route)
  const open = isLast || classes === null ? [] : calls.filter((call, index) => mayMend(call, classes, index))
  if (open.length === 0) return calls.some(isAnswered) ? null : 'not-json-rpc'
  return route
    .request(planOf(open, context, tried), context.waiter)
    .then((next) => setAnswers(open, next, route, context))
    .then((failure) => (calls.some(isAnswered) ? null : failure))
}

/** So many parts of a batch are under way at a time. */
const partsAtOnce = 8

/** Sends a batch that no node takes in parts that one of them takes. */
async function divideBatch(
  calls: readonly RpcCall[],
  route: EndpointRoute,
  context: ForwardContext,
): Promise<UpstreamFailure | null> {
  const most = route.longestPart(calls)
  const parts: (readonly RpcCall[])[] = []
  for (let from = 0; from < calls.length; from += most) parts.push(calls.slice(from, from + most))
  const failures: (UpstreamFailure | null)[] = []
  const work = async (): Promise<void> => {
    for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
      const outcome = await route.request(planOf(part, context, 0), context.waiter)
      failures.push(await setAnswers(part, outcome, route, context))
    }
  }
  await Promise.all(Array.from({ length: partsAtOnce }, work))
  return calls.some(isAnswered) ? null : (failures.find((failure) => failure !== null) ?? null)
}

const isAnswered = ({ outcome }: RpcCall): boolean => outcome !== 'unanswered'

/** A call that may change something is sent again only if the node has said that it has done nothing with it. */
function mayMend({ facts }: RpcCall, classes: EntryClasses, index: number): boolean {
  const entryClass = classes[index]
  if (entryClass === 'answer') return false
  return facts.kind === 'read' || entryClass === 'limit' || entryClass === 'unsupported'
}

function setAnswer(
  call: RpcCall | undefined,
  index: number,
  { answers, classes, from }: Extract<UpstreamOutcome, { kind: 'answers' }>,
  route: EndpointRoute,
): void {
  if (call === undefined) return
  const answer = answers[index] ?? null
  const entryClass = classes === null ? 'answer' : (classes[index] ?? null)
  if (call.served !== null) call.served.isMissing = entryClass === 'missing-data'
  if (answer === null || entryClass === null) return rejectUnlessAnswered(call, leftOutError)
  if (entryClass === 'limit') return rejectUnlessAnswered(call, limitedError(route.waitMs([call])))
  if (entryClass === 'node-failure') return rejectUnlessAnswered(call, failedError)
  if (answer.isError) return call.setError(withoutSecrets(answer.text, from.secrets))
  call.setResult(answer.text)
  if (entryClass !== 'answer') return
  const { served, facts } = call
  // A node that is behind may speak of a branch that was replaced.
  const hasNewest = route.tip?.has(from.index, route.tip.height('latest') ?? 0)
  if (served !== null && hasNewest === false) served.view = null
  const isKept = facts.cache !== null || facts.blockUse?.kind === 'head'
  if (isKept && !(call instanceof OwnCall)) route.results.store(call, answer.text)
  if (served === null || route.tip === null) return
  served.newest = observeAnswer(route.tip, { ...served, method: call.method }, answer.text, from.index)
}

/** What an earlier node said is more than what this one did not. */
function rejectUnlessAnswered(call: RpcCall, error: string): void {
  if (!isAnswered(call)) call.reject(error)
}

const leftOutError = rpcErrorText({
  code: errorCodes.unavailable,
  message: 'the node left this call of the batch unanswered; it was not charged, and may be sent again',
  reason: 'upstream_error',
})

/** Returns the status of the HTTP response to a request that no upstream answered. */
export const statusOf = (failure: UpstreamFailure): number => {
  if (failure === 'busy' || failure === 'stopped' || failure === 'limited' || failure === 'spent') return 503
  if (failure === 'call-failure') return 413
  return failure === 'timeout' ? 504 : 502
}

const { unavailable: code } = errorCodes

/** `waitMs`: after how long the first upstream may be called again that limits us or has no budget. */
export function unansweredError(failure: UpstreamFailure, waitMs: number): RpcError {
  switch (failure) {
    case 'timeout':
      return {
        code,
        message: 'no node answered in time; the call was not charged',
        reason: 'upstream_timeout',
      }
    case 'busy':
    case 'stopped':
      return {
        code,
        message: 'all nodes are busy; the call was not charged, try again',
        reason: 'unavailable',
      }
    case 'limited':
      return upstreamLimited(waitMs)
    case 'spent':
      return budgetsSpent(waitMs)
    case 'too-large':
      return answerTooLarge
    case 'call-failure':
      return tooLargeForNodes
    default:
      return noAnswer
  }
}

const noAnswer: RpcError = {
  code,
  message: 'no node could answer; the call was not charged, try again',
  reason: 'upstream_error',
}
const failedError = rpcErrorText(noAnswer)

const refusedFor =
  (reason: 'upstream_limited' | 'upstream_budget_spent', what: string) =>
  (retryAfterMs: number): RpcError => ({
    code,
    message: `${what}, ${tryAgainIn(retryAfterMs)}`,
    reason,
    retryAfterMs,
  })

const upstreamLimited = refusedFor(
  'upstream_limited',
  'all nodes refuse further calls for now; the call was not charged',
)
const budgetsSpent = refusedFor('upstream_budget_spent', 'the budgets of all nodes are spent; not charged')
const limitedError = (retryAfterMs: number): string => rpcErrorText(upstreamLimited(retryAfterMs))

const tooLargeForNodes: RpcError = {
  code,
  message: 'the nodes do not take a request of this size; the call was not charged, send less at a time',
  reason: 'too_large_for_nodes',
}

const answerTooLarge: RpcError = {
  code,
  message: 'the answer is larger than this relay passes on; the call was not charged, ask for less at a time',
  reason: 'answer_too_large',
}
