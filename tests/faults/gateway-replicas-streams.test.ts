import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import {
  type RequestForwarder,
  createRequestForwarder,
} from '../../server/gateway/session-routing/forward-requests.ts'
import {
  type ForwardedRequestServer,
  createForwardedRequestServer,
} from '../../server/gateway/session-routing/serve-forwarded.ts'
import { createFrameSeal } from '../../server/gateway/session-routing/frame-seal.ts'
import {
  type RemoteProcesses,
  createRemoteProcesses,
} from '../../server/gateway/session-routing/remote-processes.ts'
import type { GatewayRequest } from '../../server/gateway/authentication.ts'
import { systemClock } from '../../server/platform/clock.ts'
import { randomHex } from '../../server/platform/ids.ts'
import { createLog } from '../../server/platform/log.ts'
import { temporaryDataDir } from '../../scripts/world/database.ts'
import { needs } from '../support/needs.ts'
import { startStore, type TestStore } from '../../scripts/world/limit-nodes/nodes.ts'

/** How a request and its answer go from process to process: whole, no faster than it is read, and with an end. */

const hasRedis = needs('redis-server')
const folder = temporaryDataDir()
const secret = randomBytes(32)
const log = createLog({ level: 'silent' })
let store: TestStore

interface Process {
  readonly processId: string
  readonly remotes: RemoteProcesses
  readonly forwarder: RequestForwarder
  readonly requestServer: ForwardedRequestServer
  serve: (request: Request) => Response | Promise<Response>
}
const running: Process[] = []

async function startProcess(): Promise<Process> {
  const processId = randomHex(8)
  const remotes = createRemoteProcesses({
    url: store.url,
    processId,
    seal: createFrameSeal(secret, processId),
    clock: systemClock,
    log,
    onFrame({ from, frame, bytes }) {
      if (frame.kind === 'ask' || frame.kind === 'more' || frame.kind === 'abort') {
        requestServer.receive(from, frame, bytes)
      } else if (frame.kind !== 'beat' && frame.kind !== 'list' && frame.kind !== 'listed')
        forwarder.receive(from, frame, bytes)
    },
    onAbsent: async () => undefined,
    onLost() {
      forwarder.abortAll()
      requestServer.abortAll()
    },
  })
  const forwarder = createRequestForwarder(remotes)
  const requestServer = createForwardedRequestServer({
    remotes,
    log,
    isHere: (_, sessionId) => sessionId === 'here',
    serve: async (request) => one.serve(request),
  })
  const one: Process = {
    processId,
    remotes,
    forwarder,
    requestServer,
    serve: () => new Response(null, { status: 204 }),
  }
  running.push(one)
  await waitUntil('the process is connected', remotes.isReady)
  return one
}

let requester: Process
let home: Process

beforeAll(async () => {
  if (!hasRedis) return
  store = await startStore(folder)
  requester = await startProcess()
  home = await startProcess()
}, 30_000)

afterEach(async () => {
  if (!hasRedis) return
  await waitUntil('nothing is left under way', () =>
    running.every(
      ({ forwarder, requestServer }) => forwarder.activeCount() + requestServer.activeCount() === 0,
    ),
  )
})

afterAll(async () => {
  await Promise.all(running.map(({ remotes }) => remotes.stop()))
  await store?.kill()
  rmSync(folder, { recursive: true, force: true })
})

const body = { jsonrpc: '2.0', id: 7, method: 'tools/list' }

function ask(signal?: AbortSignal, sent: unknown = body, sessionId = 'here', of = home.processId) {
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

const events = { 'content-type': 'text/event-stream' }

describe.skipIf(!hasRedis)('a request', () => {
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
    await waitUntil('the absence of a process proves its end', requester.remotes.isSettled, 10_000)
    expect(await ask(undefined, body, 'here', randomHex(8))).toBe('gone')
    expect(served).toBe(0)
  }, 20_000)

  test('ends at the other process when its caller is gone', async () => {
    const left = new AbortController()
    const { seen, stream } = endless(10)
    let signal: AbortSignal | null = null
    home.serve = (request) => {
      ;({ signal } = request)
      return new Response(stream, { headers: events })
    }
    const response = await answered(ask(left.signal))
    const reader = response.body?.getReader()
    await reader?.read()
    const leftAt = performance.now()
    left.abort()
    await waitUntil(
      'the other process hears of it',
      () => seen.isCancelled && signal?.aborted === true,
      1_000,
    )
    expect(performance.now() - leftAt).toBeLessThan(500)
    await reader?.cancel().catch(() => undefined)
  })
})

describe.skipIf(!hasRedis)('an answer', () => {
  test('comes no faster than it is read', async () => {
    const { seen, stream } = endless(65_536)
    home.serve = () => new Response(stream, { headers: events })
    const response = await answered(ask())
    const reader = response.body?.getReader()
    await waitUntil('the window is full', () => seen.bytes >= 131_072)
    let before = -1
    await waitUntil('nothing more comes', async () => {
      const isQuiet = before === seen.bytes
      before = seen.bytes
      await Bun.sleep(100)
      return isQuiet
    })
    expect(seen.bytes).toBeLessThan(1_000_000)
    let read = 0
    while (read < 3_000_000) read += (await reader?.read())?.value?.length ?? 0
    expect(seen.bytes).toBeLessThan(read + 1_000_000)
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

  test('ends when the store is lost, and the processes find each other again', async () => {
    const { seen, stream } = endless(1_000)
    home.serve = () => new Response(stream, { headers: events })
    const response = await answered(ask())
    const text = response.text()
    await store.kill()
    expect(await text).toContain('may or may not have been carried out')
    await waitUntil('its source is told', () => seen.isCancelled)
    await expect(ask()).rejects.toThrow()
    await store.start()
    await waitUntil('both are back', () => running.every(({ remotes }) => remotes.isReady()), 10_000)
    home.serve = () => new Response('again')
    expect(await (await answered(ask())).text()).toBe('again')
  }, 30_000)
})

test.skipIf(!hasRedis)('what others put into the store, or put there again, is not heard', async () => {
  const heard: string[] = []
  const seal = createFrameSeal(secret, 'aaaaaaaaaaaaaaaa')
  const other = createFrameSeal(secret, 'bbbbbbbbbbbbbbbb')
  const stranger = createFrameSeal(randomBytes(32), 'bbbbbbbbbbbbbbbb')
  const hear = (text: string): void => {
    const received = seal.open(text)
    if (received !== null) heard.push(received.frame.kind)
  }
  const abort = { kind: 'abort', call: 'x' } as const
  const first = other.seal('aaaaaaaaaaaaaaaa', abort, new Uint8Array())
  const toAnother = other.seal('cccccccccccccccc', abort, new Uint8Array())
  for (const text of ['', '.', 'x.1.y', first.slice(0, -4), first.replace('.1.', '.9.')]) hear(text)
  hear(stranger.seal('aaaaaaaaaaaaaaaa', abort, new Uint8Array()))
  hear(toAnother)
  expect(heard).toEqual([])
  hear(first)
  hear(first)
  expect(heard).toEqual(['abort'])
})
