import type { LimitDecision, Limits } from '../../limits/limits.ts'
import { assertNever } from '../../platform/fault.ts'
import type { LimitName } from '../../../shared/limits.ts'
import type { RelayKey, RelayMeter } from '../ports.ts'

/** The method name of notifications in prices and statistics. */
export const notificationMethod = 'eth_subscription'

export interface NotificationServices {
  readonly limits: Pick<Limits, 'admit'>
  readonly meter: RelayMeter
}

/** The caller's WebSocket that notifications are sent to. */
export interface Recipient {
  /** The current state of the key that the WebSocket was opened with. */
  readonly key: RelayKey
  /** Returns the credits charged for one notification. */
  price(): number
  send(text: string): void
  /** Is called when a limit does not admit a notification, or cannot be checked; none follows. */
  stopped(why: LimitName | 'unavailable'): void
  /** Is called after an unexpected error; no notification follows. */
  failed(error: unknown): void
}

const maxQueued = 10_000

/** Sends notifications in their order; each is admitted, counted and charged as a call is. */
export class Notifications {
  readonly #recipient: Recipient
  readonly #services: NotificationServices
  /** The notifications behind one whose limit decision is awaited from the shared store. */
  readonly #queue: string[] = []
  #isDeciding = false
  #isStopped = false

  constructor(recipient: Recipient, services: NotificationServices) {
    this.#recipient = recipient
    this.#services = services
  }

  /** `params` is a JSON text. */
  send(params: string): void {
    if (this.#isStopped) return
    const text = `{"jsonrpc":"2.0","method":"${notificationMethod}","params":${params}}`
    if (this.#isDeciding) {
      this.#queue.push(text)
      if (this.#queue.length > maxQueued) this.#stop('unavailable')
      return
    }
    this.#admit(text)
  }

  #admit(text: string): void {
    const { id: keyId, rate, credits } = this.#recipient.key
    const cost = this.#recipient.price()
    const deciding = this.#services.limits.admit({ keyId, rate, credits, calls: 1, cost })
    if (deciding instanceof Promise) void this.#chargeLater(text, cost, deciding)
    else this.#chargeOrFail(text, cost, deciding)
  }

  async #chargeLater(text: string, cost: number, deciding: Promise<LimitDecision>): Promise<void> {
    this.#isDeciding = true
    try {
      this.#chargeOrFail(text, cost, await deciding)
    } catch (error) {
      this.#fail(error)
    }
    this.#isDeciding = false
    while (!this.#isDeciding && this.#queue.length > 0) this.#admit(this.#queue.shift() ?? '')
  }

  /** Counting throws when there is no room to count. */
  #chargeOrFail(text: string, cost: number, limitDecision: LimitDecision): void {
    try {
      this.#charge(text, cost, limitDecision)
    } catch (error) {
      this.#fail(error)
    }
  }

  #charge(text: string, credits: number, limitDecision: LimitDecision): void {
    if (this.#isStopped) return
    const { key } = this.#recipient
    const calls = [{ method: notificationMethod, credits }]
    switch (limitDecision.kind) {
      case 'admitted': {
        const count = this.#services.meter.admit(key, calls, 0)
        this.#recipient.send(text)
        count.settle(['ok'], { bytesOut: Buffer.byteLength(text), tookMs: 0, creditsBack: [0] })
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
