import { describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'

import { NodeError } from './node-error.ts'
import { type Pieces, openResponse, sealResponse } from './sealed-response.ts'

const key = randomBytes(32)
const secret = 'a secret of a tool call'

/** Gives these pieces one by one. */
const streamOf = (pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> => {
  const left = [...pieces]
  return new ReadableStream({
    pull(controller) {
      const piece = left.shift()
      if (piece === undefined) controller.close()
      else controller.enqueue(piece)
    },
  })
}

const textOf = (text: string): Uint8Array => new TextEncoder().encode(text)

const responseOf = (...texts: string[]): Response =>
  new Response(streamOf(texts.map(textOf)), { status: 201, headers: { 'x-secret': secret } })

/** The frames as they go over the network. */
async function framesOf(response: Response): Promise<Buffer[]> {
  let unread = Buffer.from(await sealResponse(key, response).bytes())
  const frames: Buffer[] = []
  while (unread.length > 0) {
    const end = 4 + (unread.readUInt32BE() & 0x7f_ff_ff_ff)
    frames.push(unread.subarray(0, end))
    unread = unread.subarray(end)
  }
  return frames
}

function piecesOf(stream: ReadableStream<Uint8Array> | null): Pieces {
  const reader = (stream ?? streamOf([])).getReader()
  return { next: async () => (await reader.read()).value ?? null, drop: () => reader.cancel() }
}

const opened = (sealed: Response): Promise<Response> => openResponse(key, piecesOf(sealed.body))

const flipped = (frame: Buffer, at: number): Buffer => {
  const copy = Buffer.from(frame)
  copy.writeUInt8(copy.readUInt8(at) ^ 0x80, at)
  return copy
}

/** What the other side makes of these pieces: the text of the response, or why there is none. */
async function readOf(pieces: readonly Uint8Array[], under = key): Promise<string> {
  try {
    const response = await openResponse(under, piecesOf(streamOf(pieces)))
    return await response.text()
  } catch (error) {
    if (error instanceof NodeError) return error.failure
    throw error
  }
}

describe('a sealed response', () => {
  test('opens as it was, in whatever pieces it comes', async () => {
    const large = randomBytes(300_000)
    const response = await opened(
      sealResponse(key, new Response(large, { status: 207, headers: { a: 'b' } })),
    )
    expect([response.status, response.headers.get('a')]).toEqual([207, 'b'])
    expect(Buffer.from(await response.bytes()).equals(large)).toBe(true)

    const frames = await framesOf(responseOf('ab', '', 'cd'))
    expect(frames).toHaveLength(4)
    const bytes = Buffer.concat(frames)
    expect(await readOf([bytes])).toBe('abcd')
    expect(await readOf([...bytes].map((byte) => Uint8Array.of(byte)))).toBe('abcd')

    const empty = await opened(sealResponse(key, new Response(null, { status: 204 })))
    expect([empty.status, empty.body]).toEqual([204, null])
  })

  test('shows nothing of its head or its body', async () => {
    const text = Buffer.concat(await framesOf(responseOf(secret, secret))).toString('latin1')
    expect(text).not.toMatch(/a secret|x-secret/)
  })

  test('that was changed, swapped, cut or made longer fails', async () => {
    const frames = await framesOf(responseOf('ab', 'cd'))
    const [head, ab, cd, last] = frames as [Buffer, Buffer, Buffer, Buffer]
    const wrong = {
      'a changed piece': [head, flipped(ab, 5), cd, last],
      'swapped pieces': [head, cd, ab, last],
      'a piece twice': [head, ab, ab, cd, last],
      'a piece left out': [head, cd, last],
      'an end that came too early': [head, ab, last],
      'no end': [head, ab, cd],
      'a piece that is cut': [head, ab, cd.subarray(0, -1)],
      'a piece that is said to be the end': [head, ab, flipped(cd, 0)],
      'an end that is said to be a piece': [head, ab, cd, flipped(last, 0)],
    }
    for (const [what, pieces] of Object.entries(wrong))
      expect([what, await readOf(pieces)]).toEqual([what, 'broken'])
  })

  test('without a head of this request is refused', async () => {
    const [head, ab] = (await framesOf(responseOf('ab'))) as [Buffer, Buffer]
    const strange = {
      nothing: [],
      words: [textOf('welcome')],
      'no head': [ab],
      'half a head': [head.subarray(0, 9)],
    }
    for (const [what, pieces] of Object.entries(strange))
      expect([what, await readOf(pieces)]).toEqual([what, 'refused'])
    expect(await readOf([head, ab], randomBytes(32))).toBe('refused')
  })

  test('fails as its body does, and ends with its reader', async () => {
    const failing = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error('away')),
    })
    const failed = await opened(sealResponse(key, new Response(failing)))
    await expect(failed.text()).rejects.toThrow('away')

    let isCancelled = false
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(textOf('a')),
      cancel: () => void (isCancelled = true),
    })
    const left = await opened(sealResponse(key, new Response(endless)))
    await left.body?.cancel()
    expect(isCancelled).toBe(true)
  })
})
