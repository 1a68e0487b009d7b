import { describe, expect, test } from 'bun:test'

import { waitUntil } from '../../../scripts/world/wait-until.ts'
import type { GatewayCaller } from '../authentication.ts'
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

const stranger: GatewayCaller = {
  kind: 'anonymous',
  name: 'anonymous',
  from: { caller: () => ({ address: null, origin: null }) },
}
const owner = (name: string, isStillAllowed: boolean): GatewayCaller => ({
  ...stranger,
  kind: 'account',
  name,
  keyName: name,
  accountId: `account of ${name}`,
  isStillAllowed: async () => isStillAllowed,
})

async function openStream(caller = stranger, streams = createStandingStreams()) {
  const source = startSource()
  const response = await streams.serve(caller, () => source.response)
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

test('those of a key that would not be let in again end, others stay', async () => {
  const streams = createStandingStreams()
  const [bad, good, other] = [
    await openStream(owner('a', false), streams),
    await openStream(owner('b', true), streams),
    await openStream(owner('c', false), streams),
  ]
  const read = bad.reader.read()
  await streams.recheck('a')
  await streams.recheck('b')
  expect((await read).done).toBe(true)
  for (const { source, reader } of [good, other]) {
    source.say('still here')
    expect((await reader.read()).value).toEqual(text('still here'))
  }
  await streams.recheck(null)
  expect((await other.reader.read()).done).toBe(true)
  expect([bad, good, other].map(({ source }) => source.isLeft())).toEqual([true, false, true])
})

test('a request whose caller is refused meanwhile is told, and one that is answered with events breaks off', async () => {
  const streams = createStandingStreams()
  const caller = owner('a', false)
  const waiting = streams.serveRequest(
    caller,
    (signal) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve(new Response('cancelled')))),
  )
  const source = startSource()
  const answer = await streams.serveRequest(caller, (signal) => {
    signal.addEventListener('abort', source.breakOff)
    return source.response
  })
  await streams.recheck('a')
  await expect(waiting).rejects.toMatchObject({ code: 'unauthorized' })
  await expect(answer.text()).rejects.toThrow('gone')
})

test('none is opened after all were ended, and a client is told to try again; requests are answered', async () => {
  const streams = createStandingStreams()
  streams.endAll()
  const refused = streams.serve(stranger, () => {
    throw new Error('it was opened')
  })
  await expect(refused).rejects.toMatchObject({ code: 'unavailable', retryAfterSec: 1 })
  expect(await (await streams.serveRequest(stranger, () => new Response('answered'))).text()).toBe('answered')
})

test('what is no stream is answered as it is', async () => {
  const refusal = Response.json({ error: 'no such session' }, { status: 404 })
  expect(await createStandingStreams().serve(stranger, () => refusal)).toBe(refusal)
})
