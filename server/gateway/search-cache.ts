import type { Clock } from '../platform/clock.ts'
import type { ToolResult } from './tool-result.ts'
import { RecentMap } from '../platform/recent-map.ts'

/**
 * Caches search results that are the same for every caller, for one second: many agents with one task, or one
 * that pages back and forth, ask the same question. The time is short because results contain health decisions.
 */
export interface SearchCache {
  /** Returns the cached result when it is younger than a second; otherwise computes it. */
  getOrCompute(question: string, work: () => ToolResult): ToolResult
}

const keepMs = 1_000
/** Bounds the cache to about 30 MB: a result takes 10 kB, and twice that as text. */
const maxAnswers = 1_000
/** Longer keys are rarely asked twice and are not cached. */
const maxQuestionChars = 1_000

interface Kept {
  readonly outcome: ToolResult
  readonly madeAt: number
}

export function createSearchCache({ monotonic }: Pick<Clock, 'monotonic'>): SearchCache {
  const kept = new RecentMap<string, Kept>(maxAnswers)

  return {
    getOrCompute(question, work) {
      const now = monotonic()
      const known = kept.get(question)
      if (known !== undefined && now - known.madeAt < keepMs) return known.outcome
      const outcome = work()
      if (outcome.kind !== 'answer' || question.length > maxQuestionChars) return outcome
      kept.set(question, { outcome, madeAt: now })
      return outcome
    },
  }
}
