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
  /** Forgets requests that the messages have cancelled: nothing will answer them either. */
  cancel(messages: readonly unknown[]): void
  /** Answers all of them with an error, wherever their clients still listen. Does not reject. */
  refuseAll(): Promise<void>
}

/** The unanswered requests of one POST. */
interface Posted {
  readonly ids: Set<RequestId>
  isPartlyCancelled: boolean
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

/**
 * Observes the answers that leave through a transport. `closeStream` ends what answers the POST of a request, which the SDK
 * keeps open until each request has its answer: one that is cancelled gets none.
 */
export function watchInFlight(
  transport: Transport,
  closeStream: (id: RequestId) => void = () => undefined,
): InFlight {
  const posts = new Map<RequestId, Posted>()
  const send = transport.send.bind(transport)
  transport.send = async (message: JSONRPCMessage, options) => {
    const id = isJSONRPCResponse(message) ? message.id : undefined
    const post = id === undefined ? undefined : forget(id)
    await send(message, options)
    if (id !== undefined) closeIfOver(post, id)
  }

  /** Returns what it was posted with; undefined when it is not waited for. */
  function forget(id: RequestId): Posted | undefined {
    const post = posts.get(id)
    posts.delete(id)
    post?.ids.delete(id)
    return post
  }

  function closeIfOver(post: Posted | undefined, id: RequestId): void {
    if (post?.isPartlyCancelled === true && post.ids.size === 0) closeStream(id)
  }

  return {
    take(messages) {
      const asked = requestIds(messages)
      const taken = asked.find((id, index) => posts.has(id) || asked.indexOf(id) !== index)
      if (taken !== undefined) return taken
      const post = { ids: new Set(asked), isPartlyCancelled: false }
      for (const id of asked) posts.set(id, post)
      return null
    },
    release(messages) {
      for (const id of requestIds(messages)) forget(id)
    },
    cancel(messages) {
      for (const id of messages.flatMap(cancelledId)) {
        const post = forget(id)
        if (post !== undefined) post.isPartlyCancelled = true
        closeIfOver(post, id)
      }
    },
    async refuseAll() {
      const waiting = [...posts.keys()]
      posts.clear()
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
