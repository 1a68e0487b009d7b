import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { systemClock } from './clock.ts'
import { EgressError, type EgressOptions, createEgress } from './egress.ts'

const loopback = ['127.0.0.0/8']
const generous = { timeoutMs: 5_000, maxBytes: 1_000_000 }

/** Every server and egress of this file, stopped at its end. */
const opened: (() => unknown)[] = []

/** A peer that writes what it likes; `requests` holds what it read, `openSockets` how many still listen to it. */
function rawPeer(answer: (socket: Bun.Socket<undefined>) => void) {
  const seen = { connections: 0, openSockets: 0, requests: [] as string[] }
  const server = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open() {
        seen.connections += 1
        seen.openSockets += 1
      },
      close() {
        seen.openSockets -= 1
      },
      data(socket, bytes) {
        seen.requests.push(bytes.toString())
        answer(socket)
      },
    },
  })
  opened.push(() => server.stop(true))
  return { seen, port: server.port }
}

async function codeOf(attempt: Promise<unknown>): Promise<string> {
  const outcome: unknown = await attempt.catch((error: unknown) => error)
  return outcome instanceof EgressError ? outcome.code : `not refused: ${JSON.stringify(outcome)}`
}

const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi'
let echo: Bun.Server<undefined>
let base = ''

beforeAll(() => {
  echo = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url)
      if (pathname.startsWith('/redirect/')) {
        return new Response(null, { status: Number(pathname.slice(10)), headers: { location: '/target' } })
      }
      if (pathname === '/empty') return new Response(null, { status: 204 })
      const headers = Object.fromEntries(request.headers)
      return Response.json({ method: request.method, url: request.url, headers, body: await request.text() })
    },
  })
  base = `http://127.0.0.1:${echo.port}`
})

afterAll(async () => {
  for (const close of opened) await close()
  await echo.stop(true)
})

function egressWith(options: Partial<EgressOptions> = {}) {
  const egress = createEgress({
    clock: systemClock,
    allowPrivate: loopback,
    schemes: ['http'],
    ...options,
  })
  opened.push(() => egress.close())
  return egress
}

describe('over sockets of our own', () => {
  describe('request', () => {
    test('sends method, headers and body, and gives status, headers and text', async () => {
      const { status, headers, text, bytes } = await egressWith().request({
        ...generous,
        url: `${base}/path?a=b#c`,
        method: 'POST',
        headers: { 'X-Key': 'k', connection: 'close', Host: 'evil.test', 'accept-encoding': 'gzip' },
        body: new TextEncoder().encode('sent'),
      })
      expect(status).toBe(200)
      expect(headers.get('content-type')).toContain('application/json')
      expect(bytes).toBe(new TextEncoder().encode(text).length)
      expect(JSON.parse(text)).toMatchObject({
        method: 'POST',
        url: `${base}/path?a=b`,
        body: 'sent',
        headers: {
          'x-key': 'k',
          host: `127.0.0.1:${echo.port}`,
          'accept-encoding': 'identity',
          connection: 'keep-alive',
        },
      })
    })

    test('dials the resolved address and names the host', async () => {
      const egress = egressWith({ resolve: async () => ['127.0.0.1'] })
      const { text } = await egress.request({ ...generous, url: `http://rpc.example:${echo.port}/` })
      expect(JSON.parse(text).headers.host).toBe(`rpc.example:${echo.port}`)
    })

    test('tries the next address when nobody listens at the first', async () => {
      const egress = egressWith({ resolve: async () => ['127.0.0.9', '127.0.0.1'] })
      const { status } = await egress.request({ ...generous, url: `http://rpc.example:${echo.port}/` })
      expect(status).toBe(200)
    })

    test('uses one connection for exchanges that follow each other', async () => {
      const peer = rawPeer((socket) => socket.write(ok))
      const egress = egressWith()
      for (let round = 0; round < 5; round += 1) {
        expect((await egress.request({ ...generous, url: `http://127.0.0.1:${peer.port}/` })).text).toBe('hi')
      }
      expect(peer.seen.connections).toBe(1)
      expect(peer.seen.requests).toHaveLength(5)
    })

    test('gives an answer without a body, and one to HEAD that announces a large one', async () => {
      const peer = rawPeer((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 5000000\r\n\r\n'))
      const egress = egressWith()
      expect(await egress.request({ ...generous, url: `${base}/empty` })).toMatchObject({
        status: 204,
        text: '',
        bytes: 0,
      })
      const head = egress.request({ ...generous, url: `http://127.0.0.1:${peer.port}/`, method: 'HEAD' })
      expect(await head).toMatchObject({ status: 200, text: '', bytes: 0 })
    })

    test('decodes UTF-8 that is cut between two pieces', async () => {
      const peer = rawPeer((socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\n')
        socket.write(new Uint8Array([0x61, 0xe2]))
        setTimeout(() => socket.write(new Uint8Array([0x82, 0xac])), 20)
      })
      const answer = await egressWith().request({ ...generous, url: `http://127.0.0.1:${peer.port}/` })
      expect(answer).toMatchObject({ text: 'a€', bytes: 4 })
    })

    test.each([301, 302, 303, 307, 308])('refuses a %d', async (status) => {
      expect(await codeOf(egressWith().request({ ...generous, url: `${base}/redirect/${status}` }))).toBe(
        'REDIRECT',
      )
    })

    test.each([301, 302, 303, 307, 308])(
      'hands a %d on, unfollowed, to who asks for that',
      async (status) => {
        const url = `${base}/redirect/${status}`
        const answer = await egressWith().request({ ...generous, url, takesRedirects: true })
        expect([answer.status, answer.headers.has('location')]).toEqual([status, true])
      },
    )

    test('a header that HTTP cannot carry, and a body on GET, are programmer errors', async () => {
      const egress = egressWith()
      await expect(egress.request({ ...generous, url: base, headers: { a: 'b\r\nc: d' } })).rejects.toThrow(
        TypeError,
      )
      await expect(egress.request({ ...generous, url: base, body: 'x' })).rejects.toThrow(TypeError)
    })

    test('by default loopback, http and private names are out of reach', async () => {
      const closed = createEgress({ clock: systemClock, allowPrivate: [] })
      opened.push(() => closed.close())
      expect(await codeOf(closed.request({ ...generous, url: base }))).toBe('SCHEME')
      expect(await codeOf(closed.request({ ...generous, url: 'https://127.0.0.1/' }))).toBe('ADDRESS')
      expect(await codeOf(closed.request({ ...generous, url: 'https://localhost/' }))).toBe('ADDRESS')
    })
  })

  describe('limits', () => {
    test('a body of exactly the cap passes, one byte more does not', async () => {
      const peer = rawPeer((socket) =>
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n${'x'.repeat(10)}`),
      )
      const url = `http://127.0.0.1:${peer.port}/`
      const egress = egressWith()
      expect((await egress.request({ url, timeoutMs: 5_000, maxBytes: 10 })).bytes).toBe(10)
      expect(await codeOf(egress.request({ url, timeoutMs: 5_000, maxBytes: 9 }))).toBe('TOO_LARGE')
    })

    test('a body whose length nobody announced is cut at the cap, and its connection closed', async () => {
      const chunk = `400\r\n${'x'.repeat(1_024)}\r\n`
      const peer = rawPeer((socket) =>
        socket.write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${chunk.repeat(8)}`),
      )
      const egress = egressWith()
      const attempt = egress.request({
        url: `http://127.0.0.1:${peer.port}/`,
        timeoutMs: 5_000,
        maxBytes: 4_096,
      })
      expect(await codeOf(attempt)).toBe('TOO_LARGE')
      await waitUntil('the connection is closed', () => peer.seen.openSockets === 0, 3_000)
    })

    test.each([
      ['gzip', (bytes: Uint8Array<ArrayBuffer>) => Bun.gzipSync(bytes)],
      ['zstd', (bytes: Uint8Array<ArrayBuffer>) => Bun.zstdCompressSync(bytes)],
    ])('the cap counts decoded bytes of an unwanted %s', async (encoding, compress) => {
      const plain = new TextEncoder().encode('a'.repeat(100_000))
      const packed = compress(plain)
      const peer = rawPeer((socket) => {
        socket.write(
          `HTTP/1.1 200 OK\r\ncontent-encoding: ${encoding}\r\ncontent-length: ${packed.length}\r\n\r\n`,
        )
        socket.write(packed)
      })
      const url = `http://127.0.0.1:${peer.port}/`
      const egress = egressWith()
      expect((await egress.request({ url, timeoutMs: 5_000, maxBytes: 100_000 })).bytes).toBe(100_000)
      expect(await codeOf(egress.request({ url, timeoutMs: 5_000, maxBytes: 99_999 }))).toBe('TOO_LARGE')
    })

    test.each([
      ['is longer', 'content-length: 200000', 'x'.repeat(20_000), 'x'.repeat(1_000)],
      ['does not end', 'content-length: 9', 'hi', 'hi'],
      ['breaks off', 'transfer-encoding: chunked', '2\r\nhi\r\nno length', 'hi'],
      ['is in an unknown encoding', 'content-encoding: none\r\ncontent-length: 9', 'hi', ''],
      ['unpacks to more', 'content-encoding: gzip', Bun.gzipSync('y'.repeat(20_000)), 'y'.repeat(1_000)],
    ])('whoever keeps the beginning is told the status with a body that %s', async (_, field, body, text) => {
      const peer = rawPeer((socket) => {
        socket.write(`HTTP/1.1 202 Accepted\r\n${field}\r\n\r\n`)
        socket.write(body)
      })
      const answer = await egressWith().request({
        url: `http://127.0.0.1:${peer.port}/`,
        timeoutMs: 60_000,
        maxBytes: 1_000,
        keepsBeginning: true,
      })
      expect(answer).toMatchObject({ status: 202, text, bytes: text.length })
      await waitUntil('the connection is closed', () => peer.seen.openSockets === 0, 3_000)
    })

    test.each([
      ['says nothing', ''],
      ['stops within the headers', 'HTTP/1.1 200 OK\r\nx-a: '],
      ['stops within the body', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhi'],
    ])('the deadline ends an exchange with a peer that %s', async (_, words) => {
      const peer = rawPeer((socket) => socket.write(words))
      const attempt = egressWith().request({
        url: `http://127.0.0.1:${peer.port}/`,
        timeoutMs: 60,
        maxBytes: 10,
      })
      expect(await codeOf(attempt)).toBe('TIMEOUT')
      await waitUntil('the connection is closed', () => peer.seen.openSockets === 0, 3_000)
    })

    test.each([
      ['headers', 'HTTP/1.1 200 OK\r\nx-a: '],
      ['body', 'HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n'],
    ])('the deadline is total: dripping %s does not move it', async (_, words) => {
      const drips: Timer[] = []
      const peer = rawPeer((socket) => {
        socket.write(words)
        drips.push(setInterval(() => socket.write('a'), 5))
      })
      const startedAt = systemClock.monotonic()
      const attempt = egressWith().request({
        url: `http://127.0.0.1:${peer.port}/`,
        timeoutMs: 100,
        maxBytes: 1_000_000,
      })
      expect(await codeOf(attempt)).toBe('TIMEOUT')
      expect(systemClock.monotonic() - startedAt).toBeLessThan(2_000)
      for (const drip of drips) clearInterval(drip)
    })

    test('the deadline covers a resolver that hangs', async () => {
      const egress = egressWith({ resolve: () => Promise.withResolvers<string[]>().promise })
      expect(await codeOf(egress.request({ url: 'http://a.test/', timeoutMs: 30, maxBytes: 10 }))).toBe(
        'TIMEOUT',
      )
    })
  })

  describe('giving up', () => {
    test('the signal ends an exchange under way, and one not yet begun', async () => {
      const peer = rawPeer(() => {})
      const controller = new AbortController()
      const request = { ...generous, url: `http://127.0.0.1:${peer.port}/`, signal: controller.signal }
      const egress = egressWith()
      const attempt = codeOf(egress.request(request))
      await waitUntil('the request arrives', () => peer.seen.requests.length === 1, 3_000)
      controller.abort(new Error('words of the caller'))
      expect(await attempt).toBe('ABORTED')
      await waitUntil('the connection is closed', () => peer.seen.openSockets === 0, 3_000)
      expect(await codeOf(egress.request(request))).toBe('ABORTED')
      expect(peer.seen.requests).toHaveLength(1)
    })

    test('close ends what is under way, refuses what follows, and leaves no idle connection', async () => {
      let answersLeft = 1
      const peer = rawPeer((socket) => {
        if (answersLeft-- > 0) socket.write(ok)
      })
      const request = { ...generous, url: `http://127.0.0.1:${peer.port}/` }
      const egress = egressWith()
      await egress.request(request)
      const attempt = codeOf(egress.request(request))
      await waitUntil('the second request arrives', () => peer.seen.requests.length === 2, 3_000)
      egress.close()
      expect(await attempt).toBe('ABORTED')
      expect(await codeOf(egress.request(request))).toBe('ABORTED')
      await waitUntil('the connection is closed', () => peer.seen.openSockets === 0, 3_000)
    })
  })

  test('a name that rebinds to a private address is refused when it is looked up again', async () => {
    const listed = ['127.0.0.1']
    const answers = [listed, ['127.0.0.1', '10.0.0.1'], ['10.0.0.1'], listed]
    let nowMs = 0
    const egress = egressWith({
      clock: { now: () => nowMs, monotonic: () => nowMs },
      resolve: async () => answers.shift() ?? [],
    })
    const outcome = async (): Promise<string | number> => {
      const attempt = egress.request({ ...generous, url: `http://rebind.test:${echo.port}/` })
      return attempt.then(({ status }) => status).catch((error: EgressError) => error.code)
    }
    const outcomes = [await outcome()]
    for (const passedMs of [4_999, 1, 1_000, 1_000]) {
      nowMs += passedMs
      outcomes.push(await outcome())
    }
    expect(outcomes).toEqual([200, 200, 'ADDRESS', 'ADDRESS', 200])
  })
})
