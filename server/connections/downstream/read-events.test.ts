import { expect, test } from 'bun:test'
import * as fc from 'fast-check'

import { readEvents } from './read-events.ts'

function streamOf(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new Uint8Array(piece))
      controller.close()
    },
  })
}

async function eventsOf(text: string, cuts: readonly number[] = []): Promise<string[]> {
  const bytes = new TextEncoder().encode(text)
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
  const pieces = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
  return Array.fromAsync(readEvents(streamOf(pieces)))
}

test.each([
  ['data: one\n\n', ['one']],
  ['data:one\ndata: two\n\n', ['one\ntwo']],
  [': comment\nid: 7\nevent: message\ndata: one\n\ndata: two\r\n\r\n', ['one', 'two']],
  ['data: one\r\rdata: two\r\r\n', ['one', 'two']],
  ['data: unfinished', []],
  ['\n\n\n', []],
])('%j holds %j', async (text, events) => expect(await eventsOf(text)).toEqual(events))

test('it does not matter how the bytes are cut into pieces', async () => {
  const text = ': hi\r\ndata: grün\r\ndata: 漢字\r\n\r\ndata: {"a":1}\n\nid: 1\ndata: x\n\n'
  const whole = await eventsOf(text)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(200), { maxLength: 8 }), async (cuts) => {
      expect(await eventsOf(text, cuts)).toEqual(whole)
    }),
  )
})
