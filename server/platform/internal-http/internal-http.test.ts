import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

import { type TestDatabase, silentLog, testDatabase } from '../../../scripts/world/database.ts'
import { listenOnLoopback } from '../../../scripts/world/listen-on-loopback.ts'
import { waitUntil } from '../../../scripts/world/wait-until.ts'
import { systemClock } from '../clock.ts'
import type { Database } from '../database.ts'
import { randomHex } from '../ids.ts'
import { createMetrics } from '../metrics.ts'
import {
  type InternalHttp,
  type InternalHttpOptions,
  NodeError,
  createInternalHttp,
} from './internal-http.ts'
import { createNodeClient } from './node-client.ts'
import { sealHeader } from './node-listener.ts'
import { createRequestSeal } from './sealed-request.ts'
import { openResponse } from './sealed-response.ts'

const masterKey = randomBytes(32)
const path = '/echo'
const nodes: InternalHttp[] = []
let testbed: TestDatabase

beforeAll(async () => {
  testbed = await testDatabase()
})
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.stop()
  await testbed.database.sql`DELETE FROM nodes`
})
afterAll(() => testbed?.drop())

async function openNode(more: Partial<InternalHttpOptions> = {}): Promise<InternalHttp> {
  const node = createInternalHttp({
    database: testbed.database,
    clock: systemClock,
    log: silentLog,
    metrics: createMetrics(),
    nodeId: randomHex(8),
    version: '1.0.0',
    masterKeys: [masterKey],
    keyIds: ['key'],
    url: null,
    hasOthers: true,
    ...more,
  })
  node.handle(path, ({ from, body }) => new Response(`${from} ${new TextDecoder().decode(body)}`))
  nodes.push(node)
  await node.start()
  return node
}

async function openPair(more: Partial<InternalHttpOptions> = {}): Promise<[InternalHttp, InternalHttp]> {
  const one = await openNode()
  const other = await openNode(more)
  await waitUntil('both know each other', () => knows(one, other) && knows(other, one))
  return [one, other]
}

const knows = (one: InternalHttp, { nodeId }: InternalHttp): boolean =>
  one.registry.others().some(({ id }) => id === nodeId)

const send = (from: InternalHttp, to: string, body = 'hi', headMs = 2_000) =>
  from.send(to, { path, body, headMs })

const failureOf = async (work: Promise<unknown>): Promise<string> =>
  await work.then(
    () => 'none',
    (error: unknown) => (error instanceof NodeError ? error.failure : String(error)),
  )

/** Tells of the warnings that were logged. */
function watchedLog() {
  const warnings: string[] = []
  return { warnings, log: { ...silentLog, warn: (message: string) => void warnings.push(message) } }
}

/** Passes on what comes to its port, and records both directions. */
async function startRecorder(to: number) {
  const heard: Buffer[] = []
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1')
    for (const [from, into] of [[near, far] as const, [far, near] as const])
      from.on('data', (piece: Buffer) => {
        heard.push(piece)
        into.write(piece)
      })
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  const port = await listenOnLoopback(server)
  const stop = () => once(server.close(), 'close')
  return { port, heard: () => Buffer.concat(heard).toString('latin1'), stop }
}

const urlOf = async ({ nodeId }: InternalHttp): Promise<string> => {
  const [row] = await testbed.database.sql<{ url: string }[]>`SELECT url FROM nodes WHERE id = ${nodeId}`
  return row?.url ?? ''
}

/** A living row that nobody keeps alive. */
const announce = (id: string, url: string) =>
  testbed.database.sql`
    INSERT INTO nodes (id, seen_at, url, version, started_at) VALUES (${id}, now(), ${url}, '1.0.0', now())`

test('any node asks any other, which is told who asks', async () => {
  const [one, other] = await openPair()
  const response = await send(one, other.nodeId, 'a')
  expect([response.status, await response.text()]).toEqual([200, `${one.nodeId} a`])
  expect(await (await send(other, one.nodeId, 'b')).text()).toBe(`${other.nodeId} b`)
  expect(one.registry.others()).toEqual([
    { id: other.nodeId, url: await urlOf(other), version: '1.0.0', startedAt: expect.any(Number) },
  ])
  const nothing = await one.send(other.nodeId, { path: '/nothing', body: '', headMs: 2_000 })
  expect(nothing.status).toBe(404)
})

test('a node whose database is away at its start is announced once it is back', async () => {
  const { database } = testbed
  let isAway = true
  const flaky: Database = {
    ...database,
    sql: database.sql,
    run: (work, deadlineMs) => (isAway ? Promise.reject(new Error('away')) : database.run(work, deadlineMs)),
  }
  const late = await openNode({ database: flaky })
  const one = await openNode()
  expect(one.registry.others()).toEqual([])
  isAway = false
  await waitUntil('it is known', () => knows(one, late) && knows(late, one))
})

test('a node that has left, was never there, or was killed is gone', async () => {
  const [one, other] = await openPair()
  expect(await failureOf(send(one, 'invented'))).toBe('gone')
  await other.leave()
  expect(knows(one, other)).toBe(false)
  expect(await failureOf(send(one, other.nodeId))).toBe('gone')
  // Which looked at the rows again.
  expect(knows(one, other)).toBe(false)

  await announce('killed', 'http://127.0.0.1:1')
  await waitUntil('the row is read', () => one.registry.others().some(({ id }) => id === 'killed'))
  expect(await failureOf(send(one, 'killed'))).toBe('unreachable')
  await waitUntil('the row is too old', () => one.registry.others().length === 0)
})

const fetchFrom = async (to: InternalHttp, at: string, headers: Record<string, string>, body: BodyInit) =>
  await fetch((await urlOf(to)) + at, { method: 'POST', headers, body })

async function opened(key: Buffer, response: Response): Promise<Response> {
  const bytes = [await response.bytes()]
  return await openResponse(key, { next: async () => bytes.shift() ?? null, drop: async () => undefined })
}

const answerOf = async (response: Response) => ({ status: response.status, text: await response.text() })

const changed = (sealed: Uint8Array<ArrayBuffer>) =>
  sealed.map((byte, index) => (index === 0 ? byte ^ 1 : byte))

describe('a request', () => {
  interface RawRequest {
    readonly at?: string
    readonly key?: Buffer
    readonly ageMs?: number
    readonly target?: string
    readonly number?: number
    changeBody?(sealed: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>
    changeHeader?(header: string): string
  }

  /** Seals as it likes, and returns what sends the request. */
  async function sendRaw(
    to: InternalHttp,
    { at = path, key = masterKey, ageMs = 0, target = to.nodeId, number = 1, ...changes }: RawRequest = {},
  ) {
    const time = (to.registry.databaseTime() ?? 0) - ageMs
    const context = { method: 'POST', path, from: 'abcd', to: target, time, number }
    const { header, body, responseKey } = createRequestSeal([key]).seal(context, Buffer.from('hi'))
    const { changeHeader = (same) => same, changeBody = (same) => same } = changes
    return async () => {
      const response = await fetchFrom(to, at, { [sealHeader]: changeHeader(header) }, changeBody(body))
      return await answerOf(response.ok ? await opened(responseKey, response) : response)
    }
  }

  const refused = { status: 404, text: '' }
  const answered = { status: 200, text: 'abcd hi' }

  test('that is not sealed, changed, old, of another key, for another node or replayed gets the same answer', async () => {
    const [one] = await openPair()
    let number = 1
    const tell = async (more: RawRequest) => await (await sendRaw(one, { number: number++, ...more }))()
    expect(await tell({})).toEqual(answered)
    expect(await tell({ ageMs: 25_000 })).toEqual(answered)
    for (const headers of [{}, { [sealHeader]: 'a.b.1.1.c.d' }])
      expect(await answerOf(await fetchFrom(one, path, headers, 'hi'))).toEqual(refused)
    for (const wrong of [
      { changeBody: changed },
      { changeBody: (sealed) => sealed.subarray(1) },
      { changeBody: () => new Uint8Array() },
      { changeHeader: (header) => header.replace('.1', '.2') },
      { at: '/reachable' },
      { key: randomBytes(32) },
      { ageMs: 31_000 },
      { ageMs: -31_000 },
      { target: 'another' },
    ] satisfies RawRequest[])
      expect([wrong, await tell(wrong)]).toEqual([wrong, refused])
    const twice = await sendRaw(one, { number: 1_000 })
    expect(await twice()).toEqual(answered)
    expect(await twice()).toEqual(refused)
    expect(await answerOf(await fetchFrom(one, '/', {}, ''))).toEqual(refused)
  })

  test('shows nothing of itself or of its response to whoever listens between', async () => {
    const [one, other] = await openPair()
    const secret = 'a secret of a tool call'
    other.handle('/secret', () => Response.json({ secret }, { headers: { 'x-secret': secret } }))
    const wire = await startRecorder(Number(new URL(await urlOf(other)).port))
    const url = `http://127.0.0.1:${wire.port}`
    const client = createNodeClient({
      nodeId: 'third',
      clock: systemClock,
      seal: createRequestSeal([masterKey]),
      registry: {
        others: () => [{ id: other.nodeId, url, version: '1.0.0', startedAt: 0 }],
        refresh: async () => undefined,
        databaseTime: one.registry.databaseTime,
      },
    })
    const response = await client.send(other.nodeId, { path: '/secret', body: secret, headMs: 2_000 })
    expect([response.headers.get('x-secret'), await response.json()]).toEqual([secret, { secret }])
    expect(wire.heard()).toContain('POST /secret HTTP/1.1')
    expect(wire.heard()).toContain('HTTP/1.1 200')
    expect(wire.heard()).not.toMatch(/a secret|x-secret|application\/json/)
    client.close()
    await wire.stop()
  })

  test('is understood while the master key is rotated, and not by a node with another one', async () => {
    const newKey = randomBytes(32)
    const [one, rotating] = await openPair({ masterKeys: [newKey, masterKey] })
    expect(await failureOf(send(one, rotating.nodeId))).toBe('none')
    // It signs with the new key, which the other does not have yet.
    expect(await failureOf(send(rotating, one.nodeId))).toBe('refused')
    const next = await openNode({ masterKeys: [masterKey, newKey] })
    await waitUntil('they know each other', () => knows(rotating, next) && knows(next, rotating))
    expect(await failureOf(send(rotating, next.nodeId))).toBe('none')
    expect(await failureOf(send(next, rotating.nodeId))).toBe('none')
  })

  test('is valid at a node whose own clock is an hour off, as both go by that of the database', async () => {
    const hourOff = {
      now: () => systemClock.now() + 3_600_000,
      monotonic: () => systemClock.monotonic() + 3_600_000,
    }
    const [one, other] = await openPair({ clock: hourOff })
    expect(await failureOf(send(one, other.nodeId))).toBe('none')
    expect(await failureOf(send(other, one.nodeId))).toBe('none')
  })
})

describe('a response', () => {
  test('streams no faster than it is read, and ends with its reader', async () => {
    const [one, other] = await openPair()
    let made = 0
    let hasLeft = false
    other.handle('/endless', ({ signal }) => {
      signal.addEventListener('abort', () => (hasLeft = true))
      const source = {
        pull(controller: ReadableStreamDefaultController<Uint8Array>) {
          made += 65_536
          controller.enqueue(new Uint8Array(65_536))
        },
      }
      return new Response(new ReadableStream(source, { highWaterMark: 0 }))
    })
    const response = await one.send(other.nodeId, { path: '/endless', body: '', headMs: 2_000 })
    let before = -1
    await waitUntil('it stands still', async () => {
      const stands = made === before
      before = made
      await Bun.sleep(200)
      return stands
    })
    expect(made).toBeLessThan(64 << 20)
    const reader = response.body?.getReader()
    const madeSoFar = made
    for (let read = 0; read < madeSoFar;) read += (await reader?.read())?.value?.byteLength ?? 0
    await waitUntil('it goes on', () => made > madeSoFar)
    await reader?.cancel()
    await waitUntil('it is told', () => hasLeft)
  })

  test('may be silent for longer than its head may take; a head that does not come, and an aborted request', async () => {
    const [one, other] = await openPair()
    const held = Promise.withResolvers<void>()
    other.handle(
      '/silent',
      () =>
        new Response(
          new ReadableStream({
            async start(controller) {
              controller.enqueue(new TextEncoder().encode('a'))
              await held.promise
              controller.enqueue(new TextEncoder().encode('b'))
              controller.close()
            },
          }),
        ),
    )
    other.handle('/never', () => new Promise<never>(() => undefined))
    const response = await one.send(other.nodeId, { path: '/silent', body: '', headMs: 300 })
    expect(await failureOf(one.send(other.nodeId, { path: '/never', body: '', headMs: 400 }))).toBe('broken')
    held.resolve()
    expect(await response.text()).toBe('ab')
    const left = new AbortController()
    const aborted = one.send(other.nodeId, { path: '/never', body: '', headMs: 5_000, signal: left.signal })
    left.abort()
    expect(await failureOf(aborted)).toBe('aborted')
  })

  test('of a handler that throws is an error without its words', async () => {
    const [one, other] = await openPair()
    other.handle('/throws', () => {
      throw new Error('a secret')
    })
    const response = await one.send(other.nodeId, { path: '/throws', body: '', headMs: 2_000 })
    expect([response.status, await response.text()]).toEqual([500, ''])
  })
})

describe('an address', () => {
  test('that two announce is told of once, and what is sent to the wrong one is refused', async () => {
    const { warnings, log } = watchedLog()
    const [one, other] = await openPair({ log })
    await announce('twin', await urlOf(one))
    await waitUntil('it is told', () => warnings.length === 1)
    expect(warnings).toEqual([expect.stringContaining('two processes announce the same internal address')])
    expect(await failureOf(send(other, 'twin'))).toBe('refused')
    expect(await failureOf(send(other, one.nodeId))).toBe('none')
  })

  test('that is not reached, or answered by another program, is told of once', async () => {
    const stranger = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('welcome') })
    const { warnings, log } = watchedLog()
    const metrics = createMetrics()
    const keep = setInterval(() => {
      for (const [id, url] of [
        ['far', 'http://name.invalid:1'],
        ['foreign', `http://127.0.0.1:${stranger.port}`],
      ] as const)
        testbed.database.sql`
          INSERT INTO nodes (id, seen_at, url, version, started_at) VALUES (${id}, now(), ${url}, '1', now())
          ON CONFLICT (id) DO UPDATE SET seen_at = now()`.catch(() => undefined)
    }, 200)
    try {
      const one = await openNode({ log, metrics })
      await waitUntil('both are told', () => warnings.length === 2, 15_000)
      expect(warnings.toSorted()).toEqual(
        [
          expect.stringContaining('cannot be reached at the address that it announces'),
          expect.stringContaining('answered by something else'),
        ].toSorted(),
      )
      expect(await failureOf(send(one, 'far'))).toBe('unreachable')
      expect(await failureOf(send(one, 'foreign'))).toBe('refused')
      expect(await metrics.render()).toContain('internal_nodes_unreachable 2')
    } finally {
      clearInterval(keep)
      await stranger.stop(true)
    }
  }, 20_000)

  test('that is taken ends the start with a sentence', async () => {
    const one = await openNode()
    const url = await urlOf(one)
    await expect(openNode({ url })).rejects.toThrow('GATEHOUSE_INTERNAL_URL: port')
  })

  test('is not listened on where there can be no other process', async () => {
    const alone = await openNode({ hasOthers: false })
    expect(await testbed.database.sql`SELECT 1 FROM nodes`).toHaveLength(0)
    expect(alone.registry.isPresent()).toBe(true)
    expect(await failureOf(send(alone, 'anybody'))).toBe('gone')
  })
})
