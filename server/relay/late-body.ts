/** With its head an answer of this length still fits into the 16 kB that Bun gathers before it sends. */
const gatheredBytes = 12_288

/**
 * The body of an answer that is made after the handler of its request returned. Of a long one Bun would send each name
 * and each value of the head by itself (oven-sh/bun#41341), forty system calls in place of two; as a stream it sends
 * the head at once.
 */
export function lateBody(text: string | null): string | ReadableStream<Uint8Array> | null {
  if (text === null || text.length < gatheredBytes / 3) return text
  return Buffer.byteLength(text) < gatheredBytes ? text : streamOf(text)
}

function streamOf(text: string): ReadableStream<Uint8Array> {
  const source: Bun.DirectUnderlyingSource<Uint8Array> = {
    type: 'direct',
    pull(controller) {
      controller.write(text)
      controller.end()
    },
  }
  // The types of browsers, which know no direct sources, stand in front of Bun's.
  return new ReadableStream(source as unknown as UnderlyingDefaultSource<Uint8Array>)
}
