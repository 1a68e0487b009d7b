import { isJSONRPCRequest, isJSONRPCResponse } from '@modelcontextprotocol/server'
import type { JSONRPCMessage, RequestId, Server, Transport } from '@modelcontextprotocol/server'

import { sessionNotFoundCode } from './refusals.ts'

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
  /** Answers all of them with an error, wherever their clients still listen. Does not reject. */
  refuseAll(): Promise<void>
}

const sessionEnded = {
  code: sessionNotFoundCode,
  message: 'The session ended before this was answered, and what it called may have happened',
}

/**
 * Closes the server of a session that ends, by its owner or its age. Requests under way are answered first: a client whose
 * stream merely ends waits for as long as its patience lasts.
 */
export async function closeAnswering(server: Pick<Server, 'close'>, unanswered?: InFlight): Promise<void> {
  await unanswered?.refuseAll()
  await server.close()
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
    async refuseAll() {
      const waiting = [...ids]
      ids.clear()
      await Promise.allSettled(waiting.map((id) => send({ jsonrpc: '2.0', id, error: sessionEnded })))
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
