// Mostly waits: for streams that end.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'

import { type TestDatabase, silentLog, testDatabase } from '../../scripts/world/database.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import type { GatewayRequest } from '../../server/gateway/authentication.ts'
import { forwardPath } from '../../server/gateway/session-routing/envelope.ts'
import {
  type RequestForwarder,
  createRequestForwarder,
} from '../../server/gateway/session-routing/forward-requests.ts'
import {
  type ForwardedRequestServer,
  createForwardedRequestServer,
} from '../../server/gateway/session-routing/serve-forwarded.ts'
import { createSessionLists } from '../../server/gateway/session-routing/session-lists.ts'
import { systemClock } from '../../server/platform/clock.ts'
import { randomHex } from '../../server/platform/ids.ts'
import { type InternalHttp, createInternalHttp } from '../../server/platform/internal-http/internal-http.ts'
import { createMetrics } from '../../server/platform/metrics.ts'

/** How a request and its answer go from process to process: whole, no faster than it is read, and with an end. */

const masterKey = randomBytes(32)
let testbed: TestDatabase

interface Process {
  readonly internal: InternalHttp
  readonly forwarder: RequestForwarder
  readonly requestServer: ForwardedRequestServer
  serve: (request: Request) => Response | Promise<Response>
}
const running: Process[] = []

const createNode = (): InternalHttp =>
  createInternalHttp({
    database: testbed.database,
    clock: systemClock,
    log: silentLog,
    metrics: createMetrics(),
    nodeId: randomHex(8),
    version: '1.0.0',
    masterKeys: [masterKey],
    keyIds: [],
    url: null,
    hasOthers: true,
  })

async function startProcess(): Promise<Process> {
  const internal = createNode()
  const forwarder = createRequestForwarder({
    send: internal.send,
    registry: internal.registry,
    clock: systemClock,
  })
  const requestServer = createForwardedRequestServer({
    registry: internal.registry,
    log: silentLog,
    isHere: (_, sessionId) => sessionId === 'here',
    serve: async (request) => one.serve(request),
  })
  const one: Process = {
    internal,
    forwarder,
    requestServer,
    serve: () => new Response(null, { status: 204 }),
  }
  internal.handle(forwardPath, requestServer.answer)
  await internal.start()
  running.push(one)
  return one
}

let requester: Process
let home: Process

beforeAll(async () => {
  testbed = await testDatabase()
  requester = await startProcess()
  home = await startProcess()
}, 30_000)

afterEach(() =>
  waitUntil('nothing is left under way', () =>
    running.every(
      ({ forwarder, requestServer }) => forwarder.activeCount() + requestServer.activeCount() === 0,
    ),
  ),
)

afterAll(async () => {
  await Promise.all(running.map(({ internal }) => internal.stop()))
  await testbed?.drop()
})

const body = { jsonrpc: '2.0', id: 7, method: 'tools/list' }

function ask(signal?: AbortSignal, sent: unknown = body, sessionId = 'here', of = home.internal.nodeId) {
  const request = new Request('http://localhost/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: 'a=b' },
    body: '{}',
    signal: signal ?? null,
  })
  const incoming: GatewayRequest = {
    request,
    facts: {
      requestId: 'request-1',
      route: '/mcp',
      caller: () => ({ address: '198.51.100.7', origin: null }),
      allowSeconds: () => undefined,
      upgrade: () => false,
    },
    caller: {
      kind: 'anonymous',
      name: 'anonymous',
      from: { caller: () => ({ address: null, origin: null }) },
    },
    isForwarded: false,
  }
  return requester.forwarder.forward(of, sessionId, incoming, sent)
}

async function answered(asked: ReturnType<typeof ask>): Promise<Response> {
  const response = await asked
  if (!(response instanceof Response)) throw new Error(`not answered: ${response}`)
  return response
}

/** A port whose queue of connections is full: whatever comes further is dropped without a word. */
async function startFilteredPort() {
  const program = `
    const server = require('node:net').createServer().listen(0, '127.0.0.1', () => {
      console.log(server.address().port)
      process.kill(process.pid, 'SIGSTOP')
    })`
  const child = Bun.spawn([process.execPath, '-e', program], { stdout: 'pipe' })
  const { value } = await child.stdout.getReader().read()
  const port = Number(new TextDecoder().decode(value))
  let connected = 0
  const filling = Array.from({ length: 600 }, () =>
    connect(port, '127.0.0.1', () => (connected += 1)).on('error', () => undefined),
  )
  await waitUntil('the queue is full', () => connected > 500)
  return {
    port,
    async stop() {
      for (const socket of filling) socket.destroy()
      child.kill('SIGKILL')
      await child.exited
    },
  }
}

/** Counts what was taken from it. */
function endless(bytesAtOnce: number) {
  const seen = { bytes: 0, isCancelled: false }
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        seen.bytes += bytesAtOnce
        controller.enqueue(new Uint8Array(bytesAtOnce))
      },
      cancel() {
        seen.isCancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  return { seen, stream }
}

/** Says one thing, and then nothing. */
const silent = () =>
  new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(': begun\n\n')),
  })

const events = { 'content-type': 'text/event-stream' }
/** What the sockets of both sides hold, above what is read. */
const bufferedBytes = 16_000_000

describe('a request', () => {
  test('arrives as it was, without what is not for the gateway; so does its answer', async () => {
    const large = randomBytes(5_000_000)
    home.serve = async (request) =>
      new Response(await request.bytes(), {
        status: 418,
        headers: { 'x-cookie': String(request.headers.get('cookie')), 'mcp-session-id': request.url },
      })
    const response = await answered(ask(undefined, new Uint8Array(large)))
    expect([response.status, response.headers.get('mcp-session-id')]).toEqual([418, 'http://localhost/mcp'])
    expect(response.headers.get('x-cookie')).toBeNull()
    expect(Buffer.from(await response.bytes()).equals(large)).toBe(true)
  })

  test('for a session that is not there, or a process that is gone, has done nothing', async () => {
    let served = 0
    home.serve = () => new Response(String((served += 1)))
    expect(await ask(undefined, body, 'not here')).toBe('absent')
    await waitUntil('the absence of a process proves its end', requester.internal.registry.isSettled, 10_000)
    expect(await ask(undefined, body, 'here', randomHex(8))).toBe('gone')
    expect(served).toBe(0)
  }, 20_000)

  test('ends at the other process when its caller is gone', async () => {
    const left = new AbortController()
    const { seen, stream } = endless(1_000)
    let signal: AbortSignal | null = null
    home.serve = (request) => {
      ;({ signal } = request)
      return new Response(stream, { headers: events })
    }
    const response = await answered(ask(left.signal))
    const reader = response.body?.getReader()
    await reader?.read()
    left.abort()
    await waitUntil(
      'the other process hears of it',
      () => seen.isCancelled && signal?.aborted === true,
      1_000,
    )
    await reader?.cancel().catch(() => undefined)
  })

  test('to a process that leaves waits until it is gone, and has done nothing there', async () => {
    const leaving = await startProcess()
    let served = 0
    leaving.serve = () => new Response(String((served += 1)))
    await waitUntil('it is known', () =>
      requester.internal.registry.others().some(({ id }) => id === leaving.internal.nodeId),
    )
    leaving.requestServer.close()
    const asked = ask(undefined, body, 'here', leaving.internal.nodeId)
    await leaving.internal.leave()
    expect(await asked).toBe('gone')
    expect(served).toBe(0)
  }, 20_000)

  test('to a process behind a filter that drops everything fails in time, as nothing can have been done', async () => {
    const filtered = await startFilteredPort()
    await testbed.database.sql`
      INSERT INTO nodes (id, url, version, started_at, seen_at)
      VALUES ('filtered', ${`http://127.0.0.1:${filtered.port}`}, '1.0.0', now(), now() + interval '1 hour')`
    try {
      await expect(ask(undefined, body, 'here', 'filtered')).rejects.toThrow('cannot be reached now')
    } finally {
      await testbed.database.sql`DELETE FROM nodes WHERE id = 'filtered'`
      await filtered.stop()
    }
  }, 20_000)
})

describe('an answer', () => {
  test('comes no faster than it is read', async () => {
    const { seen, stream } = endless(65_536)
    home.serve = () => new Response(stream, { headers: events })
    const response = await answered(ask())
    const reader = response.body?.getReader()
    let before = -1
    await waitUntil('nothing more comes', async () => {
      const isQuiet = before === seen.bytes
      before = seen.bytes
      await Bun.sleep(100)
      return isQuiet
    })
    expect(seen.bytes).toBeLessThan(bufferedBytes)
    let read = 0
    while (read < 3_000_000) read += (await reader?.read())?.value?.length ?? 0
    expect(seen.bytes).toBeLessThan(read + bufferedBytes)
    await reader?.cancel()
    await waitUntil('its source is told', () => seen.isCancelled)
  })

  test('whose source breaks ends with an error for what was asked', async () => {
    home.serve = () =>
      new Response(
        new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode(': begun\n\n')),
          pull: () => Promise.reject(new Error('it broke')),
        }),
        { headers: events },
      )
    const text = await (await answered(ask())).text()
    expect(text).toContain('"id":7')
    expect(text).toContain('may or may not have been carried out')
  })

  test('that is no stream of events fails when its process ends; one that is ends with an error', async () => {
    const ending = await startProcess()
    ending.serve = () => new Response(silent(), { headers: events })
    await waitUntil('it is known', () =>
      requester.internal.registry.others().some(({ id }) => id === ending.internal.nodeId),
    )
    const text = (await answered(ask(undefined, body, 'here', ending.internal.nodeId))).text()
    ending.serve = () => new Response(silent())
    const whole = (await answered(ask(undefined, body, 'here', ending.internal.nodeId))).bytes()
    const outcome = whole.then(
      () => 'whole',
      () => 'failed',
    )
    await ending.internal.stop()
    expect(await text).toContain('may or may not have been carried out')
    expect(await outcome).toBe('failed')
  }, 20_000)
})

test('a process that does not know the others lists its own sessions, and says so', async () => {
  const alone = createNode()
  const lists = createSessionLists({ internal: alone, listHere: () => [] })
  expect(await lists.list(null)).toEqual({ sessions: [], processes: null, silent: 0 })
  await alone.stop()
})
