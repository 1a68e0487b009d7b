import type { Admission, Limits } from '../../limits/limits.ts'
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
  readonly endpoint: string
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
    if (!(admitting instanceof Promise)) return this.#take(text, cost, admitting)
    this.#isAsking = true
    this.#takeLater(text, cost, admitting).catch((error: unknown) => this.#recipient.failed(error))
  }

  async #takeLater(text: string, cost: number, admitting: Promise<Admission>): Promise<void> {
    try {
      this.#take(text, cost, await admitting)
    } finally {
      this.#isAsking = false
      while (!this.#isAsking && this.#waiting.length > 0) this.#admit(this.#waiting.shift() ?? '')
    }
  }

  #take(text: string, credits: number, admission: Admission): void {
    if (this.#isStopped) return
    const metered = { id: this.#recipient.key.id, endpoint: this.#recipient.endpoint }
    const calls = [{ method: notificationMethod, credits }]
    switch (admission.kind) {
      case 'admitted': {
        const counted = this.#world.meter.admit(metered, calls, 0)
        this.#recipient.send(text)
        counted.settle(['ok'], { bytesOut: Buffer.byteLength(text), tookMs: 0, creditsBack: [0] })
        return
      }
      case 'refused':
      case 'oversized':
        this.#world.meter.refuse(metered, calls, admission.limit)
        return this.#stop(admission.limit)
      case 'unavailable':
        return this.#stop('unavailable')
      default:
        return assertNever(admission)
    }
  }

  #stop(why: LimitName | 'unavailable'): void {
    this.#isStopped = true
    this.#waiting.length = 0
    this.#recipient.stopped(why)
  }
}
