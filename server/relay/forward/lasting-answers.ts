import type { AnswerCache } from '../answers/answer-cache.ts'
import { heightOf, quantityOf } from '../methods/lasting-answer.ts'
import type { MethodFacts } from '../methods/method-facts.ts'

/** A question: what makes two calls the same one. */
interface Question {
  readonly method: string
  readonly question: string
  readonly facts: MethodFacts
}

/** A node that turns out to be on another chain is not believed for longer. */
const constantForMs = 60_000
const finalForMs = 600_000

interface LastingOptions {
  readonly cache: AnswerCache
  /** No other endpoint, and no earlier form of this one, has the same. */
  readonly prefix: string
  /** Null: nobody knows when a block of this chain is final. */
  readonly finalityDepth: number | null
  readonly now: () => number
}

/** What an endpoint's upstreams answered and would answer again. */
export interface LastingAnswers {
  /** JSON text of the result; null: it must be asked for. */
  find(question: Question): string | null
  /** `result`: JSON text, as the upstream of that place answered it. */
  learn(question: Question, result: string, upstream: number): void
}

export function createLastingAnswers({ cache, prefix, finalityDepth, now }: LastingOptions): LastingAnswers {
  const heads = new Map<number, number>()

  /** By the lowest head that an upstream claims: whoever claims a higher one only ends at its own word. */
  function finalHeight(): number {
    return finalityDepth === null || heads.size === 0 ? -1 : Math.min(...heads.values()) - finalityDepth
  }

  function isFinal(result: string): boolean {
    const height = heightOf(result)
    return height !== null && height <= finalHeight()
  }

  return {
    find(asked) {
      return asked.facts.lasting === null ? null : cache.get(prefix + asked.question, now())
    },
    learn(asked, result, upstream) {
      const { lasting } = asked.facts
      if (asked.method === 'eth_blockNumber') {
        const head = quantityOf(result)
        if (head !== null) heads.set(upstream, head)
      }
      if (lasting === null || result === 'null') return
      if (lasting === 'constant') cache.put(prefix + asked.question, result, now(), constantForMs)
      else if (isFinal(result)) cache.put(prefix + asked.question, result, now(), finalForMs)
    },
  }
}
