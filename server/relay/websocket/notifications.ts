import type { LimitDecision, Limits } from '../../limits/limits.ts'
import { assertNever } from '../../platform/fault.ts'
import type { LimitName } from '../../../shared/limits.ts'
import type { RelayKey, RelayMeter } from '../ports.ts'
import type { Notification } from './read-message.ts'

export interface NotificationServices {
  readonly limits: Pick<Limits, 'admit'>
  readonly meter: RelayMeter
}

/** The caller's WebSocket that notifications are sent to. */
export interface Recipient {
  /** The current state of the key that the WebSocket was opened with. */
  readonly key: RelayKey
  /** Resolves once calls to any process find the blocks that are told of; null where they do already. */
  untilBlocksAreKnown(): Promise<void> | null
  /** Returns the credits charged for one notification of this method. */
  price(method: string): number
  send(text: string): void
  /** Is called when a limit does not admit a notification, or cannot be checked; none follows. */
  stopped(why: LimitName | 'unavailable'): void
  /** Is called after an unexpected error; no notification follows. */
  failed(error: unknown): void
}

/** A notification for one caller, on its way. */
interface Sent {
  readonly method: string
  readonly text: string
  readonly bytes: number
}

const maxQueued = 10_000

/** Sends notifications in their order; each is admitted, counted and charged as a call is. */
export class Notifications {
  readonly #recipient: Recipient
  readonly #services: NotificationServices
  /** The notifications behind one for which the shared store is waited for. */
  readonly #queue: Sent[] = []
  #isDeciding = false
  #isStopped = false

  constructor(recipient: Recipient, services: NotificationServices) {
    this.#recipient = recipient
    this.#services = services
  }

  /** `id` is the JSON text by which the recipient knows the stream. */
  send({ method, before, after, bytes }: Notification, id: string): void {
    if (this.#isStopped) return
    const sent = { method, text: before + id + after, bytes: bytes + id.length }
    if (this.#isDeciding) {
      this.#queue.push(sent)
      if (this.#queue.length > maxQueued) this.#stop('unavailable')
      return
    }
    this.#admit(sent)
  }

  #admit(sent: Sent): void {
    const { id: keyId, rate, credits, further } = this.#recipient.key
    const cost = this.#recipient.price(sent.method)
    const decide = () => this.#services.limits.admit({ keyId, rate, credits, further, calls: 1, cost })
    const deciding = this.#recipient.untilBlocksAreKnown()?.then(decide) ?? decide()
    if (deciding instanceof Promise) void this.#chargeLater(sent, cost, deciding)
    else this.#chargeOrFail(sent, cost, deciding)
  }

  async #chargeLater(sent: Sent, cost: number, deciding: Promise<LimitDecision>): Promise<void> {
    this.#isDeciding = true
    try {
      this.#chargeOrFail(sent, cost, await deciding)
    } catch (error) {
      this.#fail(error)
    }
    this.#isDeciding = false
    while (!this.#isDeciding) {
      const next = this.#queue.shift()
      if (next === undefined) return
      this.#admit(next)
    }
  }

  /** Counting throws when there is no room to count. */
  #chargeOrFail(sent: Sent, cost: number, limitDecision: LimitDecision): void {
    try {
      this.#charge(sent, cost, limitDecision)
    } catch (error) {
      this.#fail(error)
    }
  }

  #charge({ method, text, bytes }: Sent, credits: number, limitDecision: LimitDecision): void {
    if (this.#isStopped) return
    const { key } = this.#recipient
    const calls = [{ method, credits }]
    switch (limitDecision.kind) {
      case 'admitted': {
        const count = this.#services.meter.admit(key, calls, 0)
        this.#recipient.send(text)
        count.settle(['ok'], { bytesOut: bytes, tookMs: 0, creditsBack: [0] })
        return
      }
      case 'refused':
      case 'oversized':
        this.#services.meter.refuse(key, calls, limitDecision.limit)
        return this.#stop(limitDecision.limit)
      case 'unavailable':
        return this.#stop('unavailable')
      default:
        return assertNever(limitDecision)
    }
  }

  #fail(error: unknown): void {
    this.#isStopped = true
    this.#queue.length = 0
    this.#recipient.failed(error)
  }

  #stop(why: LimitName | 'unavailable'): void {
    this.#isStopped = true
    this.#queue.length = 0
    this.#recipient.stopped(why)
  }
}
