import { answerDepth, AnswerReader, type CallAnswer } from '../answers/answer-reader.ts'
import { endOfObject, isKey, type MemberReader, noJson, skipSpace } from '../json/value-end.ts'

/** What an upstream sends by a WebSocket. */
export type UpstreamMessage =
  | { readonly kind: 'answer'; readonly id: string; readonly answer: CallAnswer }
  /** `params`: JSON text, as the upstream wrote it. */
  | { readonly kind: 'notification'; readonly subscription: string; readonly params: string }

/** Null: it is neither an answer nor a notification of a subscription. */
export function readMessage(text: string): UpstreamMessage | null {
  const reader = new MessageReader()
  const end = reader.read(text, skipSpace(text, 0), answerDepth)
  if (end === noJson || skipSpace(text, end) !== text.length) return null
  const { id, params } = reader
  if (reader.method === '"eth_subscription"') {
    const subscription = subscriptionIn(params)
    return subscription === null ? null : { kind: 'notification', subscription, params }
  }
  const answer = reader.made()
  return answer === null ? null : { kind: 'answer', id, answer }
}

class MessageReader extends AnswerReader {
  /** JSON texts. */
  method = ''
  params = ''

  override take(text: string, keyFrom: number, keyTo: number, from: number, to: number): void {
    if (isKey(text, keyFrom, keyTo, 'method')) this.method = text.slice(from, to)
    else if (isKey(text, keyFrom, keyTo, 'params')) this.params = text.slice(from, to)
    else super.take(text, keyFrom, keyTo, from, to)
  }
}

/** The id of a subscription, with which notifications name it. */
function subscriptionIn(params: string): string | null {
  const reader = new SubscriptionReader()
  if (endOfObject(params, 0, answerDepth, reader) === noJson) return null
  return textOf(reader.subscription)
}

class SubscriptionReader implements MemberReader {
  subscription = ''

  take(text: string, keyFrom: number, keyTo: number, from: number, to: number): void {
    if (isKey(text, keyFrom, keyTo, 'subscription')) this.subscription = text.slice(from, to)
  }
}

/** The text that a JSON string stands for; null for any other value, and for what is no JSON. */
export function textOf(json: string): string | null {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'string' ? value : null
  } catch {
    return null
  }
}
