import { dropped } from './bodies.ts'
import { DownstreamError } from './failure.ts'
import { createJsonScanner } from './json-scanner.ts'
import type { DownstreamLimits } from './limits.ts'

export interface EventStreamWatch {
  /** All bytes that may come; a stream that stands for hours has no such bound. */
  readonly maxBytes: number
  /** The stream is over. The error says what was wrong with it, null that it ended by itself. */
  onEnd(error: DownstreamError | null): void
}

/** A stream of events as it arrives, cut off where one of them grows too large or too deep. */
export function watchedEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  limits: DownstreamLimits,
  { maxBytes, onEnd }: EventStreamWatch,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const scanner = createJsonScanner({ maxDepth: limits.depth, maxEventBytes: limits.eventBytes })
  const reader = body.getReader()
  let bytes = 0

  function problemOf(piece: Uint8Array): DownstreamError | null {
    bytes += piece.byteLength
    if (bytes > maxBytes) return new DownstreamError({ tooLarge: 'body' })
    const tooLarge = scanner.scan(piece)
    return tooLarge === null ? null : new DownstreamError({ tooLarge })
  }

  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const read = await reader.read().catch(() => 'broken' as const)
        if (read === 'broken') {
          const error = new DownstreamError('unreachable')
          controller.error(error)
          return onEnd(error)
        }
        if (read.done) {
          controller.close()
          return onEnd(null)
        }
        const problem = problemOf(read.value)
        if (problem === null) return controller.enqueue(read.value)
        controller.error(problem)
        onEnd(problem)
        await dropped(reader.cancel())
      },
      cancel: () => dropped(reader.cancel()),
    },
    { highWaterMark: 0 },
  )
}
