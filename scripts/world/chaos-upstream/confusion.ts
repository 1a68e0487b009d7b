import type { HonestAnswer } from './answers.ts'

/** The side of a connection that answers. */
interface Answering {
  write(bytes: string): void
  close(): void
}

/** Answers that were sent, to be sent again to others. */
const remembered = 256

/** Everything of an answer is ASCII, so that a place in the text is a place in the bytes. */
type Trick = (to: Answering, answer: HonestAnswer, bytes: string) => void

/** Sends answers, about half of them as they should be sent. */
export class Confusion {
  readonly #random: () => number
  readonly #sent: string[] = []
  #held: { to: Answering; bytes: string } | null = null
  /** Moves on with each answer that is cut, so that every place comes up. */
  #cutAt = 0

  constructor(seed: number) {
    let state = seed
    this.#random = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return state / 2 ** 32
    }
  }

  send(to: Answering, answer: HonestAnswer): void {
    const bytes = framed(answer)
    if (answer.isSacred) return to.write(bytes)
    const chance = this.#random()
    if (chance < 0.5) to.write(bytes)
    else this.#tricks[Math.floor(((chance - 0.5) / 0.5) * this.#tricks.length)]?.(to, answer, bytes)
    this.#sent[Math.floor(this.#random() * remembered)] = bytes
  }

  #another(): string {
    return (
      this.#sent[Math.floor(this.#random() * remembered)] ??
      this.#sent.find((one) => one !== undefined) ??
      'H'
    )
  }

  #later(act: () => void): void {
    setTimeout(act, this.#random() * 4)
  }

  readonly #tricks: readonly Trick[] = [
    // Twice: at once, or when the next request may be on its way.
    (to, _answer, bytes) => to.write(bytes + bytes),
    (to, _answer, bytes) => {
      to.write(bytes)
      this.#later(() => to.write(bytes))
    },
    // Somebody else's before it, in place of it, or behind it.
    (to, _answer, bytes) => to.write(this.#another() + bytes),
    (to) => to.write(this.#another()),
    (to, _answer, bytes) => {
      to.write(bytes)
      this.#later(() => to.write(this.#another()))
    },
    // Before the next request is written, as far as one can guess what that will be.
    (to, answer, bytes) => {
      to.write(bytes)
      to.write(framed({ ...answer, entries: answer.entries.map(nextId) }))
    },
    (to, _answer, bytes) => this.#later(() => to.write(bytes)),
    // To the wrong one of two who wait.
    (to, _answer, bytes) => {
      const held = this.#held
      this.#held = held === null ? { to, bytes } : null
      if (held === null) return this.#later(() => this.#letGo())
      held.to.write(bytes)
      to.write(held.bytes)
    },
    // Reordered, with an entry of another batch, with one twice.
    (to, answer) => to.write(framed({ ...answer, entries: answer.entries.toReversed() })),
    (to, answer) =>
      to.write(framed({ ...answer, entries: [...answer.entries.slice(1), this.#another().slice(-60)] })),
    (to, answer) => to.write(framed({ ...answer, entries: [...answer.entries, answer.entries[0] ?? ''] })),
    // Surplus bytes.
    (to, _answer, bytes) => to.write(`${bytes}${this.#another().slice(0, 1 + this.#random() * 40)}`),
    // In two pieces, cut at each byte in turn.
    (to, _answer, bytes) =>
      this.#cut(bytes, (first, rest) => {
        to.write(first)
        this.#later(() => to.write(rest))
      }),
    (to, _answer, bytes) =>
      this.#cut(bytes, (first) => {
        to.write(first)
        this.#later(() => to.write(this.#another()))
      }),
    (to, _answer, bytes) =>
      this.#cut(bytes, (first) => {
        to.write(first)
        to.close()
      }),
  ]

  #cut(bytes: string, send: (first: string, rest: string) => void): void {
    const at = this.#cutAt++ % bytes.length
    send(bytes.slice(0, at), bytes.slice(at))
  }

  #letGo(): void {
    this.#held?.to.write(this.#held.bytes)
    this.#held = null
  }
}

/** The same entry with the id that follows. */
const nextId = (entry: string): string =>
  entry.replace(/"id":(\d+)/, (_, id: string) => `"id":${Number(id) + 1}`)

function framed({ entries, kind }: HonestAnswer): string {
  if (kind === 'accepted') return 'HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n'
  if (kind === 'events') {
    const events = entries.map((entry) => `event: message\ndata: ${entry}\n\n`).join('')
    return `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n${events.length.toString(16)}\r\n${events}\r\n0\r\n\r\n`
  }
  const body = kind === 'batch' ? `[${entries.join(',')}]` : entries.join('')
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
}
