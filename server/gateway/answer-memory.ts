import type { Clock } from '../platform/clock.ts'
import type { Outcome } from './outcome.ts'

/**
 * Answers that are the same for everybody, for the moment in which many ask the same: many agents with one task, or one
 * that pages back and forth. Shorter than anybody could notice, as health decisions are part of them.
 */
export interface AnswerMemory {
  /** The answer to the same question, if it is not older than a second; else it is worked out. */
  answer(question: string, work: () => Outcome): Outcome
}

const keepMs = 1_000
/** About 30 MB: an answer has 10 kB, and twice that as text. */
const maxAnswers = 1_000
/** Longer questions are rarely asked twice, and would only take room. */
const maxQuestionChars = 1_000

interface Kept {
  readonly outcome: Outcome
  readonly madeAt: number
}

export function createAnswerMemory({ monotonic }: Pick<Clock, 'monotonic'>): AnswerMemory {
  const kept = new Map<string, Kept>()

  return {
    answer(question, work) {
      const now = monotonic()
      const known = kept.get(question)
      if (known !== undefined && now - known.madeAt < keepMs) return known.outcome
      const outcome = work()
      if (outcome.kind !== 'answer' || question.length > maxQuestionChars) return outcome
      kept.delete(question) // so that the oldest stay in front
      kept.set(question, { outcome, madeAt: now })
      if (kept.size > maxAnswers) kept.delete(kept.keys().next().value ?? question)
      return outcome
    },
  }
}
