import * as z from 'zod/mini'

import { parseJson } from '../json.ts'
import { NodeError } from './node-error.ts'
import { openBytes, sealBytes, tagBytes } from './sealed-bytes.ts'

/**
 * A response between nodes is a sequence of sealed frames: the first is its status and headers as JSON, the others are its
 * body as it comes. A frame is its length (4 bytes, the highest bit of the last frame is set) and its sealed bytes, whose
 * place is their nonce: frames that are changed, swapped, left out, or taken from another response do not open, and a
 * body without a last frame was cut.
 */
const ResponseHead = z.object({ status: z.number(), headers: z.array(z.tuple([z.string(), z.string()])) })

const lengthBytes = 4
const lastBit = 0x80_00_00_00
/** Nothing of a frame can be passed on before all of it has come. */
const maxPlainBytes = 65_536
const nothing = new Uint8Array()

/** Seals a response as fast as the other node reads it. */
export function sealResponse(key: Buffer, { status, headers, body }: Response): Response {
  const seal = createFrameSealer(key)
  const head = new TextEncoder().encode(JSON.stringify({ status, headers: [...headers] }))
  if (body === null) return new Response(seal(head, true))
  const reader = body.getReader()
  let isBegun = false

  /** A pull that gave nothing would be the last one. */
  async function pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    if (!isBegun) {
      isBegun = true
      return controller.enqueue(seal(head, false))
    }
    let { done, value = nothing } = await reader.read()
    while (!done && value.length === 0) ({ done, value = nothing } = await reader.read())
    for (let at = 0; at < value.length; at += maxPlainBytes)
      controller.enqueue(seal(value.subarray(at, at + maxPlainBytes), false))
    if (!done) return
    controller.enqueue(seal(nothing, true))
    controller.close()
  }

  const cancel = (reason: unknown): Promise<void> => reader.cancel(reason)
  return new Response(new ReadableStream({ pull, cancel }, { highWaterMark: 0 }))
}

function createFrameSealer(key: Buffer): (plain: Uint8Array, isLast: boolean) => Uint8Array<ArrayBuffer> {
  let index = 0
  return (plain, isLast) => {
    const length = Buffer.alloc(lengthBytes)
    length.writeUInt32BE(plain.length + tagBytes + (isLast ? lastBit : 0))
    const sealed = sealBytes(key, { index, isLast }, plain)
    index += 1
    return new Uint8Array(Buffer.concat([length, ...sealed]))
  }
}

/** What comes over the network, as fast as it is asked for. */
export interface Pieces {
  /** Returns the next piece, or null at the end. */
  next(): Promise<Uint8Array | null>
  /** Nobody wants the rest, which ends the connection. */
  drop(): Promise<void>
}

/**
 * Returns the response that was sealed, once its head has come. Rejects with a NodeError `refused` for what no node of this
 * installation sealed for this request, and as the pieces do when they break off. A body that was changed or cut fails.
 */
export async function openResponse(key: Buffer, pieces: Pieces): Promise<Response> {
  const nextFrame = createFrameReader(key, pieces)
  const first = await nextFrame()
  const head = ResponseHead.safeParse(first === null ? null : parseJson(first.bytes))
  if (first === null || !head.success) throw new NodeError('refused')
  if (first.isLast) return new Response(null, head.data)

  async function pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const frame = await nextFrame()
    if (frame === null) {
      await pieces.drop()
      throw new NodeError('broken')
    }
    if (!frame.isLast) return controller.enqueue(frame.bytes)
    controller.close()
  }

  return new Response(new ReadableStream({ pull, cancel: pieces.drop }, { highWaterMark: 0 }), head.data)
}

interface Frame {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly isLast: boolean
}

/** What it returns resolves to null where no frame follows that belongs there, and rejects as the pieces do. */
function createFrameReader(key: Buffer, pieces: Pieces): () => Promise<Frame | null> {
  let unread: Uint8Array[] = []
  let unreadBytes = 0
  let index = 0

  /** Returns this many bytes, or null when the pieces end before. */
  async function take(count: number): Promise<Uint8Array | null> {
    while (unreadBytes < count) {
      const piece = await pieces.next()
      if (piece === null) return null
      unread.push(piece)
      unreadBytes += piece.length
    }
    const [first = nothing] = unread
    const joined = unread.length === 1 ? first : Buffer.concat(unread)
    unread = [joined.subarray(count)]
    unreadBytes -= count
    return joined.subarray(0, count)
  }

  /** The connection can carry the next request once its end was read. */
  async function finish(): Promise<void> {
    if ((await pieces.next()) !== null) await pieces.drop()
  }

  return async () => {
    const prefix = await take(lengthBytes)
    if (prefix === null) return null
    const length = new DataView(prefix.buffer, prefix.byteOffset).getUint32(0)
    const isLast = length >= lastBit
    const sealedBytes = isLast ? length - lastBit : length
    if (sealedBytes > maxPlainBytes + tagBytes) return null
    const sealed = await take(sealedBytes)
    const bytes = sealed === null ? null : openBytes(key, { index, isLast }, sealed)
    index += 1
    if (bytes === null) return null
    // Whatever becomes of the connection, the response is whole.
    if (isLast) finish().catch(() => undefined)
    return { bytes, isLast }
  }
}
