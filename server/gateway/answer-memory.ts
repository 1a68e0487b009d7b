import type { CallToolResult } from '@modelcontextprotocol/server'

import type { Clock } from '../platform/clock.ts'

/**
 * Answers that are the same for everybody, for the moment in which many ask the same: many agents with one task, or one
 * that pages back and forth. Shorter than anybody could notice, as health decisions are part of them.
 */
export interface AnswerMemory {
  /** The answer to the same question, if it is not older than a second; else it is worked out. */
  answer(question: string, work: () => CallToolResult | null): CallToolResult | null
}

const keepMs = 1_000
/** About 10 MB: an answer has 10 kB. */
const maxAnswers = 1_000
/** Longer questions are rarely asked twice, and would only take room. */
const maxQuestionChars = 1_000

interface Kept {
  readonly result: CallToolResult
  readonly madeAt: number
}

export function createAnswerMemory({ monotonic }: Pick<Clock, 'monotonic'>): AnswerMemory {
  const kept = new Map<string, Kept>()

  return {
    answer(question, work) {
      const now = monotonic()
      const known = kept.get(question)
      if (known !== undefined && now - known.madeAt < keepMs) return known.result
      const result = work()
      if (result === null || question.length > maxQuestionChars) return result
      kept.delete(question) // so that the oldest stay in front
      kept.set(question, { result, madeAt: now })
      if (kept.size > maxAnswers) kept.delete(kept.keys().next().value ?? question)
      return result
    },
  }
}
