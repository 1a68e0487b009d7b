import { expect, test } from 'bun:test'

import { silentLog } from '../../scripts/world/database.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { createOtherStreams } from './other-streams.ts'

/** The stream of another process that says nothing any more, or nonsense, and one that does not know the question. */

const event = (...methods: string[]): string => {
  const requests = methods.map((id) => ({ id, at: 1, notKept: 1, accountId: 'acc_1' }))
  return `${JSON.stringify({ requests, left: 0 })}\n`
}

function worldOf(ids: string[]) {
  const others = ids.map((id) => ({ id, url: `http://${id}.test`, version: '1', startedAt: 0 }))
  const pipes: ReadableStreamDefaultController<Uint8Array>[] = []
  const seen: string[] = []
  const told: string[][] = []
  const world = { others, at: 0, sent: 0, seen, told, status: 200, say: (_text: string) => {} }
  world.say = (text) => pipes.at(-1)?.enqueue(new TextEncoder().encode(text))
  const streams = createOtherStreams({
    internal: {
      registry: { others: () => world.others },
      async send() {
        world.sent++
        const body = new ReadableStream<Uint8Array>({ start: (pipe) => void pipes.push(pipe) })
        return new Response(body, { status: world.status })
      },
    },
    monotonic: () => world.at,
    log: silentLog,
    accountId: 'acc_1',
    filter: {},
    onEvent: ({ requests }) => seen.push(...requests.map(({ id }) => id)),
    onChange: () => told.push(streams.silent().map(({ id }) => id)),
  })
  return { world, streams }
}

test('events come in pieces; a process that falls silent is named, and asked again', async () => {
  const { world, streams } = worldOf(['a'])
  streams.check()
  await waitUntil('it is asked', () => world.sent === 1)
  const text = event('one', 'two')
  world.say(text.slice(0, 20))
  world.say(`${text.slice(20)}${event('three')}`)
  await waitUntil('the last is there', () => world.seen.length === 3)
  expect(world.seen).toEqual(['one', 'two', 'three'])
  world.at = 4_000
  streams.check()
  expect(streams.silent()).toEqual([])
  world.at = 5_100
  streams.check()
  await waitUntil('it is asked again', () => world.sent === 2)
  world.say(event())
  await waitUntil('it is heard again', () => world.told.length === 3)
  expect(world.told).toEqual([[], ['a'], []])
  expect(world.seen).toHaveLength(3)
})

test.each(['nonsense\n', '{"requests":[{"id":1}],"left":0}\n', `${' '.repeat(4_100_000)}`])(
  'an answer that is none (%.20s) is given up, and opened again after a while',
  async (answer) => {
    const { world, streams } = worldOf(['a'])
    streams.check()
    world.say(answer)
    await waitUntil('it is given up', () => streams.silent().length === 1)
    expect(streams.silent()).toEqual([{ id: 'a', url: 'http://a.test' }])
    streams.check()
    expect(world.sent).toBe(1)
    world.at = 2_000
    streams.check()
    expect(world.sent).toBe(2)
  },
)

test('a process of an older version does not know the question; one that is gone is not named', async () => {
  const { world, streams } = worldOf(['a'])
  world.status = 404
  streams.check()
  await waitUntil('it is given up', () => streams.silent().length === 1)
  world.others = []
  streams.check()
  expect([streams.count(), streams.silent()]).toEqual([0, []])
})
