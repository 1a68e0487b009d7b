import type { LimitDecision } from '../limits/limits.ts'
import type { RequestOutcome } from './relay-metrics.ts'

/** What a request with calls is answered, over HTTP or in a WebSocket frame. */
export interface Reply {
  /** Of the HTTP answer. */
  readonly status: number
  /** JSON text; null: there were notifications only. */
  readonly text: string | null
  /** Charged for it. */
  readonly credits: number
  /** Null: it was answered without looking at the limits. */
  readonly admission: LimitDecision | null
  readonly outcome: RequestOutcome
  /** Where waiting helps and the limits say nothing about it. */
  readonly retryAfterSec?: number
}

/** The answers of a request in the order of its calls; notifications get none. */
export function joinAnswers(
  elements: readonly { readonly id: string | null; readonly answer: string }[],
  isBatch: boolean,
): string | null {
  const [first] = elements
  if (!isBatch) return first === undefined || first.id === null ? null : first.answer
  const answers = elements.filter(({ id }) => id !== null).map(({ answer }) => answer)
  return answers.length === 0 ? null : `[${answers.join(',')}]`
}
