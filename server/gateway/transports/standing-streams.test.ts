import { describe, expect, test } from 'bun:test'

import { waitUntil } from '../../../scripts/world/wait-until.ts'
import { createStandingStreams } from './standing-streams.ts'

const text = (chunk: string) => new TextEncoder().encode(chunk)

/** A stream of events, and what its source can do. */
function startSource() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let isLeft = false
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given
    },
    cancel() {
      isLeft = true
    },
  })
  return {
    response: new Response(body, { headers: { 'content-type': 'text/event-stream', 'x-of': 'it' } }),
    say: (chunk: string) => controller?.enqueue(text(chunk)),
    breakOff: () => controller?.error(new Error('gone')),
    isLeft: () => isLeft,
  }
}

async function openStream() {
  const streams = createStandingStreams()
  const source = startSource()
  const response = await streams.serve(() => source.response)
  const reader = response.body?.getReader()
  if (reader === undefined) throw new Error('no stream')
  // Said at once, before its source says anything.
  expect((await reader.read()).value).toEqual(text(': open\n\n'))
  return { streams, source, response, reader }
}

describe('a standing stream', () => {
  test('passes on what is said when it is said', async () => {
    const { source, response, reader } = await openStream()
    expect([response.status, response.headers.get('x-of')]).toEqual([200, 'it'])
    for (const chunk of ['one', 'two']) {
      source.say(chunk)
      expect((await reader.read()).value).toEqual(text(chunk))
    }
  })

  test('ends without an error when all are ended, and its source is told', async () => {
    const { streams, source, reader } = await openStream()
    const read = reader.read()
    streams.endAll()
    expect((await read).done).toBe(true)
    expect(source.isLeft()).toBe(true)
  })

  test('ends when its source breaks off', async () => {
    const { source, reader } = await openStream()
    const read = reader.read()
    source.breakOff()
    expect((await read).done).toBe(true)
  })

  test('is left when its client leaves', async () => {
    const { source, reader } = await openStream()
    await reader.cancel()
    await waitUntil('its source is told', source.isLeft)
  })
})

test('none is opened after all were ended, and a client is told to try again', async () => {
  const streams = createStandingStreams()
  streams.endAll()
  const refused = await streams.serve(() => {
    throw new Error('it was opened')
  })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
})

test('what is no stream is answered as it is', async () => {
  const refusal = Response.json({ error: 'no such session' }, { status: 404 })
  expect(await createStandingStreams().serve(() => refusal)).toBe(refusal)
})
