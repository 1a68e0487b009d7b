import { dropped, createJsonScanner } from './bodies.ts'
import { DownstreamError } from './failure.ts'
import type { DownstreamLimits } from './limits.ts'

export interface EventStreamWatch {
  /** The budget since something was last requested. */
  readonly budget: EventBudget
  /** Returns what is passed on of a piece: nothing while it waits for more. All of each, unless given. */
  rewrite?(piece: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>
  /**
   * Called when the stream is over. `error` says what was wrong with it; null when it ended by itself. The rest of a
   * resumable stream can be requested again.
   */
  onEnd(error: DownstreamError | null, isResumable: boolean): void
}

/**
 * Limits what may arrive in answer to one request. A stream that stays open for hours begins anew with each request.
 */
export interface EventBudget {
  renew(): void
  /** Spends from the budget. Returns false when it is exhausted. */
  spend(bytes: number, events: number): boolean
}

export function createEventBudget({ streamBytes, streamEvents }: DownstreamLimits): EventBudget {
  let bytesLeft = streamBytes
  let eventsLeft = streamEvents
  return {
    renew() {
      bytesLeft = streamBytes
      eventsLeft = streamEvents
    },
    spend(bytes, events) {
      bytesLeft -= bytes
      eventsLeft -= events
      return bytesLeft >= 0 && eventsLeft >= 0
    },
  }
}

/**
 * Returns a stream of events as they arrive, cut off when one of them grows too large or too deep, or when there are
 * too many.
 */
export function watchedEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  limits: DownstreamLimits,
  { budget, rewrite, onEnd }: EventStreamWatch,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const scanner = createJsonScanner({
    maxDepth: limits.depth,
    maxValues: limits.values,
    maxEventBytes: limits.eventBytes,
  })
  const reader = body.getReader()

  function problemOf(piece: Uint8Array): DownstreamError | null {
    const eventsBefore = scanner.events()
    const tooLarge = scanner.scan(piece)
    if (tooLarge !== null) return new DownstreamError({ tooLarge })
    const isWithin = budget.spend(piece.byteLength, scanner.events() - eventsBefore)
    return isWithin ? null : new DownstreamError({ tooLarge: 'body' })
  }

  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        for (;;) {
          const read = await reader.read().catch(() => 'broken' as const)
          if (read === 'broken') {
            const error = new DownstreamError('unreachable')
            controller.error(error)
            return onEnd(error, scanner.hasIds())
          }
          if (read.done) {
            controller.close()
            return onEnd(null, scanner.hasIds())
          }
          const problem = problemOf(read.value)
          if (problem !== null) {
            controller.error(problem)
            onEnd(problem, false)
            return dropped(reader.cancel())
          }
          const passed = rewrite === undefined ? read.value : rewrite(read.value)
          if (passed.byteLength > 0) return controller.enqueue(passed)
        }
      },
      async cancel() {
        onEnd(null, false)
        await dropped(reader.cancel())
      },
    },
    { highWaterMark: 0 },
  )
}
