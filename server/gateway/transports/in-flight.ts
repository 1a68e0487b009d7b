import { isJSONRPCRequest, isJSONRPCResponse } from '@modelcontextprotocol/server'
import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/server'

/**
 * The unanswered requests of one session. When two requests share an id, the SDK silently loses the first one's
 * answer.
 */
export interface InFlight {
  /**
   * Registers the requests among the messages. Returns the first id that is already in use, and registers none
   * of them then; otherwise null.
   */
  take(messages: readonly unknown[]): RequestId | null
  /** Forgets requests that the transport has refused: nothing will answer them. */
  release(messages: readonly unknown[]): void
}

/** Observes the answers that leave through a transport. */
export function watchInFlight(transport: Transport): InFlight {
  const ids = new Set<RequestId>()
  const send = transport.send.bind(transport)
  transport.send = (message: JSONRPCMessage, options) => {
    if (isJSONRPCResponse(message) && message.id !== undefined) ids.delete(message.id)
    return send(message, options)
  }
  return {
    take(messages) {
      const asked = requestIds(messages)
      const taken = asked.find((id, index) => ids.has(id) || asked.indexOf(id) !== index)
      if (taken !== undefined) return taken
      for (const id of asked) ids.add(id)
      // A request that is cancelled gets no answer.
      for (const id of messages.flatMap(cancelledId)) ids.delete(id)
      return null
    },
    release(messages) {
      for (const id of requestIds(messages)) ids.delete(id)
    },
  }
}

const requestIds = (messages: readonly unknown[]): RequestId[] =>
  messages.filter(isJSONRPCRequest).map(({ id }) => id)

function cancelledId(message: unknown): RequestId[] {
  if (typeof message !== 'object' || message === null || !('method' in message)) return []
  if (message.method !== 'notifications/cancelled' || !('params' in message)) return []
  const { params } = message
  if (typeof params !== 'object' || params === null || !('requestId' in params)) return []
  const { requestId } = params
  return typeof requestId === 'string' || typeof requestId === 'number' ? [requestId] : []
}
