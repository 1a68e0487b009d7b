/** Says a little, then the same again and again, as fast as it is taken or with pauses. */
export function endless(beginning: string, repeated: string, pauseMs = 0): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const piece = encoder.encode(repeated)
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(beginning)),
    async pull(controller) {
      if (pauseMs > 0) await Bun.sleep(pauseMs)
      controller.enqueue(piece)
    },
  })
}

/** So many bytes that mean nothing, in pieces. */
export function lengthy(bytes: number): ReadableStream<Uint8Array> {
  const piece = new Uint8Array(64 << 10).fill(0x61)
  let left = bytes
  return new ReadableStream({
    pull(controller) {
      if (left <= 0) return controller.close()
      left -= piece.byteLength
      controller.enqueue(piece)
    },
  })
}

export const silence = (): Promise<never> => Promise.withResolvers<never>().promise
