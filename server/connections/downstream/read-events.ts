/** Yields the data of each event of a stream, in order (HTML Living Standard, "Server-sent events"). */
export async function* readEvents(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let unfinished: string[] = []
  let data: string[] = []
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const text = decoder.decode(value, { stream: true })
      unfinished.push(text)
      if (!anyBreak.test(text)) continue // joining a long line again with each piece would take its square
      const lines = unfinished.join('').split(lineBreak)
      unfinished = [lines.pop() ?? '']
      for (const line of lines) {
        if (line === '' && data.length > 0) {
          yield data.join('\n')
          data = []
        } else if (line.startsWith('data:')) {
          data.push(line.slice(line.startsWith('data: ') ? 'data: '.length : 'data:'.length))
        }
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined) // it may have failed, which its reader knows by then
  }
}

const anyBreak = /[\r\n]/
/** Matches a line break. A carriage return at the end may be half of one. */
const lineBreak = /\r\n|\n|\r(?!$)/
