// Mostly waits: for nodes that do not answer.
import { describe, expect, test } from 'bun:test'

import { closedAfterEach } from '../support/closed-after-each.ts'
import {
  answerTo,
  okAnswer,
  type RawRequest,
  type RawUpstream,
  startRawUpstream,
} from '../../scripts/world/raw-upstream.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import {
  type TestRelay,
  startTestRelay,
  testPrice,
  type RelayScenario,
} from '../../server/relay/test-support/relay-under-test.ts'
import { covers } from '../support/covers.ts'

/** Part of the upstreams' addresses and of their headers: it must never come out again. */
const canary = 'canary-7f3a9c51e0'
const read = '{"jsonrpc":"2.0","id":"mine","method":"eth_getBalance","params":["0x1","latest"]}'
const write = '{"jsonrpc":"2.0","id":"mine","method":"eth_sendBundle","params":["0x1"]}'
const answered = '{"jsonrpc":"2.0","id":"mine","result":"0xgood"}'

const opened = closedAfterEach()

function upstream(answer: (request: RawRequest) => void): RawUpstream {
  const raw = startRawUpstream(answer)
  opened.push(raw.stop)
  return raw
}

const good = (request: RawRequest) => request.write(answerTo(request, '"result":"0xgood"'))

function relayTo(upstreams: readonly RawUpstream[], world: Partial<RelayScenario> = {}): TestRelay {
  const relay = startTestRelay({
    upstreams: upstreams.map(({ url }) => ({ url: `${url}${canary}`, headers: { 'x-token': canary } })),
    ...world,
    settings: { totalMs: 2_000, firstByteMs: 300, idleMs: 300, connectMs: 500, ...world.settings },
  })
  opened.push(relay.stop)
  return relay
}

async function post(relay: TestRelay, body = read) {
  const response = await fetch(relay.url, { method: 'POST', body })
  const text = await response.text()
  const headers = JSON.stringify([...response.headers])
  return { status: response.status, text, headers, retryAfter: response.headers.get('retry-after') }
}

/** Are made once: making them for each request would hold up the good upstream, which is in the same process. */
const spaces = Buffer.alloc(100_000_000, 0x20)
const bombs = { gzip: Bun.gzipSync(spaces), zstd: Bun.zstdCompressSync(spaces) }
const encoded = (coding: string, body: Uint8Array): Uint8Array =>
  Buffer.concat([
    Buffer.from(`HTTP/1.1 200 OK\r\ncontent-encoding: ${coding}\r\ncontent-length: ${body.length}\r\n\r\n`),
    body,
  ])

interface Mode {
  readonly name: string
  readonly answer: (request: RawRequest) => void
  readonly status: number
  /** Where another reason than that of the status is given. */
  readonly reason?: string
  /** The node says that it has done nothing with the call, which may then be sent elsewhere whatever it is. */
  readonly isRefusal?: boolean
  /** Another node would have the same answer, and is not called. */
  readonly isFinal?: boolean
  /** Takes the processor for a while, which the good upstream, in the same process, needs to answer in time. */
  readonly isHeavy?: boolean
}

const html = '<html><h1>502 Bad Gateway</h1></html>'
const status = (line: string, body = '', more = '') =>
  `HTTP/1.1 ${line}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${more}\r\n${body}`

/** All the ways in which an upstream may fail to answer. `status`: what callers see when there is no other one. */
const modes: readonly Mode[] = [
  { name: 'hangs', answer: () => undefined, status: 504 },
  { name: 'hangs within its head', answer: ({ write: say }) => say('HTTP/1.1 200 OK\r\ncont'), status: 504 },
  {
    name: 'hangs within its body',
    answer: ({ write: say }) => say(okAnswer('{"jsonrpc"').replace('10', '99')),
    status: 504,
  },
  {
    name: 'never comes to an end',
    answer: ({ write: say }) => {
      say('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
      const timer = setInterval(() => say('1\r\n \r\n'), 50)
      opened.push(() => clearInterval(timer))
    },
    status: 504,
  },
  { name: 'closes at once', answer: ({ end }) => end(), status: 502 },
  { name: 'resets', answer: ({ reset }) => reset(), status: 502 },
  {
    name: 'dies in the middle of its answer',
    answer: (request) => {
      request.write(answerTo(request, '"result":"0x1"').replace(/length: \d+/, 'length: 5000'))
      setTimeout(request.reset, 20)
    },
    status: 502,
  },
  { name: 'says HTML', answer: ({ write: say }) => say(okAnswer(html)), status: 502 },
  { name: 'says nothing', answer: ({ write: say }) => say(okAnswer('')), status: 502 },
  {
    name: 'truncates',
    answer: ({ write: say }) => say(okAnswer('{"jsonrpc":"2.0","id":1,"res')),
    status: 502,
  },
  { name: 'says other JSON', answer: ({ write: say }) => say(okAnswer('{"hello":1}')), status: 502 },
  { name: 'says an array', answer: ({ write: say }) => say(okAnswer('[]')), status: 502 },
  {
    name: 'answers another call',
    answer: ({ write: say }) => say(okAnswer('{"jsonrpc":"2.0","id":9,"result":1}')),
    status: 502,
  },
  {
    name: 'nests 200,000 levels',
    answer: ({ write: say }) => say(okAnswer(`{"id":1,"result":${'['.repeat(200_000)}`)),
    status: 502,
  },
  {
    name: 'redirects to another address',
    answer: ({ write: say }) =>
      say(status('307 Temporary Redirect', '', 'location: http://169.254.169.254/\r\n')),
    status: 502,
  },
  {
    name: 'is a broken gateway',
    answer: ({ write: say }) => say(status('502 Bad Gateway', html)),
    status: 502,
  },
  {
    name: 'fails',
    answer: ({ write: say }) => say(status('500 Internal Server Error', canary)),
    status: 502,
  },
  {
    name: 'has too many requests',
    answer: ({ write: say }) => say(status('429 Too Many Requests')),
    status: 503,
    reason: 'upstream_limited',
    isRefusal: true,
  },
  {
    name: 'knows no such address',
    answer: ({ write: say }) => say(status('404 Not Found', canary)),
    status: 502,
  },
  {
    name: 'announces 100 MB',
    answer: ({ write: say }) => say('HTTP/1.1 200 OK\r\ncontent-length: 100000000\r\n\r\n{'),
    status: 502,
    reason: 'answer_too_large',
    isFinal: true,
  },
  {
    name: 'sends a decompression bomb',
    answer: ({ write: say }) => say(encoded('gzip', bombs.gzip)),
    isHeavy: true,
    status: 502,
  },
  {
    name: 'sends a decompression bomb in zstd',
    answer: ({ write: say }) => say(encoded('zstd', bombs.zstd)),
    isHeavy: true,
    status: 502,
  },
  {
    name: 'says that it has compressed what it has not',
    answer: ({ write: say }) => say(encoded('br', Buffer.from('{"jsonrpc":"2.0","id":null}'))),
    status: 502,
  },
  {
    name: 'compresses in a way that nobody asked for',
    answer: ({ write: say }) => say(encoded('compress', Buffer.from('{"jsonrpc":"2.0","id":null}'))),
    status: 502,
  },
  { name: 'speaks no HTTP', answer: ({ write: say }) => say('+OK hello\r\n\r\n\r\n'), status: 502 },
  {
    name: 'has two lengths',
    answer: ({ write: say }) => say('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}'),
    status: 502,
  },
  {
    name: 'has a head without end',
    answer: ({ write: say }) => say(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}`),
    status: 502,
  },
]

/** Eight bombs take half a second even where nothing else runs. */
const patient = { totalMs: 15_000, firstByteMs: 5_000, connectMs: 5_000 }

describe('an upstream that', () => {
  for (const { name, answer, status: expected, reason, isFinal = false, isHeavy = false } of modes) {
    test(`${name} is an error of its own, without a trace of its address, and is not charged (threat 19)`, async () => {
      const relay = relayTo([upstream(answer)])
      const reply = await post(relay)
      expect(reply.status).toBe(expected)
      expect(JSON.parse(reply.text)).toMatchObject({
        jsonrpc: '2.0',
        id: 'mine',
        error: {
          code: -32002,
          data: { reason: reason ?? (expected === 504 ? 'upstream_timeout' : 'upstream_error') },
        },
      })
      expect(reply.text + reply.headers).not.toMatch(/canary|127\.0\.0\.1|169\.254/)
      expect(reply.headers).toContain('["x-rpc-credits","0"]')
      expect(relay.metered.at(-1)).toMatchObject({ outcomes: ['unanswered'], creditsBack: [testPrice] })
    })

    if (isFinal) continue
    test(`${name} is not noticed by who reads while there is another one`, async () => {
      const bad = upstream(answer)
      const fine = upstream(good)
      const relay = relayTo([bad, fine], { settings: isHeavy ? patient : {} })
      const replies = await Promise.all(
        Array.from({ length: 8 }, (_, n) => post(relay, read.replace('0x1', `0x${n}`))),
      )
      expect(replies.map(({ status: code, text }) => [code, text])).toEqual(
        replies.map(() => [200, answered]),
      )
    })
  }

  test('is not there is not noticed by anybody, as nobody can have seen the call', async () => {
    const gone = startRawUpstream(good)
    gone.stop()
    const relay = relayTo([gone, upstream(good)])
    for (const body of [read, write, read, write]) expect((await post(relay, body)).status).toBe(200)
  })
})

test('a monitored service is suspected after failures that suggest an outage, and not after others', async () => {
  const harmless: string[] = []
  for (const { name, answer } of modes) {
    const { url } = upstream(answer)
    const relay = relayTo([], { upstreams: [{ url, serviceId: 'node' }] })
    await post(relay)
    expect(relay.suspected.every((serviceId) => serviceId === 'node')).toBe(true)
    if (relay.suspected.length === 0) harmless.push(name)
  }
  expect(harmless).toEqual([
    'hangs',
    'hangs within its head',
    'hangs within its body',
    'never comes to an end',
    'redirects to another address',
    'has too many requests',
    'announces 100 MB',
  ])
  const relay = relayTo([upstream(good)])
  await post(relay)
  expect(relay.suspected).toEqual([])
})

describe('what may change something is sent once', () => {
  test.each(modes.map(({ name, answer, isRefusal = false }) => [name, answer, isRefusal] as const))(
    'also when the upstream %s, unless it refused it for its limit',
    async (_name, answer, isRefusal) => {
      const all = [upstream(answer), upstream(answer)]
      const relay = relayTo(all)
      expect((await post(relay, write)).status).toBeGreaterThanOrEqual(500)
      expect(all.flatMap(({ requests }) => requests)).toHaveLength(isRefusal ? 2 : 1)
    },
  )

  test('and on a new connection, as one that was used may be closed just now', async () => {
    const node = upstream(good)
    const relay = relayTo([node])
    await post(relay)
    await post(relay, write)
    await post(relay)
    expect(node.connections()).toBe(2)
    expect(node.requests.map(({ place }) => place)).toEqual([0, 0, 1])
  })
})

describe('connections', () => {
  test('are used again, and one that the upstream has closed meanwhile costs nobody anything', async () => {
    const node = upstream(good)
    const relay = relayTo([node])
    await post(relay)
    await post(relay)
    expect(node.connections()).toBe(1)
    // Closed when the next request arrives, without a byte: as by an upstream that had given the connection up.
    node.answer((request) => (request.place > 0 ? request.end() : good(request)))
    expect(await post(relay)).toMatchObject({ status: 200, text: answered })
    expect(node.connections()).toBe(2)
  })

  test('are given up after bytes that nobody asked for', async () => {
    const node = upstream((request) => {
      good(request)
      request.write('HTTP/1.1 200 OK\r\ncontent-length: 42\r\n\r\n{"jsonrpc":"2.0","id":1,"result":"0xevil"}')
    })
    const relay = relayTo([node])
    for (let count = 0; count < 5; count++) expect((await post(relay)).text).toBe(answered)
  })

  test('are closed with the relay', async () => {
    const node = upstream(good)
    const relay = relayTo([node])
    await post(relay)
    relay.relay.close()
    await waitUntil('the connection is closed', () => node.openConnections() === 0)
  })
})

test('100 MB without a length are cut off, many times at once, and cost no memory', async () => {
  covers('threat-24')
  const piece = Buffer.alloc(1 << 20, 0x61)
  const node = upstream((request) => {
    request.write('HTTP/1.1 200 OK\r\n\r\n{"jsonrpc":"2.0","id":1,"result":"')
    const timer = setInterval(() => request.write(piece), 1)
    opened.push(() => clearInterval(timer))
  })
  const relay = relayTo([node], {
    settings: {
      answerBytes: 4 << 20,
      allAnswerBytes: 16 << 20,
      idleMs: 5_000,
      firstByteMs: 5_000,
      totalMs: 8_000,
    },
  })
  Bun.gc(true)
  const before = process.memoryUsage.rss()
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) => post(relay, read.replace('0x1', `0x${n}`))),
  )
  expect(replies.every(({ status: code }) => code === 502)).toBe(true)
  Bun.gc(true)
  expect(process.memoryUsage.rss() - before).toBeLessThan(150 << 20)
}, 20_000)
