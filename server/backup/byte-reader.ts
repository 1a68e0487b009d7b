/** Reads lines and byte blocks from a stream, and buffers no more than one of them. */
export interface ByteReader {
  /**
   * Returns the next line with its line break, or null at the end, for a line of more than `limit` bytes, and for one
   * without a line break.
   */
  line(limit: number): Promise<Uint8Array | null>
  /** Returns the next `length` bytes, or null when there are fewer. */
  exactly(length: number): Promise<Uint8Array | null>
  isAtEnd(): Promise<boolean>
}

const lineBreak = 0x0a

export function createByteReader(source: AsyncIterable<Uint8Array>): ByteReader {
  const chunks = source[Symbol.asyncIterator]()
  let buffered: Uint8Array = new Uint8Array()

  /** Buffers the next chunk. Returns false at the end of the stream. */
  async function readMore(): Promise<boolean> {
    const { value, done } = await chunks.next()
    if (done === true) return false
    buffered = buffered.length === 0 ? value : Buffer.concat([buffered, value])
    return true
  }

  function take(length: number): Uint8Array {
    const taken = buffered.subarray(0, length)
    buffered = buffered.subarray(length)
    return taken
  }

  return {
    async line(limit) {
      let searched = 0
      for (;;) {
        const end = buffered.indexOf(lineBreak, searched)
        if (end >= 0) return end < limit ? take(end + 1) : null
        searched = buffered.length
        if (searched >= limit || !(await readMore())) return null
      }
    },
    async exactly(length) {
      const parts: Uint8Array[] = []
      let missing = length
      while (missing > 0) {
        if (buffered.length === 0 && !(await readMore())) return null
        const part = take(Math.min(missing, buffered.length))
        missing -= part.length
        parts.push(part)
      }
      return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
    },
    isAtEnd: async () => buffered.length === 0 && !(await readMore()),
  }
}
