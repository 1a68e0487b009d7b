import * as z from 'zod/mini'

import { EpochMs } from './instants.ts'
import { idText, text } from './text.ts'
import { statisticsBounds } from './usage.ts'

/** What became of a call of a tool, with the group that people filter by. */
export const toolCallOutcomes = {
  ok: 'answered',
  // The tool server asks the caller something first.
  input_required: 'answered',
  // A result with `isError`, or a JSON-RPC error of the tool server.
  tool_error: 'tool_error',
  refused: 'tool_error',
  // A rule forbids it: nothing was sent.
  denied: 'denied',
  unanswered: 'failed',
  failed: 'failed',
  service_gone: 'failed',
  origin_changed: 'failed',
  auth_required: 'failed',
  consent_needed: 'failed',
  unreachable: 'failed',
  timed_out: 'failed',
  too_large: 'failed',
  protocol_error: 'failed',
  busy: 'failed',
  cancelled: 'failed',
} as const

export type ToolCallOutcome = keyof typeof toolCallOutcomes
export const toolCallGroups = ['answered', 'tool_error', 'failed', 'denied'] as const
export type ToolCallGroup = (typeof toolCallGroups)[number]

export const toolCallOutcomeNames = Object.keys(toolCallOutcomes).filter(
  (name): name is ToolCallOutcome => name in toolCallOutcomes,
)

/** What is kept of the calls of tools. */
export const toolCallBounds = {
  /** Single calls, and at most so many of an account. */
  keptDays: 7,
  keptCalls: 50_000,
  /** So many calls of a group are kept in a second, and above that one in `oneIn`. All are counted. */
  wholePerSecond: 20,
  oneIn: 10,
  /** What became of calls, by tool. */
  outcomeDays: 30,
  /** Arguments and results, where the owner of a connection has them kept: for how long, and how much of each. */
  contentHours: 24,
  contentChars: 16_384,
  /** For so many hours an owner may have them kept. */
  contentHoursChoices: [1, 24, 168],
  pageSize: 100,
} as const

/** The account under which the calls of callers without a key are counted, and the key of callers that have none. */
export const anonymousAccount = 'anonymous'
export const noKey = 'none'

/** One call of a tool, as the log keeps it. `at` is the instant at which it ended, in epoch ms. */
export interface ToolCallEntry {
  readonly id: string
  readonly at: number
  readonly accountId: string
  readonly keyId: string
  /** Tells sessions apart, and is none; empty when the call belongs to none. */
  readonly session: string
  readonly server: string
  readonly serverName: string
  readonly chain: string
  readonly connectionId: string
  readonly tool: string
  readonly door: string
  readonly outcome: ToolCallOutcome
  /** The rule that denied it. */
  readonly deniedBy: string | null
  readonly ms: number
  readonly bytesSent: number
  readonly bytesReceived: number
  readonly credits: number
  /** How many calls of its kind it stands for, itself included: more than one while the log samples. */
  readonly weight: number
  /** Whether its arguments or its result are kept. */
  readonly hasContent: boolean
}

/** What is kept of the arguments and the result of a call: JSON without credentials, cut off; null: nothing. */
export interface ToolCallContent {
  readonly arguments: string | null
  readonly result: string | null
  /** When it will be deleted. */
  readonly endsAt: number | null
}

/** A call with what people need to recognise it. */
export interface ShownToolCall extends ToolCallEntry {
  /** Null where it cannot be told now. */
  readonly keyName: string | null
}

export interface ToolCallPage {
  /** The newest first. */
  readonly calls: readonly ShownToolCall[]
  readonly nextCursor: string | null
}

const Name = text({ max: statisticsBounds.methodChars })

/** Of an account, or for operators of all (`all: true`). */
export const toolCallScope = { account: z.optional(idText(200)), all: z.optional(z.boolean()) } as const

/** `before` is the `nextCursor` of the page before. */
export const ToolCallQuery = z.strictObject({
  ...toolCallScope,
  server: z.optional(Name),
  tool: z.optional(Name),
  keyId: z.optional(idText(64)),
  group: z.optional(z.enum(toolCallGroups)),
  outcome: z.optional(z.enum(toolCallOutcomeNames)),
  from: z.optional(EpochMs),
  to: z.optional(EpochMs),
  before: z.optional(text({ max: 64 })),
  limit: z.optional(z.int().check(z.minimum(1), z.maximum(toolCallBounds.pageSize))),
})
export type ToolCallQuery = z.infer<typeof ToolCallQuery>

/** Names one call. */
export const ToolCallById = z.strictObject({ ...toolCallScope, id: idText(64), at: EpochMs })
