import { unpredictableId } from '../../platform/request-id.ts'
import type { CallAnswer } from '../answers/answer-reader.ts'

interface Ask {
  readonly timer: Timer
  readonly onAnswer: (answer: CallAnswer) => void
  readonly resolve: (answer: CallAnswer | null) => void
}

/** What an upstream was asked by a WebSocket and has not answered yet. */
export class PendingAsks {
  readonly #asks = new Map<string, Ask>()

  get size(): number {
    return this.#asks.size
  }

  /**
   * `onAnswer` is called before anything that arrives after the answer is looked at. `answered` resolves to null when
   * none comes.
   */
  open(
    waitMs: number,
    onAnswer: (answer: CallAnswer) => void,
    onSilence: () => void,
  ): { id: string; answered: Promise<CallAnswer | null> } {
    const id = unpredictableId()
    const { promise, resolve } = Promise.withResolvers<CallAnswer | null>()
    this.#asks.set(id, { timer: setTimeout(onSilence, waitMs), onAnswer, resolve })
    return { id, answered: promise }
  }

  answer(id: string, answer: CallAnswer): void {
    const ask = this.#asks.get(id)
    if (ask === undefined) return
    this.#asks.delete(id)
    clearTimeout(ask.timer)
    ask.onAnswer(answer)
    ask.resolve(answer)
  }

  failAll(): void {
    for (const { timer, resolve } of this.#asks.values()) {
      clearTimeout(timer)
      resolve(null)
    }
    this.#asks.clear()
  }
}
