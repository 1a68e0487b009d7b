import { decodeBody, isKnownEncoding, type UndecodedBody } from './decode-body.ts'
import type { Field, ResponseHead } from './response-head.ts'
import type { ResponseSink } from './response-reader.ts'

/** A response that was read whole. */
export interface HttpResponse {
  readonly status: number
  /** The body, decompressed and decoded as UTF-8; malformed bytes become U+FFFD. */
  readonly text: string
  readonly fields: readonly Field[]
}

/** Bytes that may be held of responses that are not whole yet. Shared by all connections. */
export interface ByteBudget {
  take(bytes: number): boolean
  giveBack(bytes: number): void
}

export function createByteBudget(maxBytes: number): ByteBudget {
  let taken = 0
  return {
    take(bytes) {
      if (taken + bytes > maxBytes) return false
      taken += bytes
      return true
    },
    giveBack(bytes) {
      taken -= bytes
    },
  }
}

/** Collects one response whole, within a limit of its own and a budget that it shares with all others. */
export class BufferedResponse implements ResponseSink {
  /** The longest body, both as it is sent and when it is decompressed. */
  maxBytes = 0
  readonly #budget: ByteBudget
  #status = 0
  #fields: readonly Field[] = []
  #encoding: string | null = null
  #announced = 0
  #text: string | null = null
  #first: Buffer | null = null
  #more: Buffer[] | null = null
  #bytes = 0
  #taken = 0

  constructor(budget: ByteBudget) {
    this.#budget = budget
  }

  /** Some servers compress what nobody asked to be compressed. */
  head({ status, framing, encoding, fields }: ResponseHead): 'malformed' | 'too-large' | null {
    if (encoding !== null && !isKnownEncoding(encoding)) return 'malformed'
    this.#encoding = encoding
    this.#status = status
    this.#fields = fields
    this.#announced = framing.kind === 'length' ? framing.bytes : Number.POSITIVE_INFINITY
    return framing.kind === 'length' && framing.bytes > this.maxBytes ? 'too-large' : null
  }

  part(bytes: Buffer): 'too-large' | null {
    if (this.#first === null) this.#first = bytes
    else (this.#more ??= [this.#first]).push(bytes)
    this.#bytes += bytes.length
    if (this.#bytes > this.maxBytes) return 'too-large'
    if (this.#bytes === this.#announced) return null // it is whole, and read in the same turn
    if (!this.#budget.take(this.#bytes - this.#taken)) return 'too-large'
    this.#taken = this.#bytes
    return null
  }

  whole(head: ResponseHead, text: string): 'malformed' | 'too-large' | null {
    this.#text = text
    return this.head(head)
  }

  /** The response once it is whole, or why it cannot be decompressed. */
  response(): HttpResponse | UndecodedBody {
    if (this.#text !== null) return { status: this.#status, text: this.#text, fields: this.#fields }
    const sent = this.#more === null ? this.#first : Buffer.concat(this.#more)
    const body =
      this.#encoding === null || sent === null ? sent : decodeBody(sent, this.#encoding, this.maxBytes)
    if (typeof body === 'string') return body
    return {
      status: this.#status,
      text: body === null ? '' : body.toString('utf8'),
      fields: this.#fields,
    }
  }

  /** Gives back what it took of the budget. To be called once it is over, however it ended. */
  release(): void {
    if (this.#taken > 0) this.#budget.giveBack(this.#taken)
    this.#taken = 0
    this.#bytes = 0
    this.#text = null
    this.#first = null
    this.#more = null
  }
}
