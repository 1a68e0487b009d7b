import { TRPCClientError } from '@trpc/client'
import { createEventHook } from '@vueuse/core'

import { BareAnswer } from './bare-answer.ts'

/**
 * How a call ended, as far as the frame is concerned. `not_allowed` may mean that the session is over, `unreachable`
 * that there is no server, `unavailable` that there is one, which cannot answer now; a subscription that is `interrupted` may be so as a matter of course.
 */
export type ConsoleCallOutcome = 'answered' | 'not_allowed' | 'unreachable' | 'unavailable' | 'interrupted'

/** Every call tells here how it ended. */
export const callOutcomes = createEventHook<ConsoleCallOutcome>()

const deniedCodes: ReadonlySet<unknown> = new Set(['UNAUTHORIZED', 'FORBIDDEN'])
const deniedStatuses: ReadonlySet<number> = new Set([401, 403])

/** Null: the page itself gave the call up. */
export function outcomeOfError(error: unknown): ConsoleCallOutcome | null {
  if (!(error instanceof TRPCClientError)) return null
  const { cause, data } = error
  if (cause?.name === 'AbortError') return null
  if (isAnswer(data)) return deniedCodes.has(data.code) ? 'not_allowed' : 'answered'
  if (!(cause instanceof BareAnswer)) return 'unreachable'
  if (cause.said === null || cause.status >= 500) return 'unavailable'
  return deniedStatuses.has(cause.status) ? 'not_allowed' : 'answered'
}

const isAnswer = (data: unknown): data is { code: unknown } =>
  typeof data === 'object' && data !== null && 'code' in data

/** What a subscription or a call brought: an event, an answer, or word that its connection is being made again. */
export function outcomeOfResult(result: {
  type?: string | undefined
  error?: unknown
}): ConsoleCallOutcome | null {
  if (result.type !== 'state') return 'answered'
  return result.error instanceof TRPCClientError ? 'interrupted' : null
}
