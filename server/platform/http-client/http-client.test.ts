import { afterAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'

import { waitUntil } from '../../../scripts/world/wait-until.ts'
import { systemClock } from '../clock.ts'
import { createCutoffs } from '../egress/cutoff.ts'
import { outboundOf } from '../egress/outbound.ts'
import { parseTarget } from '../egress/target.ts'
import { createHttpClient } from './http-client.ts'

type Socket = Bun.Socket<undefined>

const opened: (() => void)[] = []
afterAll(() => {
  for (const close of opened) close()
})

/** A peer that writes what it likes whenever it has read something. */
function startPeer(answer: (socket: Socket, request: string, count: number) => void) {
  const seen = { connections: 0, open: 0, requests: [] as string[] }
  const server = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open() {
        seen.connections++
        seen.open++
      },
      close() {
        seen.open--
      },
      data(socket, bytes) {
        const request = bytes.toString('latin1')
        answer(socket, request, seen.requests.push(request))
      },
    },
  })
  opened.push(() => server.stop(true))
  return { seen, url: `http://127.0.0.1:${server.port}/path?a=b` }
}

/** Answers the first request of each connection, and closes without a word at the second. */
function startForgetful() {
  const answered = new WeakSet<Socket>()
  return startPeer((socket) => {
    if (answered.has(socket)) {
      socket.end()
      return
    }
    answered.add(socket)
    socket.write(ok)
  })
}

interface Asked {
  method?: string
  headers?: Record<string, string>
  body?: string
}

function client(monotonic = systemClock.monotonic) {
  const httpClient = createHttpClient({ now: systemClock.now, monotonic })
  opened.push(() => httpClient.close())
  return {
    close: httpClient.close,
    async ask(url: string, { method = 'GET', headers, body }: Asked = {}): Promise<Response> {
      const target = parseTarget(url, { schemes: ['http'], ports: undefined })
      const outbound = outboundOf(target, { method, headers, body })
      const cutoff = createCutoffs().open(30_000, null)
      opened.push(cutoff.release)
      const { port, path } = target
      const to = { addresses: [target.host], port, path, tls: null, partition: '' }
      const received = await httpClient.send(to, outbound, cutoff)
      return new Response(received.whole ?? received.body, received)
    },
  }
}

const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi'
const post = { method: 'POST', body: 'x' }

const chunkedAnswer = (parts: readonly string[]): string =>
  `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${parts
    .map((part) => `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`)
    .join('')}0\r\n\r\n`

const lengthAnswer = (text: string): string =>
  `HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`

test('an answer is read the same however it is cut into pieces, and its connection is used again', async () => {
  let bytes = Buffer.alloc(0)
  let cuts: number[] = []
  const peer = startPeer(async (socket) => {
    socket.setNoDelay(true)
    let from = 0
    for (const place of [...cuts.map((cut) => cut % bytes.length).toSorted((a, b) => a - b), bytes.length]) {
      socket.write(bytes.subarray(from, place))
      socket.flush()
      from = place
      await Bun.sleep(0)
    }
  })
  const { ask } = client()
  const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 })
  await fc.assert(
    fc.asyncProperty(
      fc.array(words, { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      fc.array(fc.nat(), { maxLength: 4 }),
      async (parts, isChunked, places) => {
        bytes = Buffer.from(isChunked ? chunkedAnswer(parts) : lengthAnswer(parts.join('')))
        cuts = places
        const response = await ask(peer.url)
        expect(await response.text()).toBe(parts.join(''))
      },
    ),
  )
  expect(peer.seen.connections).toBe(1)
})

test('the request is what was asked for, its headers byte by byte', async () => {
  const peer = startPeer((socket) => socket.write(ok))
  await client().ask(peer.url, { method: 'POST', body: 'é', headers: { 'x-name': 'caf\u00e9' } })
  const [request = ''] = peer.seen.requests
  const [head = '', body] = request.split('\r\n\r\n')
  expect(head.split('\r\n').toSorted()).toEqual([
    'POST /path?a=b HTTP/1.1',
    'accept-encoding: identity',
    'connection: keep-alive',
    'content-length: 2',
    `host: ${new URL(peer.url).host}`,
    'x-name: caf\u00e9',
  ])
  expect(body).toBe(Buffer.from('é').toString('latin1'))
})

describe('a connection that was closed just before a request came', () => {
  test('a read is asked for again on a new one', async () => {
    const peer = startForgetful()
    const { ask } = client()
    for (let round = 0; round < 2; round++) expect(await (await ask(peer.url)).text()).toBe('hi')
    expect(peer.seen.requests).toHaveLength(3)
  })

  test('what may do something twice is not', async () => {
    const peer = startForgetful()
    const { ask } = client()
    await (await ask(peer.url, post)).text()
    await expect(ask(peer.url, post)).rejects.toMatchObject({ code: 'CONNECT' })
    expect(peer.seen.requests).toHaveLength(2)
  })
})

test('what comes behind an answer never becomes the answer to the next request', async () => {
  const peer = startPeer((socket, _request, count) =>
    socket.write(count === 1 ? `${ok}${ok}` : lengthAnswer('mine')),
  )
  const { ask } = client()
  await (await ask(peer.url)).text()
  expect(await (await ask(peer.url)).text()).toBe('mine')
  expect(peer.seen.connections).toBe(2)
})

test('what comes unasked closes the connection', async () => {
  let spoken: Socket | null = null
  const peer = startPeer((socket) => {
    spoken = socket
    socket.write(ok)
  })
  const { ask } = client()
  await (await ask(peer.url)).text()
  ;(spoken as Socket | null)?.write(ok)
  await waitUntil('the connection is closed', () => peer.seen.open === 0)
})

const large = { method: 'POST', body: 'x'.repeat(24 << 20) }

/** A peer that writes this at once, or when something of a request has come, and reads no more, so that none is written whole. */
function startHasty(answer: string, when: 'open' | 'data') {
  const seen = { connections: 0 }
  const speak = (socket: Socket): void => {
    socket.write(answer)
    socket.pause()
  }
  const server = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open(socket) {
        seen.connections++
        if (when === 'open') speak(socket)
      },
      data: (socket) => (when === 'data' ? speak(socket) : undefined),
    },
  })
  opened.push(() => server.stop(true))
  return { seen, url: `http://127.0.0.1:${server.port}/` }
}

const tooLarge = 'HTTP/1.1 413 x\r\ncontent-length: 5\r\n\r\nlarge'

test.each([
  ['at once', ok, 'open'],
  ['after the head', ok, 'data'],
  ['after the head and an interim one', `HTTP/1.1 103 x\r\n\r\n${tooLarge}`, 'data'],
] as const)(
  'an answer that comes %s, before its request was written whole, is none',
  async (_, answer, when) => {
    await expect(client().ask(startHasty(answer, when).url, large)).rejects.toMatchObject({
      code: 'PROTOCOL',
    })
  },
)

test.each([
  ['with a length', tooLarge],
  ['in chunks', 'HTTP/1.1 413 x\r\ntransfer-encoding: chunked\r\n\r\n5\r\nlarge\r\n0\r\n\r\n'],
])(
  'a refusal %s is read before its request was written whole, and ends the connection',
  async (_, answer) => {
    const peer = startHasty(answer, 'data')
    const { ask } = client()
    for (const connections of [1, 2]) {
      const response = await ask(peer.url, large)
      expect([response.status, await response.text()]).toEqual([413, 'large'])
      expect(peer.seen.connections).toBe(connections)
    }
  },
)

test('an idle connection is used for less than four seconds', async () => {
  let nowMs = 0
  const peer = startPeer((socket) => socket.write(ok))
  const { ask } = client(() => nowMs)
  for (const passedMs of [0, 3_999, 4_000]) {
    nowMs += passedMs
    await (await ask(peer.url)).text()
  }
  expect(peer.seen.connections).toBe(2)
})

test('who does not read on is not sent more than is buffered on the way', async () => {
  const total = 64 << 20
  let written = 0
  const piece = Buffer.alloc(64 << 10)
  const pump = (socket: Socket): void => {
    while (written < total) {
      const count = socket.write(piece)
      written += Math.max(0, count)
      if (count < piece.length) return
    }
  }
  const server = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data(socket) {
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${total}\r\n\r\n`)
        pump(socket)
      },
      drain: pump,
    },
  })
  opened.push(() => server.stop(true))
  const response = await client().ask(`http://127.0.0.1:${server.port}/`)
  let seen = -1
  await waitUntil('nothing more is written', async () => {
    const before = seen
    seen = written
    await Bun.sleep(100)
    return before === written
  })
  expect(written).toBeLessThan(16 << 20)
  expect((await response.bytes()).length).toBe(total)
})

test.each([204, 205, 304])('an answer of status %d has no body, whatever comes', async (status) => {
  const peer = startPeer((socket) => socket.write(`HTTP/1.1 ${status} x\r\ncontent-length: 2\r\n\r\nhi`))
  const response = await client().ask(peer.url)
  expect([response.status, await response.text()]).toEqual([status, ''])
})

test('interim answers are passed over, but not without end', async () => {
  const interim = 'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n'
  const peer = startPeer((socket, _request, count) => socket.write(interim.repeat(count === 1 ? 8 : 9) + ok))
  const { ask } = client()
  expect(await (await ask(peer.url)).text()).toBe('hi')
  await expect(ask(peer.url)).rejects.toMatchObject({ code: 'PROTOCOL' })
})

test('an answer that ends with its connection is whole; one that says its length is not', async () => {
  const peer = startPeer((socket, _request, count) => {
    socket.write(`HTTP/1.1 200 OK\r\n${count === 1 ? '' : 'content-length: 9\r\n'}\r\nhi`)
    socket.end()
  })
  const { ask } = client()
  expect(await (await ask(peer.url)).text()).toBe('hi')
  const half = async (): Promise<string> => (await ask(peer.url)).text()
  await expect(half()).rejects.toMatchObject({ code: 'CONNECT' })
})

test('closing leaves no idle connection, and no later request opens one', async () => {
  const peer = startPeer((socket) => socket.write(ok))
  const { ask, close } = client()
  await (await ask(peer.url)).text()
  close()
  await waitUntil('the connection is closed', () => peer.seen.open === 0)
  await expect(ask(peer.url)).rejects.toMatchObject({ code: 'CONNECT' })
  await waitUntil('no connection is left', () => peer.seen.open === 0)
})
