import { parseJson } from '../../platform/json.ts'
import { endOfObject, isMemberName, type MemberReader, noJson, skipSpace } from '../json/value-end.ts'
import { answerDepth, AnswerReader, type UpstreamAnswer } from '../upstreams/upstream-response.ts'

/** A message that an upstream sends over a WebSocket. */
export type UpstreamMessage =
  | { readonly kind: 'answer'; readonly id: string; readonly answer: UpstreamAnswer }
  /** `params` is a JSON text, as the upstream wrote it. */
  | { readonly kind: 'notification'; readonly subscription: string; readonly params: string }

/** Returns null for what is neither an answer nor a notification of a subscription. */
export function readMessage(text: string): UpstreamMessage | null {
  const reader = new MessageReader()
  const end = reader.read(text, skipSpace(text, 0), answerDepth)
  if (end === noJson || skipSpace(text, end) !== text.length) return null
  const { id, params } = reader
  if (reader.method === '"eth_subscription"') {
    const subscription = subscriptionIn(params)
    return subscription === null ? null : { kind: 'notification', subscription, params }
  }
  const answer = reader.answer()
  return answer === null ? null : { kind: 'answer', id, answer }
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

/** Returns the id by which a notification names its subscription; null without one. */
function subscriptionIn(params: string): string | null {
  const reader = new SubscriptionReader()
  if (endOfObject(params, 0, answerDepth, reader) === noJson) return null
  return stringValueOf(reader.subscription)
}

class SubscriptionReader implements MemberReader {
  subscription = ''

  take(text: string, keyFrom: number, keyTo: number, from: number, to: number): void {
    if (isMemberName(text, keyFrom, keyTo, 'subscription')) this.subscription = text.slice(from, to)
  }
}

/** Returns what a JSON string stands for; null for any other value, and for what is no JSON. */
export function stringValueOf(json: string): string | null {
  const value = parseJson(json)
  return typeof value === 'string' ? value : null
}
