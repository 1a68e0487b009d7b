import { unpredictableId } from '../../platform/json-rpc-ids.ts'
import type { UpstreamAnswer } from '../upstreams/upstream-response.ts'

interface PendingCall {
  readonly timer: Timer
  readonly onAnswer: OnAnswer
  readonly resolve: (answer: UpstreamAnswer | null) => void
  isLate: boolean
}

/** `isLate`: whoever made the call has given it up. `id` is the JSON text of the id of the call. */
export type OnAnswer = (answer: UpstreamAnswer, id: string, isLate: boolean) => void

/** A node that leaves more calls unanswered is not listened to any longer. */
const maxLate = 100

/** The calls that were sent over an upstream's WebSocket and are not answered yet. */
export class PendingCalls {
  readonly #calls = new Map<string, PendingCall>()
  readonly #onTooManyLate: () => void
  #late = 0

  constructor(onTooManyLate: () => void) {
    this.#onTooManyLate = onTooManyLate
  }

  get size(): number {
    return this.#calls.size
  }

  /** `onAnswer` is called before anything that arrives after the answer is read; `answered` resolves to null when none comes in time. */
  open(waitMs: number, onAnswer: OnAnswer): { id: string; answered: Promise<UpstreamAnswer | null> } {
    const id = unpredictableId()
    const { promise, resolve } = Promise.withResolvers<UpstreamAnswer | null>()
    const timer = setTimeout(() => this.#giveUp(id), waitMs)
    this.#calls.set(id, { timer, onAnswer, resolve, isLate: false })
    return { id, answered: promise }
  }

  #giveUp(id: string): void {
    const call = this.#calls.get(id)
    if (call === undefined) return
    call.isLate = true
    call.resolve(null)
    if (++this.#late > maxLate) this.#onTooManyLate()
  }

  /** Returns false when no such call waits. */
  answer(id: string, answer: UpstreamAnswer): boolean {
    const call = this.#calls.get(id)
    if (call === undefined) return false
    this.#calls.delete(id)
    clearTimeout(call.timer)
    if (call.isLate) this.#late--
    call.onAnswer(answer, id, call.isLate)
    call.resolve(answer)
    return true
  }

  failAll(): void {
    for (const { timer, resolve } of this.#calls.values()) {
      clearTimeout(timer)
      resolve(null)
    }
    this.#calls.clear()
  }
}
