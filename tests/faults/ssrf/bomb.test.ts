import { brotliCompressSync, constants } from 'node:zlib'

import { afterAll, beforeAll, expect, test } from 'bun:test'

import { runClient } from './run-client.ts'

const bombBytes = 96 * 1_048_576
const maxBytes = 1_048_576
const mostGrowthMb = 16
/** Whether a cancelled fetch goes on inflating is a matter of luck: one try would not tell. */
const times = 8

let peer: Bun.Server<undefined>
let endlessBytesSent = 0

beforeAll(() => {
  const zeros = new Uint8Array(bombBytes)
  const bombs = new Map([
    ['/gzip', { encoding: 'gzip', packed: Bun.gzipSync(zeros) }],
    [
      '/br',
      {
        encoding: 'br',
        packed: new Uint8Array(
          brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
        ),
      },
    ],
    ['/zstd', { encoding: 'zstd', packed: new Uint8Array(Bun.zstdCompressSync(zeros)) }],
  ])
  peer = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      const { pathname } = new URL(request.url)
      if (pathname === '/endless') return new Response(endlessBody())
      const bomb = bombs.get(pathname)
      if (bomb === undefined) return new Response('small')
      return new Response(bomb.packed, { headers: { 'content-encoding': bomb.encoding } })
    },
  })
})

afterAll(() => peer.stop(true))

function endlessBody(): ReadableStream<Uint8Array> {
  const piece = new Uint8Array(65_536)
  return new ReadableStream({
    async pull(controller) {
      await Bun.sleep(0)
      endlessBytesSent += piece.byteLength
      controller.enqueue(piece)
    },
  })
}

const bodies = ['/gzip', '/br', '/zstd', '/endless']

test.each(bodies)('%s is cut at the cap and costs little memory', async (path) => {
  const report = await runClient({
    how: 'guarded',
    url: `http://127.0.0.1:${peer.port}${path}`,
    maxBytes,
    times,
  })
  expect(report.outcome).toBe('TOO_LARGE')
  expect(report.grownMb).toBeLessThan(mostGrowthMb)
})

test('an endless body stops flowing once it is cut', () => {
  expect(endlessBytesSent).toBeGreaterThan(maxBytes)
  expect(endlessBytesSent).toBeLessThan(10 * times * maxBytes)
})

test('the measurement can fail: a bare fetch takes in the whole bomb', async () => {
  const report = await runClient({ how: 'bare', url: `http://127.0.0.1:${peer.port}/br`, maxBytes })
  expect(report.outcome).toBe('TOO_LARGE')
  expect(report.grownMb).toBeGreaterThan(mostGrowthMb)
}, 20_000)
