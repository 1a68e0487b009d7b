import { createLineReader } from './line-reader.ts'

/** Yields the data of each event of a stream, in order. */
export async function* readEvents(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.getReader()
  const parse = createEventParser()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield* parse(value)
    }
  } finally {
    await reader.cancel().catch(() => undefined) // it may have failed, which its reader knows by then
  }
}

/**
 * Returns a function that takes a stream piece by piece, and returns the data of the events that end in each piece (HTML
 * Living Standard, "Server-sent events").
 */
export function createEventParser(): (piece: Uint8Array<ArrayBuffer>) => string[] {
  const linesOf = createLineReader()
  let data: string[] = []

  return (piece) => {
    const events: string[] = []
    for (const line of linesOf(piece)) {
      if (line === '' && data.length > 0) {
        events.push(data.join('\n'))
        data = []
      } else if (line.startsWith('data:')) {
        data.push(line.slice(line.startsWith('data: ') ? 'data: '.length : 'data:'.length))
      }
    }
    return events
  }
}
