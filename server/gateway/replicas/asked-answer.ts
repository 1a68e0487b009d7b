import type { RequestId } from '@modelcontextprotocol/server'

import { type Fault, fault } from '../../platform/fault.ts'
import type { FromAsker, FromHome } from './frame.ts'
import { lastEvents } from './unanswered.ts'

/** The answer of another process, as it arrives. */
export interface AskedAnswer {
  /**
   * `absent`: the session is not there. `later`: ask again in a moment. Nothing was done in both cases. Rejects with the
   * fault `unavailable`.
   */
  readonly outcome: Promise<Response | 'absent' | 'later'>
  hear(frame: FromHome, bytes: Uint8Array): void
  /** The request has been sent: from now on it is waited for. */
  sent(): void
  /** Nothing more will come. */
  break(): void
}

interface AskedAnswerOptions {
  readonly call: string
  /** Fires when the caller is gone. */
  readonly signal: AbortSignal
  /** What the caller waits for. */
  readonly requestIds: readonly RequestId[]
  tell(frame: FromAsker): void
  onEnd(): void
}

/** A process that runs says within this that it answers. */
const takenWithinMs = 2_000
/** What the other process sends ahead of its reader. */
export const windowBytes = 131_072
/** It hears of what was read in steps of so many bytes. */
const creditStepBytes = 32_768
/** What a part counts for at least: a thousand small ones cost the store more than one large one. */
const leastBytes = 1_024

export const costOf = (part: Uint8Array | undefined): number => Math.max(leastBytes, part?.byteLength ?? 0)

export function createAskedAnswer(options: AskedAnswerOptions): AskedAnswer {
  const { call, signal, requestIds, tell, onEnd } = options
  const outcome = Promise.withResolvers<Response | 'absent' | 'later'>()
  let stream: ReadableStreamDefaultController<Uint8Array> | null = null
  let isEventStream = false
  let isOver = false
  let isTaken = false
  let enqueuedBytes = 0
  let creditedBytes = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  const leave = (): void => {
    if (isOver) return
    tell({ kind: 'abort', call })
    finish()
    outcome.reject(notAnswered)
    stream?.error(new Error('the caller is gone'))
  }
  signal.addEventListener('abort', leave, { once: true })

  function finish(): void {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    signal.removeEventListener('abort', leave)
    onEnd()
  }

  /** Tells how much was read. */
  function credit(controller: ReadableStreamDefaultController<Uint8Array>): void {
    const unreadBytes = windowBytes - (controller.desiredSize ?? windowBytes)
    const bytes = enqueuedBytes - unreadBytes - creditedBytes
    if (isOver || bytes < creditStepBytes) return
    creditedBytes += bytes
    tell({ kind: 'more', call, bytes })
  }

  function begin({ status, headers, hasBody }: Extract<FromHome, { kind: 'head' }>): void {
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
        cancel: leave,
      },
      { highWaterMark: windowBytes, size: costOf },
    )
    const response = new Response(body, { status, headers })
    isEventStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
    outcome.resolve(response)
  }

  function breakOff(): void {
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
        tell({ kind: 'abort', call })
        breakOff()
      }, takenWithinMs)
    },
    hear(frame, bytes) {
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
          return breakOff()
      }
    },
    break: breakOff,
  }
}

const notAnswered: Fault = fault(
  'unavailable',
  'The process that has this session did not answer: the request may or may not have been carried out. The session goes on: try again in a moment',
  { retryAfterSec: 1 },
)
