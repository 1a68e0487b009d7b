import { fault } from '../../platform/fault.ts'
import { whenOver } from '../../platform/http/when-over.ts'
import { type GatewayCaller, endRefused } from '../authentication.ts'
import { isEventStream } from './keep-alive.ts'

/** Answers until the signal aborts. */
type Answer = (signal: AbortSignal) => Response | Promise<Response>

/**
 * The streams that answer no request and would last as long as their client: `GET /mcp`, `GET /mcp/c/…` and
 * `subscriptions/listen`, whether this process answers them or another one. A process that stops ends them, so that
 * nothing but requests is waited for. They end with the API key or grant of their client, too, and so does what tool servers
 * answer to its requests at `/mcp/c/…`.
 */
export interface StandingStreams {
  /**
   * Answers with the stream that `open` opens, or with why it did not. Faults: `unavailable` once `endAll` was called,
   * `unauthorized` when the caller is refused meanwhile.
   */
  serve(caller: GatewayCaller, open: Answer): Promise<Response>
  /** Answers a request for as long as its caller is let in. Fault: `unauthorized` when it is refused meanwhile. */
  serveRequest(caller: GatewayCaller, answer: Answer): Promise<Response>
  /** Ends what is answered to an API key or agent that has changed, unless it would be let in again; null: to all of them. */
  recheck(keyId: string | null): Promise<void>
  /** Ends all streams, as if nothing more were to be said. */
  endAll(): void
}

interface OpenAnswer {
  readonly caller: GatewayCaller
  readonly isStanding: boolean
  readonly ending: AbortController
}

export function createStandingStreams(): StandingStreams {
  const all = new Set<OpenAnswer>()
  let isStopping = false

  async function answerUntilEnded(caller: GatewayCaller, isStanding: boolean, answer: Answer) {
    const one = { caller, isStanding, ending: new AbortController() }
    const { signal } = one.ending
    const forget = (): void => void all.delete(one)
    all.add(one)
    try {
      const response = await answer(signal)
      if (isEventStream(response)) {
        const body = whenOver(response.body, forget)
        return new Response(isStanding ? endedBy(signal, body) : body, response)
      }
      signal.throwIfAborted()
      forget()
      return response
    } catch (error) {
      forget()
      throw signal.aborted ? signal.reason : error
    }
  }

  return {
    async serve(caller, open) {
      if (isStopping) throw stopping()
      return answerUntilEnded(caller, true, open)
    },
    serveRequest: (caller, answer) => answerUntilEnded(caller, false, answer),
    recheck: (keyId) => endRefused(all, keyId, ({ ending }) => ending.abort(refused())),
    endAll() {
      isStopping = true
      for (const { isStanding, ending } of all) if (isStanding) ending.abort(stopping())
    },
  }
}

/** A comment, without which a client would wait for the status until something is said, often for many seconds. */
const opening = new TextEncoder().encode(': open\n\n')

/** The same body, which ends without an error when the signal is aborted or its source breaks off. */
function endedBy(signal: AbortSignal, body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => controller.enqueue(opening),
  })
  body
    .pipeTo(writable, { signal, preventAbort: true })
    .catch(() => writable.close())
    .catch(() => undefined) // its client is gone
  return readable
}

const stopping = () =>
  fault('unavailable', 'This process is stopping: the session goes on in another one', { retryAfterSec: 1 })

const refused = () => fault('unauthorized', 'This API key or token is not valid any more')
