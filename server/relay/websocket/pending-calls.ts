import { unpredictableId } from '../../platform/request-id.ts'
import type { UpstreamAnswer } from '../upstreams/upstream-response.ts'

interface PendingCall {
  readonly timer: Timer
  readonly onAnswer: (answer: UpstreamAnswer) => void
  readonly resolve: (answer: UpstreamAnswer | null) => void
}

/** The calls that were sent over an upstream's WebSocket and are not answered yet. */
export class PendingCalls {
  readonly #calls = new Map<string, PendingCall>()

  get size(): number {
    return this.#calls.size
  }

  /**
   * `onAnswer` is called before anything that arrives after the answer is read; `onTimeout` when no answer came in
   * `waitMs`. `answered` resolves to null when none comes.
   */
  open(
    waitMs: number,
    onAnswer: (answer: UpstreamAnswer) => void,
    onTimeout: () => void,
  ): { id: string; answered: Promise<UpstreamAnswer | null> } {
    const id = unpredictableId()
    const { promise, resolve } = Promise.withResolvers<UpstreamAnswer | null>()
    this.#calls.set(id, { timer: setTimeout(onTimeout, waitMs), onAnswer, resolve })
    return { id, answered: promise }
  }

  answer(id: string, answer: UpstreamAnswer): void {
    const call = this.#calls.get(id)
    if (call === undefined) return
    this.#calls.delete(id)
    clearTimeout(call.timer)
    call.onAnswer(answer)
    call.resolve(answer)
  }

  failAll(): void {
    for (const { timer, resolve } of this.#calls.values()) {
      clearTimeout(timer)
      resolve(null)
    }
    this.#calls.clear()
  }
}
