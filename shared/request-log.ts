import * as z from 'zod/mini'

import type { Decision } from './health.ts'
import { EpochMs } from './instants.ts'
import { idText, text } from './text.ts'

/** What became of a request, with the group that people filter by. */
export const requestClasses = {
  answer: 'answered',
  cache: 'answered',
  // A node answered with a JSON-RPC error, such as a reverted call.
  error: 'answered',
  'rate-limit': 'refused',
  'credits-limit': 'refused',
  'ip-not-allowed': 'refused',
  'domain-not-allowed': 'refused',
  'method-refused': 'refused',
  invalid: 'refused',
  // Some calls of a batch have no answer.
  partial: 'failed',
  timeout: 'failed',
  busy: 'failed',
  'upstream-limited': 'failed',
  'too-large': 'failed',
  'no-answer': 'failed',
  unavailable: 'failed',
} as const

export type RequestClass = keyof typeof requestClasses
export const requestGroups = ['answered', 'failed', 'refused'] as const
export type RequestGroup = (typeof requestGroups)[number]

const classNames = Object.keys(requestClasses).filter((name): name is RequestClass => name in requestClasses)
const RequestClassName = z.enum(classNames)

/** One attempt at an upstream. */
export const RequestAttempt = z.object({
  upstream: z.string(),
  // Why the attempt has no answer; `answer` where it has one.
  class: z.string(),
  ms: z.number(),
  // When it began, in ms from the beginning of the request; not in entries from before it was kept.
  from: z.optional(z.number()),
  // It was made for an equal call at the same time, whose answer this one waited for; counted there.
  isShared: z.optional(z.literal(true)),
})
export type RequestAttempt = z.infer<typeof RequestAttempt>

/** One request with calls, as the log keeps it. `at` is the instant of its answer, in epoch ms. */
export const RequestEntry = z.object({
  id: z.string(),
  at: z.number(),
  keyId: z.string(),
  endpoint: z.string(),
  // Of the first call; null where the request holds none.
  method: z.nullable(z.string()),
  calls: z.int(),
  class: RequestClassName,
  status: z.int(),
  ms: z.number(),
  attempts: z.array(RequestAttempt),
  bytesIn: z.int(),
  bytesOut: z.int(),
  credits: z.number(),
  requestId: z.nullable(z.string()),
  // How many requests of its kind it stands for, itself included: more than one while the log samples.
  weight: z.int(),
  // Of its calls, without credentials and cut off; only while the owner has the log keep them for this key.
  params: z.optional(z.string()),
})
export type RequestEntry = z.infer<typeof RequestEntry>

/** Requests that the log could not keep, because the disk or the memory for it was full. */
export const RequestGap = z.object({ id: z.string(), at: z.number(), notKept: z.int() })
export type RequestGap = z.infer<typeof RequestGap>

export const LoggedRequest = z.union([RequestEntry, RequestGap])
export type LoggedRequest = z.infer<typeof LoggedRequest>

/** What the log keeps of each account. */
export const requestLogBounds = {
  keptHours: 24,
  /** So many requests of a kind are kept in a second, and above that one in `oneIn`. */
  wholePerSecond: { answered: 20, failed: 200, refused: 200 },
  oneIn: 10,
  pageSize: 100,
  /** So many characters of the parameters of a request are kept while its key is debugged. */
  paramsChars: 2_048,
} as const

/** Restricts what is shown; absent members do not. */
const filterFields = {
  keyId: z.optional(idText(64)),
  endpoint: z.optional(text({ max: 64 })),
  method: z.optional(text({ max: 128 })),
  group: z.optional(z.enum(requestGroups)),
  // Only what was sent to this upstream, whatever came of it.
  upstream: z.optional(text({ max: 128 })),
  status: z.optional(z.int().check(z.minimum(100), z.maximum(599))),
  requestId: z.optional(idText(128)),
  from: z.optional(EpochMs),
  to: z.optional(EpochMs),
} as const
export const RequestFilter = z.strictObject(filterFields)
export type RequestFilter = z.infer<typeof RequestFilter>

/** Of an account, or for operators of all (`all: true`). */
const scope = { account: z.optional(idText(200)), all: z.optional(z.boolean()) } as const

/** `before` is the `nextCursor` of the page before. */
export const RequestQuery = z.strictObject({
  ...filterFields,
  ...scope,
  before: z.optional(text({ max: 64 })),
  limit: z.optional(z.int().check(z.minimum(1), z.maximum(requestLogBounds.pageSize))),
})
export type RequestQuery = z.infer<typeof RequestQuery>

export const RequestLiveQuery = z.strictObject({
  ...filterFields,
  ...scope,
  lastEventId: z.optional(text({ min: 0, max: 100 })),
})

export const RequestCountsQuery = z.strictObject({ ...filterFields, ...scope, from: EpochMs })

/** A logged request with what people need to recognise it. */
export type ShownRequest = LoggedRequest & {
  readonly accountId: string
  /** Null where it cannot be told now. */
  readonly keyName: string | null
}

/** The decision of now about an upstream that is a monitored service. */
export interface UpstreamHealth {
  readonly endpoint: string
  readonly upstream: string
  readonly serviceId: string
  readonly decision: Decision
}

/** Whose requests an answer is of: those of every process of the installation, but for the silent ones. */
export interface AskedProcesses {
  /** How many processes there are, the one that answers included. */
  readonly processes: number
  /** Those that did not answer, so that their requests are missing: their ids, with their addresses for operators. */
  readonly silent: readonly string[]
}

/** What an answer lacks; null: nothing. */
export function missingRequests({ processes, silent }: AskedProcesses): string | null {
  if (silent.length === 0) return null
  const named = silent.length === 1 ? 'one' : `${silent.length}`
  return `Requests of ${named} of ${processes} processes are missing, which did not answer: ${silent.join(', ')}.`
}

export interface RequestPage extends AskedProcesses {
  /** The newest first. */
  readonly requests: readonly ShownRequest[]
  readonly nextCursor: string | null
  readonly health: readonly UpstreamHealth[]
}

/** What was logged since the event before, or a change of the processes that answer. */
export interface LiveRequests extends AskedProcesses {
  /** The newest last. */
  readonly requests: readonly ShownRequest[]
  /** How many more there were than one event holds. */
  readonly left: number
  readonly health: readonly UpstreamHealth[]
}

export interface RequestHistory extends AskedProcesses {
  /** Of equal stretches, the oldest first. */
  readonly counts: readonly RequestCounts[]
}

/** The numbers of requests in one stretch of time, as far as the log has kept them or counts for them. */
export const RequestCounts = z.object({
  at: z.number(),
  answered: z.number(),
  failed: z.number(),
  refused: z.number(),
})
export type RequestCounts = z.infer<typeof RequestCounts>

export const isGap = (request: LoggedRequest): request is RequestGap => 'notKept' in request

/** A call of a request, as far as its parameters may be kept. */
export interface CallEntry {
  readonly method: string | null
  /** JSON; absent where the call was refused. */
  readonly params?: string
  readonly facts?: { readonly kind: string }
}

/** A request with calls that was answered, as the request log receives it. */
export interface FinishedRequest {
  /** When it and its attempts began, in ms of one monotonic clock. */
  readonly startedAt: number
  readonly key: {
    readonly id: string
    readonly accountId: string
    readonly endpoint: string
    /** Until then the parameters of calls are kept; null: they are not. */
    readonly debugEndsAt: number | null
  }
  /** Empty for a key whose parameters are not kept. */
  readonly entries: readonly CallEntry[]
  /** Of the first call; null where the request holds none. */
  readonly method: string | null
  readonly calls: number
  readonly class: RequestClass
  /** Of the HTTP response, also to a message of a WebSocket. */
  readonly status: number
  readonly tookMs: number
  readonly attempts: readonly (Omit<RequestAttempt, 'from'> & { readonly startedAt: number })[]
  readonly bytesIn: number
  readonly bytesOut: number
  readonly credits: number
  /** Null in a WebSocket. */
  readonly requestId: string | null
}
