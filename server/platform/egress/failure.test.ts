import { afterAll, beforeAll, expect, test } from 'bun:test'

import { systemClock } from '../clock.ts'
import { createEgress } from '../egress.ts'
import { EgressError, type EgressErrorCode, toEgressError } from './failure.ts'

/** What each peer says before it hangs up, by the path that is asked. */
const answers: Record<string, string> = {
  '/silent': '',
  '/half-body': 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhello',
  '/half-chunk': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhel',
  '/bad-chunk': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nhello\r\n',
  '/not-http': 'SSH-2.0-OpenSSH_9.2\r\n\r\n',
  '/two-lengths': 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 5\r\n\r\nhello',
  '/upgrade': 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n',
  '/many-headers': `HTTP/1.1 200 OK\r\n${`x-a: ${'b'.repeat(1_000)}\r\n`.repeat(500)}\r\n`,
  '/status-999': 'HTTP/1.1 999 Odd\r\ncontent-length: 2\r\n\r\nhi',
  '/bad-gzip': 'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 5\r\n\r\nhello',
  '/bad-brotli': 'HTTP/1.1 200 OK\r\ncontent-encoding: br\r\ncontent-length: 5\r\n\r\nhello',
  '/bad-zstd': 'HTTP/1.1 200 OK\r\ncontent-encoding: zstd\r\ncontent-length: 5\r\n\r\nhello',
  '/unknown-encoding': 'HTTP/1.1 200 OK\r\ncontent-encoding: rot13\r\ncontent-length: 5\r\n\r\nhello',
  '/two-encodings': 'HTTP/1.1 200 OK\r\ncontent-encoding: gzip, br\r\ncontent-length: 5\r\n\r\nhello',
}

const options = { clock: systemClock, allowPrivate: ['127.0.0.0/8'], schemes: ['http', 'https'] as const }
const egress = createEgress(options)
let peer: ReturnType<typeof listen>

function listen() {
  return Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data(socket, bytes) {
        const path = bytes.toString().split(' ')[1] ?? ''
        socket.write(answers[path] ?? '')
        socket.end()
      },
    },
  })
}

beforeAll(() => {
  peer = listen()
})

afterAll(() => {
  egress.close()
  peer.stop(true)
})

async function failureOf(url: string): Promise<EgressError> {
  const outcome: unknown = await egress
    .request({ url, timeoutMs: 5_000, maxBytes: 1_000_000 })
    .catch((error) => error)
  if (!(outcome instanceof EgressError)) throw new Error(`no EgressError: ${JSON.stringify(outcome)}`)
  return outcome
}

const failures: [path: string, code: EgressErrorCode, reason: string | null][] = [
  ['/silent', 'CONNECT', 'ECONNRESET'],
  ['/half-body', 'CONNECT', 'ECONNRESET'],
  ['/half-chunk', 'CONNECT', 'ECONNRESET'],
  ['/bad-chunk', 'PROTOCOL', 'malformed'],
  ['/not-http', 'PROTOCOL', 'malformed'],
  ['/two-lengths', 'PROTOCOL', 'malformed'],
  ['/upgrade', 'PROTOCOL', 'malformed'],
  ['/many-headers', 'PROTOCOL', 'malformed'],
  ['/status-999', 'PROTOCOL', 'malformed'],
  ['/bad-gzip', 'PROTOCOL', null],
  ['/bad-brotli', 'PROTOCOL', null],
  ['/bad-zstd', 'PROTOCOL', null],
  ['/unknown-encoding', 'PROTOCOL', null],
  ['/two-encodings', 'PROTOCOL', null],
]

test.each(failures)('a peer that answers %s gives %s', async (path, code, reason) => {
  const failure = await failureOf(`http://127.0.0.1:${peer.port}${path}`)
  expect({ code: failure.code, reason: failure.reason }).toEqual({ code, reason })
})

test('a port on which nobody listens gives CONNECT', async () => {
  const gone = listen()
  const { port } = gone
  gone.stop(true)
  expect(await failureOf(`http://127.0.0.1:${port}/`)).toMatchObject({
    code: 'CONNECT',
    reason: 'ECONNREFUSED',
  })
})

test('a peer that speaks no TLS gives TLS', async () => {
  const plain = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('plain') })
  try {
    expect(await failureOf(`https://127.0.0.1:${plain.port}/`)).toMatchObject({
      code: 'TLS',
      reason: 'EPROTO',
    })
  } finally {
    await plain.stop(true)
  }
})

const withCode = (code: string): Error => Object.assign(new Error('words of the runtime'), { code })

test.each([
  ['CERT_HAS_EXPIRED', 'TLS'],
  ['CERT_NOT_YET_VALID', 'TLS'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'TLS'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'TLS'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'TLS'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'TLS'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'TLS'],
  ['ENETUNREACH', 'CONNECT'],
  ['EHOSTUNREACH', 'CONNECT'],
  ['EPIPE', 'CONNECT'],
  ['SomethingNew', 'PROTOCOL'],
])('the runtime code %s becomes %s', (reason, code) => {
  expect(toEgressError(withCode(reason))).toMatchObject({ code, reason })
})

test('an error holds no words of the runtime or of a peer', () => {
  const error = toEgressError(
    Object.assign(new Error('connect to 10.0.0.7 failed'), { code: 'ECONNREFUSED' }),
  )
  expect(error.message).toBe('outbound request failed: CONNECT')
  expect(error.cause).toBeUndefined()
})
