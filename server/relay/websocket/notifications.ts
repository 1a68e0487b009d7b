import type { LimitDecision, Limits } from '../../limits/limits.ts'
import { assertNever } from '../../platform/fault.ts'
import type { LimitName } from '../../../shared/limits.ts'
import type { RelayKey, RelayMeter } from '../parties.ts'

/** How notifications are named in prices, limits and statistics. */
export const notificationMethod = 'eth_subscription'

export interface NotificationsWorld {
  readonly limits: Pick<Limits, 'admit'>
  readonly meter: RelayMeter
}

/** Who gets them. */
export interface Recipient {
  /** As it is now. */
  readonly key: RelayKey
  /** Credits of one. */
  price(): number
  send(text: string): void
  /** No more can be sent: the limits do not let this one through, or cannot be asked. */
  stopped(why: LimitName | 'unavailable'): void
  failed(error: unknown): void
}

const maxWaiting = 10_000

/** Passes notifications on in their order, each admitted, counted and charged as a call would be. */
export class Notifications {
  readonly #recipient: Recipient
  readonly #world: NotificationsWorld
  /** Behind one about whose admission the shared store is being asked. */
  readonly #waiting: string[] = []
  #isAsking = false
  #isStopped = false

  constructor(recipient: Recipient, world: NotificationsWorld) {
    this.#recipient = recipient
    this.#world = world
  }

  /** `params`: JSON text. */
  pass(params: string): void {
    if (this.#isStopped) return
    const text = `{"jsonrpc":"2.0","method":"${notificationMethod}","params":${params}}`
    if (this.#isAsking) {
      this.#waiting.push(text)
      if (this.#waiting.length > maxWaiting) this.#stop('unavailable')
      return
    }
    this.#admit(text)
  }

  #admit(text: string): void {
    const { id: keyId, rate, credits } = this.#recipient.key
    const cost = this.#recipient.price()
    const admitting = this.#world.limits.admit({ keyId, rate, credits, calls: 1, cost })
    if (admitting instanceof Promise) void this.#takeLater(text, cost, admitting)
    else this.#takeOrFail(text, cost, admitting)
  }

  async #takeLater(text: string, cost: number, admitting: Promise<LimitDecision>): Promise<void> {
    this.#isAsking = true
    try {
      this.#takeOrFail(text, cost, await admitting)
    } catch (error) {
      this.#fail(error)
    }
    this.#isAsking = false
    while (!this.#isAsking && this.#waiting.length > 0) this.#admit(this.#waiting.shift() ?? '')
  }

  /** Counting fails when there is no room for it. */
  #takeOrFail(text: string, cost: number, admission: LimitDecision): void {
    try {
      this.#take(text, cost, admission)
    } catch (error) {
      this.#fail(error)
    }
  }

  #take(text: string, credits: number, admission: LimitDecision): void {
    if (this.#isStopped) return
    const { key } = this.#recipient
    const calls = [{ method: notificationMethod, credits }]
    switch (admission.kind) {
      case 'admitted': {
        const counted = this.#world.meter.admit(key, calls, 0)
        this.#recipient.send(text)
        counted.settle(['ok'], { bytesOut: Buffer.byteLength(text), tookMs: 0, creditsBack: [0] })
        return
      }
      case 'refused':
      case 'oversized':
        this.#world.meter.refuse(key, calls, admission.limit)
        return this.#stop(admission.limit)
      case 'unavailable':
        return this.#stop('unavailable')
      default:
        return assertNever(admission)
    }
  }

  #fail(error: unknown): void {
    this.#isStopped = true
    this.#waiting.length = 0
    this.#recipient.failed(error)
  }

  #stop(why: LimitName | 'unavailable'): void {
    this.#isStopped = true
    this.#waiting.length = 0
    this.#recipient.stopped(why)
  }
}
