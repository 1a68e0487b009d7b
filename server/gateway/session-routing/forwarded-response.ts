import type { RequestId } from '@modelcontextprotocol/server'

import { type Fault, fault } from '../../platform/fault.ts'
import type { RequesterFrame, OwnerFrame } from './frame.ts'
import { lastEvents } from './unfinished-requests.ts'

/** The response of another process while its frames arrive. */
export interface ForwardedResponse {
  /**
   * The outcome of the call. `absent`: the session is not there. `later`: retry in a moment. The request was
   * not executed in either case. Rejects with the fault `unavailable`.
   */
  readonly outcome: Promise<Response | 'absent' | 'later'>
  receive(frame: OwnerFrame, bytes: Uint8Array): void
  /** Starts the wait for an acknowledgement; called when the request was published. */
  sent(): void
  /** Ends the response, because no further frame will come. */
  abort(): void
}

interface ForwardedResponseOptions {
  readonly call: string
  /** Fires when the caller disconnects. */
  readonly signal: AbortSignal
  /** The JSON-RPC requests that the caller waits for. */
  readonly requestIds: readonly RequestId[]
  send(frame: RequesterFrame): void
  onEnd(): void
}

/** A running process acknowledges a request within this time. */
const takenWithinMs = 2_000
/** The number of bytes that the owner process may send before its reader catches up. */
export const windowBytes = 131_072
/** Credit for bytes that were read is returned in steps of this size. */
const creditStepBytes = 32_768
/** The minimum cost of a part: a thousand small messages cost the store more than one large message. */
const leastBytes = 1_024

export const costOf = (part: Uint8Array | undefined): number => Math.max(leastBytes, part?.byteLength ?? 0)

export function createForwardedResponse(options: ForwardedResponseOptions): ForwardedResponse {
  const { call, signal, requestIds, send, onEnd } = options
  const outcome = Promise.withResolvers<Response | 'absent' | 'later'>()
  let stream: ReadableStreamDefaultController<Uint8Array> | null = null
  let isEventStream = false
  let isOver = false
  let isTaken = false
  let enqueuedBytes = 0
  let creditedBytes = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const abandon = (): void => {
    if (isOver) return
    send({ kind: 'abort', call })
    finish()
    outcome.reject(notAnswered)
    stream?.error(new Error('the caller is gone'))
  }
  signal.addEventListener('abort', abandon, { once: true })

  function finish(): void {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    signal.removeEventListener('abort', abandon)
    onEnd()
  }

  /** Returns credit for bytes that the caller has read. */
  function credit(controller: ReadableStreamDefaultController<Uint8Array>): void {
    const unreadBytes = windowBytes - (controller.desiredSize ?? windowBytes)
    const bytes = enqueuedBytes - unreadBytes - creditedBytes
    if (isOver || bytes < creditStepBytes) return
    creditedBytes += bytes
    send({ kind: 'more', call, bytes })
  }

  function begin({ status, headers, hasBody }: Extract<OwnerFrame, { kind: 'head' }>): void {
    if (!hasBody) {
      finish()
      return outcome.resolve(new Response(null, { status, headers }))
    }
    const body = new ReadableStream<Uint8Array>(
      {
        start(controller) {
          stream = controller
        },
        pull: credit,
        cancel: abandon,
      },
      { highWaterMark: windowBytes, size: costOf },
    )
    const response = new Response(body, { status, headers })
    isEventStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
    outcome.resolve(response)
  }

  function abortResponse(): void {
    if (isOver) return
    finish()
    outcome.reject(notAnswered)
    if (stream === null) return
    if (!isEventStream) return stream.error(new Error('the process that was answering has ended'))
    if (requestIds.length > 0) stream.enqueue(new TextEncoder().encode(lastEvents(requestIds)))
    stream.close()
  }

  // Whoever asked may be gone by the time.
  outcome.promise.catch(() => undefined)

  return {
    outcome: outcome.promise,
    sent() {
      if (isTaken || isOver) return
      timer = setTimeout(() => {
        send({ kind: 'abort', call })
        abortResponse()
      }, takenWithinMs)
    },
    receive(frame, bytes) {
      if (isOver) return
      switch (frame.kind) {
        case 'taken':
          isTaken = true
          return clearTimeout(timer)
        case 'absent':
        case 'later':
          finish()
          return outcome.resolve(frame.kind)
        case 'head':
          return begin(frame)
        case 'part':
          enqueuedBytes += costOf(bytes)
          return stream?.enqueue(bytes)
        case 'end':
          finish()
          return stream?.close()
        case 'broken':
          return abortResponse()
      }
    },
    abort: abortResponse,
  }
}

const notAnswered: Fault = fault(
  'unavailable',
  'The process that has this session did not answer: the request may or may not have been carried out. The session goes on: try again in a moment',
  { retryAfterSec: 1 },
)
