import type { LimitDecision, Limits } from '../../limits/limits.ts'
import type { RelayKey, RelayMeter } from '../ports.ts'
import type { RelaySettings } from '../settings.ts'
import { type EventBlock, EventBlocks } from './event-blocks.ts'

/** The settings that bound one stream. */
export type StreamBounds = Pick<RelaySettings, 'notificationChars' | 'streamQuietMs' | 'streamIdleMs'>

export interface EventStreamServices {
  readonly limits: Pick<Limits, 'admit'>
  readonly meter: RelayMeter
  readonly settings: StreamBounds
  readonly now: () => number
}

/** A stream that a node has begun. */
export interface BegunStream {
  readonly source: ReadableStream<Uint8Array>
  readonly pattern: string
  /** The price of one event. */
  readonly priceOf: () => number
  /** Returns what comes of the node without anything that tells of it. */
  readonly cleaned: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>
}

/** What a stream came to. */
export interface StreamTotals {
  readonly bytesOut: number
  readonly credits: number
}

/** A comment: it is no event, and shows both sides that the connection is there. */
const comment = new TextEncoder().encode(':\n\n')

/**
 * One event stream from a node to a caller. Nothing is read of the node before the caller has taken what was read, so that
 * a slow caller slows the node down. Each event is admitted, counted and charged as a call of the pattern is. However it
 * ends, it ends as a whole response: the client connects again.
 */
export class EventStream {
  /** The current state of the key that it was opened with. */
  key: RelayKey
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>
  readonly #begun: BegunStream
  readonly #services: EventStreamServices
  readonly #onOver: (totals: StreamTotals) => void
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  readonly #blocks = new EventBlocks()
  readonly #ready: EventBlock[] = []
  #controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | null = null
  #isReading = false
  #hasEnded = false
  /** Whether a comment is due. The first goes at once, for with it goes the head of the response. */
  #isQuiet = true
  /** Resolves the wait of whoever reads. */
  #wake: (() => void) | null = null
  #heardAt: number
  #saidAt: number
  #bytesOut = 0
  #credits = 0
  #isOver = false

  constructor(
    key: RelayKey,
    begun: BegunStream,
    services: EventStreamServices,
    onOver: (totals: StreamTotals) => void,
  ) {
    this.key = key
    this.#begun = begun
    this.#services = services
    this.#onOver = onOver
    this.#reader = begun.source.getReader()
    this.#heardAt = this.#saidAt = services.now()
    this.body = new ReadableStream(
      {
        start: (controller) => void (this.#controller = controller),
        pull: () => this.#pull(),
        cancel: () => this.end(true),
      },
      { highWaterMark: 0 },
    )
  }

  /** Ends it for both sides, whatever is on its way. `hasLeft`: the caller has ended it. */
  end(hasLeft = false): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#reader.cancel().catch(() => undefined) // it may have failed, which changes nothing
    if (!hasLeft) this.#controller?.close()
    this.#wake?.()
    this.#onOver({ bytesOut: this.#bytesOut, credits: this.#credits })
  }

  /** Called several times a second: breaks a long silence, and ends a stream that nobody sends or takes. */
  tick(now: number): void {
    const { streamQuietMs, streamIdleMs } = this.#services.settings
    if (now - this.#heardAt >= streamIdleMs) return this.end()
    if (this.#wake === null || now - this.#saidAt < streamQuietMs) return
    this.#isQuiet = true
    this.#wake()
  }

  /** Gives the caller what comes next; called when the caller can take something. */
  async #pull(): Promise<void> {
    try {
      while (!this.#isOver) {
        const block = this.#ready.shift()
        if (block !== undefined) {
          const bytes = this.#begun.cleaned(block.bytes)
          if (!block.isEvent || (await this.#isAdmitted(bytes))) return this.#say(bytes)
          return this.end()
        }
        if (this.#hasEnded) return this.end()
        if (this.#isQuiet) return this.#say(comment)
        await this.#more()
      }
    } catch {
      this.end() // counters are unavailable
    }
  }

  #say(bytes: Uint8Array<ArrayBuffer>): void {
    if (this.#isOver) return
    this.#isQuiet = false
    this.#saidAt = this.#services.now()
    this.#bytesOut += bytes.byteLength
    this.#controller?.enqueue(bytes)
  }

  /** Resolves when there is something new: from the node, or to say. */
  #more(): Promise<void> {
    if (!this.#isReading) void this.#read()
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = null
        resolve()
      }
    })
  }

  async #read(): Promise<void> {
    this.#isReading = true
    try {
      const { done, value } = await this.#reader.read()
      this.#heardAt = this.#services.now()
      if (value !== undefined) this.#ready.push(...this.#blocks.take(value))
      this.#hasEnded = done || this.#blocks.unfinishedBytes > this.#services.settings.notificationChars
    } catch {
      this.#hasEnded = true // the node has gone
    }
    this.#isReading = false
    this.#wake?.()
  }

  async #isAdmitted(bytes: Uint8Array): Promise<boolean> {
    const { limits, meter } = this.#services
    const { id: keyId, rate, credits, further } = this.key
    const cost = this.#begun.priceOf()
    const calls = [{ method: this.#begun.pattern, credits: cost }]
    const decision: LimitDecision = await limits.admit({ keyId, rate, credits, further, calls: 1, cost })
    if (decision.kind === 'refused' || decision.kind === 'oversized')
      meter.refuse(this.key, calls, decision.limit)
    if (decision.kind !== 'admitted') return false
    const count = meter.admit(this.key, calls, 0)
    count.settle(['ok'], { bytesOut: bytes.byteLength, tookMs: 0, creditsBack: [0] })
    this.#credits += cost
    return true
  }
}
