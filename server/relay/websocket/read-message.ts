import { parseJson } from '../../platform/json.ts'
import {
  endOfObject,
  isMemberName,
  type MemberReader,
  noJson,
  plainText,
  skipSpace,
  startOfJson,
} from '../../platform/json/value-end.ts'
import { answerDepth, AnswerReader, type UpstreamAnswer } from '../upstreams/upstream-response.ts'

/** A notification as JSON text, without the id by which its receiver knows the stream. */
export interface Notification {
  /** The method by which it is counted and charged. */
  readonly method: string
  readonly before: string
  readonly after: string
  /** The length of both parts. */
  readonly bytes: number
}

export const notificationOf = (method: string, before: string, after: string): Notification => ({
  method,
  before,
  after,
  bytes: Buffer.byteLength(before) + Buffer.byteLength(after),
})

/** A message that an upstream sends over a WebSocket. */
export type UpstreamMessage =
  | { readonly kind: 'answer'; readonly id: string; readonly answer: UpstreamAnswer }
  /** `stream` is what the upstream calls the stream: a string, or the text of a number. */
  | { readonly kind: 'notification'; readonly stream: string; readonly notification: Notification }

/** Returns null for what is neither an answer nor a notification of a stream. */
export function readMessage(text: string): UpstreamMessage | null {
  const reader = new MessageReader()
  const end = reader.read(text, startOfJson(text), answerDepth)
  if (end === noJson || skipSpace(text, end) !== text.length) return null
  if (reader.method !== '') return readNotification(reader.method, reader.params)
  const answer = reader.answer()
  return answer === null ? null : { kind: 'answer', id: reader.id, answer }
}

function readNotification(methodText: string, params: string): UpstreamMessage | null {
  const method = plainText(methodText) ?? ''
  const named = new NameReader()
  if (!/^\w+$/.test(method) || endOfObject(params, 0, answerDepth, named) === noJson) return null
  const stream = streamNameOf(params.slice(named.from, named.to))
  if (stream === null) return null
  const before = `{"jsonrpc":"2.0","method":"${method}","params":${params.slice(0, named.from)}`
  return {
    kind: 'notification',
    stream,
    notification: notificationOf(method, before, `${params.slice(named.to)}}`),
  }
}

class MessageReader extends AnswerReader {
  /** The JSON text of the member, as is `params`. */
  method = ''
  params = ''

  override take(text: string, keyFrom: number, keyTo: number, from: number, to: number): void {
    if (isMemberName(text, keyFrom, keyTo, 'method')) this.method = text.slice(from, to)
    else if (isMemberName(text, keyFrom, keyTo, 'params')) this.params = text.slice(from, to)
    else super.take(text, keyFrom, keyTo, from, to)
  }
}

/** Finds where the parameters of a notification name its stream. */
class NameReader implements MemberReader {
  from = 0
  to = 0

  take(text: string, keyFrom: number, keyTo: number, from: number, to: number): void {
    const isName =
      isMemberName(text, keyFrom, keyTo, 'subscription') ||
      isMemberName(text, keyFrom, keyTo, 'subscription_id')
    if (!isName) return
    this.from = from
    this.to = to
  }
}

/** Returns what a JSON text calls a stream: a string, or the text of a whole number; null for anything else. */
export function streamNameOf(json: string): string | null {
  // Numbers stay texts: some nodes count beyond 2^53.
  if (/^\d{1,20}$/.test(json)) return json
  const value = parseJson(json)
  return typeof value === 'string' && value !== '' ? value : null
}

/** Returns the parameters of the notification, or undefined. */
export function paramsOf({ before, after }: Notification): { readonly result?: unknown } | undefined {
  const message = parseJson(`${before}0${after}`)
  if (typeof message !== 'object' || message === null || !('params' in message)) return undefined
  const { params } = message
  return typeof params === 'object' && params !== null ? params : undefined
}
