import { isJSONRPCRequest, isJSONRPCResponse } from '@modelcontextprotocol/server'
import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/server'

/**
 * The requests of one session that are not answered yet. Of two with one id the SDK would silently lose the first
 * one's answer.
 */
export interface InFlight {
  /** The first id among the messages that is taken, or null; then all of them count as under way. */
  take(messages: readonly unknown[]): RequestId | null
}

/** Watches what goes out through a transport. */
export function watchInFlight(transport: Transport): InFlight {
  const ids = new Set<RequestId>()
  const send = transport.send.bind(transport)
  transport.send = (message: JSONRPCMessage, options) => {
    if (isJSONRPCResponse(message) && message.id !== undefined) ids.delete(message.id)
    return send(message, options)
  }
  return {
    take(messages) {
      const asked = messages.filter(isJSONRPCRequest).map(({ id }) => id)
      const taken = asked.find((id, index) => ids.has(id) || asked.indexOf(id) !== index)
      if (taken !== undefined) return taken
      for (const id of asked) ids.add(id)
      // A request that is cancelled gets no answer.
      for (const id of messages.flatMap(cancelledId)) ids.delete(id)
      return null
    },
  }
}

function cancelledId(message: unknown): RequestId[] {
  if (typeof message !== 'object' || message === null || !('method' in message)) return []
  if (message.method !== 'notifications/cancelled' || !('params' in message)) return []
  const { params } = message
  if (typeof params !== 'object' || params === null || !('requestId' in params)) return []
  const { requestId } = params
  return typeof requestId === 'string' || typeof requestId === 'number' ? [requestId] : []
}
