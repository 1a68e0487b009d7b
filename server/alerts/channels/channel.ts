import type { Notice } from '../alert-event.ts'

/** One HTTP request of a message. */
export interface ChannelRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The answer to it, as far as it was read. */
export interface ChannelAnswer {
  readonly status: number
  readonly text: string
}

/** What is known beside the notice when a message is written. */
export interface Writing {
  /** Epoch ms of the attempt. */
  readonly now: number
  /** The address of this installation, for links. */
  readonly origin: string
}

/** How messages of one type are written and their answers read. Pure: `outbox/send.ts` sends. */
export interface HttpChannel<Spec> {
  /** Returns the requests of a notice, which are sent in this order; all have to be taken. */
  requests(spec: Spec, notice: Notice, writing: Writing): readonly ChannelRequest[]
  /** Returns whether the receiver took it. Some answer 200 and say in the body that they did not. */
  isTaken(answer: ChannelAnswer): boolean
}

export const isSuccess = ({ status }: ChannelAnswer): boolean => status >= 200 && status < 300

export const json = { 'content-type': 'application/json' } as const

/** Returns a text of at most so many characters (UTF-16 code units), with a sign where something is missing. */
export const shortened = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
