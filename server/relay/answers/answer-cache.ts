/** Results that last, in bounded memory: those that were not asked for the longest time are forgotten first. */
export interface AnswerCache {
  get(question: string, now: number): string | null
  put(question: string, result: string, now: number, forMs: number): void
}

interface Kept {
  readonly result: string
  readonly staleAt: number
}

/** Of one entry. Larger ones would push out many small ones, which are asked for more often. */
const maxEntryChars = 262_144
/** What an entry takes beside its texts. */
const entryChars = 200

export function createAnswerCache(maxChars: number): AnswerCache {
  const entries = new Map<string, Kept>()
  let chars = 0

  function drop(question: string): void {
    const kept = entries.get(question)
    if (kept === undefined) return
    entries.delete(question)
    chars -= charsOf(question, kept.result)
  }

  return {
    get(question, now) {
      const kept = entries.get(question)
      if (kept === undefined) return null
      if (now >= kept.staleAt) {
        drop(question)
        return null
      }
      entries.delete(question)
      entries.set(question, kept)
      return kept.result
    },
    put(question, result, now, forMs) {
      const size = charsOf(question, result)
      if (size > Math.min(maxEntryChars, maxChars)) return
      drop(question)
      entries.set(question, { result, staleAt: now + forMs })
      chars += size
      for (const oldest of entries.keys()) {
        if (chars <= maxChars) break
        drop(oldest)
      }
    },
  }
}

const charsOf = (question: string, result: string): number => question.length + result.length + entryChars
