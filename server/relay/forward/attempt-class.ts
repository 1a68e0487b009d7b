import type { Family } from '../../../shared/chains.ts'
import { classifyError, classOfStatus } from '../classify/classify.ts'
import type { AnswerClass } from '../classify/error-rules.ts'
import type { SendFailure } from '../../platform/http-client/pooled-connection.ts'
import { retryAfterOf } from '../../platform/retry-after.ts'
import { isEmptyResult, type UpstreamAnswer, type UpstreamResponse } from '../upstreams/upstream-response.ts'

/** Why an attempt, or a whole upstream request, has no answer. */
export type UpstreamFailure =
  | SendFailure
  | 'redirect'
  | 'status'
  | 'not-json-rpc'
  | 'node-failure' // a JSON-RPC error that speaks against the node
  | 'limited'
  | 'spent' // the budgets of all upstreams are: nothing was sent
  | 'call-failure' // 413, which speaks against the call, without words
  | 'batch-refused' // no node takes so many calls at once

/** What became of an attempt, as metrics and the record of a call name it. */
export const attemptClasses = [
  'answer',
  'node-failure',
  'call-failure',
  'limit',
  'missing-data',
  'unsupported',
  'malformed', // no JSON-RPC, no HTTP, an answer to another call, or two answers
  'too-large',
  'decompression-bomb',
  'unreachable',
  'certificate',
  'timeout',
  'unsent', // given up here
] as const

export type AttemptClass = (typeof attemptClasses)[number]

export const classOfFailure: Readonly<Record<UpstreamFailure, AttemptClass>> = {
  'refused-address': 'unreachable',
  connect: 'unreachable',
  closed: 'unreachable',
  certificate: 'certificate',
  malformed: 'malformed',
  'not-json-rpc': 'malformed',
  'too-large': 'too-large',
  'decompression-bomb': 'decompression-bomb',
  timeout: 'timeout',
  busy: 'unsent',
  stopped: 'unsent',
  redirect: 'node-failure',
  status: 'node-failure',
  'node-failure': 'node-failure',
  limited: 'limit',
  spent: 'unsent',
  'call-failure': 'call-failure',
  'batch-refused': 'unsupported',
}

/** Failures that do not speak against the node. */
const blameless: ReadonlySet<UpstreamFailure> = new Set([
  'stopped',
  'busy',
  'too-large',
  'limited',
  'spent',
  'call-failure',
  'batch-refused',
])

export const speaksAgainstNode = (failure: UpstreamFailure): boolean => !blameless.has(failure)

const outages: ReadonlySet<UpstreamFailure> = new Set([
  'connect',
  'certificate',
  'closed',
  'malformed',
  'decompression-bomb',
  'status',
  'not-json-rpc',
  'node-failure',
])

/**
 * Tells whether a failure suggests that a service is out of order. Time-outs do not, since a call may be too costly; nor
 * do rate limits, since another request would make them worse.
 */
export const suggestsOutage = (failure: UpstreamFailure): boolean => outages.has(failure)

/** One call of a request, as far as its answer is judged by it. */
export interface JudgedCall {
  readonly method: string
  /** The JSON text of the parameters. */
  readonly params: string
  /** The price, for the budgets of upstreams. */
  readonly credits?: number
}

/** What equal calls have in common. */
export interface SharedCall extends JudgedCall {
  /** The block that their node must have: who was told of a newer one than a call in flight is not content with its answer. */
  readonly height?: number | undefined
  /** The key whose own node is asked: what that says is not for other keys. */
  readonly stickyFor?: string | null
}

/** What a batch's answers amount to, one by one; null where the node left a call out. */
export type EntryClasses = readonly (AnswerClass | null)[]

/** What the answers of a response amount to. */
export type JudgedResponse =
  /** There is an answer to at least one call; `classes` is null when all of them are answers. */
  | { readonly kind: 'answers'; readonly classes: EntryClasses | null }
  /** Another node may know more; where none does, these answers are passed on. */
  | {
      readonly kind: 'useless'
      readonly class: 'missing-data' | 'call-failure' | 'unsupported'
      readonly classes: EntryClasses
    }
  /** `isRefused`: the node has done nothing with the calls, so that any call may be sent elsewhere. */
  | { readonly kind: 'failed'; readonly failure: UpstreamFailure; readonly isRefused: boolean }

/** A response that shows a node at work. */
export type AnsweredResponse = Exclude<JudgedResponse, { kind: 'failed' }>

export interface Judging {
  readonly family: Family
  readonly calls: readonly JudgedCall[]
  /** Tells whether another node may have what this one answers with nothing. */
  readonly mayLack: (call: JudgedCall) => boolean
}

/** One attempt for a call, as a log of calls shows it. */
export interface AttemptRecord {
  readonly upstream: string
  readonly class: AttemptClass
  readonly ms: number
  /** In ms of the monotonic clock. */
  readonly startedAt: number
  /** It was made for an equal call, whose answer was waited for. */
  readonly isShared?: true
}

export const allAnswered: JudgedResponse = { kind: 'answers', classes: null }

export function judgeResponse(response: UpstreamResponse, judging: Judging): JudgedResponse {
  const { status, answers } = response
  if (answers === null) return judgeStatus(response, judging.family)
  const classes = answers.map((answer, index) => classOf(answer, judging.calls[index], status, judging))
  return classes.every((each) => each === 'answer') ? allAnswered : judgeEntries(status, classes)
}

/** The class of a response is that of its most useful entry. */
const byUse: readonly AnswerClass[] = [
  'answer',
  'missing-data',
  'call-failure',
  'unsupported',
  'limit',
  'node-failure',
]

function judgeEntries(status: number, classes: EntryClasses): JudgedResponse {
  const best = byUse.find((each) => classes.includes(each))
  switch (best) {
    case 'answer':
      return { kind: 'answers', classes }
    case 'missing-data':
    case 'call-failure':
    case 'unsupported':
      return { kind: 'useless', class: best, classes }
    case 'limit':
      return { kind: 'failed', failure: 'limited', isRefused: true }
    case 'node-failure':
      return { kind: 'failed', failure: 'node-failure', isRefused: isRefusal(status) }
    default:
      return { kind: 'failed', failure: 'not-json-rpc', isRefused: false }
  }
}

function judgeStatus({ status }: UpstreamResponse, family: Family): JudgedResponse {
  const failed = (failure: UpstreamFailure): JudgedResponse => ({
    kind: 'failed',
    failure,
    isRefused: isRefusal(status),
  })
  if (status < 300) return failed('not-json-rpc')
  if (status < 400) return failed('redirect')
  const byStatus = classOfStatus(family, status)
  if (byStatus === 'limit') return failed('limited')
  return failed(byStatus === 'call-failure' ? 'call-failure' : 'status')
}

/** Statuses with which a call is refused before anything is done with it. */
const isRefusal = (status: number): boolean =>
  status === 401 || status === 402 || status === 403 || status === 407 || status === 413 || status === 429

function classOf(
  answer: UpstreamAnswer | null,
  call: JudgedCall | undefined,
  status: number,
  { family, mayLack }: Judging,
): AnswerClass | null {
  if (answer === null || call === undefined) return null
  const { method, params } = call
  if (answer.isError) return classifyError({ family, status, error: answer.text, method, params })
  const byStatus = classOfStatus(family, status)
  if (byStatus !== null) return byStatus
  return isEmptyResult(answer) && mayLack(call) ? 'missing-data' : 'answer'
}

/** Infura says so in `data.rate`, another relay like this one in `data`. */
const pauseInBody = /"(?:backoff_seconds"\s*:\s*(\d{1,6})|retryAfterMs"\s*:\s*(\d{1,9}))/

/** Returns how long a node that limits us asks to be left alone, in ms; null where it does not say. */
export function limitPauseOf({ fields, text }: UpstreamResponse): number | null {
  const byHeader = retryAfterOf(new Headers(fields.map(([name, value]): [string, string] => [name, value])))
  if (byHeader !== null) return byHeader
  const [, seconds, ms] = pauseInBody.exec(text.slice(0, 2_000)) ?? []
  if (seconds !== undefined) return Number(seconds) * 1_000
  return ms === undefined ? null : Number(ms)
}
