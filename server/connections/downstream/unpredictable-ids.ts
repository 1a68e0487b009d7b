import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'

import { unpredictableId } from '../../platform/json-rpc-ids.ts'

type RequestId = string | number

/** The number of requests whose answers may still come; older ones were given up long ago. */
const maxPending = 1_000

/**
 * Sends every request of the SDK, which counts its own from 0, under an unguessable id. A response with any other id
 * belongs to somebody else's request and is dropped. `onNotice` is called first with every message that is no
 * response.
 */
export function withUnpredictableIds(
  transport: Transport,
  onNotice: (message: JSONRPCMessage) => void,
): Transport {
  const sentAs = new Map<RequestId, RequestId>()
  const askedAs = new Map<RequestId, RequestId>()
  const send = transport.send.bind(transport)
  let listener: Transport['onmessage']

  function forget(asked: RequestId): void {
    const sent = sentAs.get(asked)
    sentAs.delete(asked)
    if (sent !== undefined) askedAs.delete(sent)
  }

  function renamed(message: JSONRPCMessage): JSONRPCMessage {
    if (!('method' in message)) return message
    if ('id' in message) {
      const id = Number(unpredictableId())
      const [oldest] = sentAs.keys()
      if (sentAs.size >= maxPending && oldest !== undefined) forget(oldest)
      sentAs.set(message.id, id)
      askedAs.set(id, message.id)
      return { ...message, id }
    }
    const cancelled = message.method === 'notifications/cancelled' ? message.params?.['requestId'] : undefined
    if (typeof cancelled !== 'string' && typeof cancelled !== 'number') return message
    const requestId = sentAs.get(cancelled)
    forget(cancelled)
    return { ...message, params: { ...message.params, requestId } }
  }

  const hear: NonNullable<Transport['onmessage']> = (message, extra) => {
    if ('method' in message) {
      onNotice(message)
      return listener?.(message, extra)
    }
    const asked = message.id === undefined ? undefined : askedAs.get(message.id)
    if (asked === undefined) return undefined
    forget(asked)
    return listener?.({ ...message, id: asked }, extra)
  }

  transport.send = (message, options) => send(renamed(message), options)
  // The SDK sets this field, reads it to chain what was set before, and calls it for whatever comes.
  Object.defineProperty(transport, 'onmessage', {
    get: () => (listener === undefined ? undefined : hear),
    set: (next: Transport['onmessage']) => {
      listener = next
    },
  })
  return transport
}
