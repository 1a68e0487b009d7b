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
  const decoder = new TextDecoder()
  let unfinished: string[] = []
  let data: string[] = []

  return (piece) => {
    const text = decoder.decode(piece, { stream: true })
    unfinished.push(text)
    if (!anyBreak.test(text)) return [] // joining a long line again with each piece would take its square
    const events: string[] = []
    const lines = unfinished.join('').split(lineBreak)
    unfinished = [lines.pop() ?? '']
    for (const line of lines) {
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

const anyBreak = /[\r\n]/
/** Matches a line break. A carriage return at the end may be half of one. */
const lineBreak = /\r\n|\n|\r(?!$)/
