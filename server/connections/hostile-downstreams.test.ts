import { afterEach, beforeAll, describe, expect, test } from 'bun:test'

import { type HostileToolServer, startHostileToolServer } from '../../scripts/world/hostile-tool-server.ts'
import {
  type ConnectionsUnderTest,
  anonymous,
  link,
  nothingOffered,
  toService,
} from './test-support/connections-under-test.ts'
import { sharedConnections } from './test-support/shared-connections.ts'
import type { ToolServer } from './test-support/tool-server.ts'
import { covers } from '../../tests/support/covers.ts'

const shared = sharedConnections()
let subject: ConnectionsUnderTest
let hostile: HostileToolServer
let good: ToolServer

beforeAll(async () => {
  hostile = shared.opened(await startHostileToolServer())
  good = await shared.startServer()
})

/** What never ends meets a deadline soon; whatever else is wrong must not meet one first, on a busy machine either. */
const short = { connectMs: 600, callMs: 600, callTotalMs: 1_200 }
const endless: ReadonlySet<string> = new Set(['hang', 'drip', 'drip-events'])

/** A new one for each test: places that fail often are left alone for a while. */
function startSubject(mode: string): void {
  subject = shared.another({ limits: endless.has(mode) ? short : {} })
}

afterEach(() => subject.stop())

/** Later than any deadline of these tests, and than a busy machine. */
const soonMs = 4_000
const mebibyte = 1 << 20
const mayGrowBytes = 16 * mebibyte

let sessions = 0
/** A session of its own each time: nothing is left of the one before. */
const newScope = () => anonymous(`session-${++sessions}`)

async function attempted<T>(
  attempt: () => Promise<T>,
): Promise<{ outcome: T; tookMs: number; grewBytes: number }> {
  Bun.gc(true)
  const before = memory()
  let grewBytes = 0
  const look = (): void => {
    grewBytes = Math.max(grewBytes, heldBytesSince(before))
  }
  const watch = setInterval(look, 5)
  const startedAt = performance.now()
  const outcome = await attempt()
  const tookMs = performance.now() - startedAt
  clearInterval(watch)
  look()
  return { outcome, tookMs, grewBytes }
}

const memory = () => {
  const { rss, heapUsed, external } = process.memoryUsage()
  return { resident: rss, live: heapUsed + external }
}

/**
 * On a busy machine the collector comes late, and garbage of half a second piles up (30 MB of 2,000 small events were
 * seen). Where there seems to be too much, it is collected first. What is left is held, by whatever was sent, unless
 * nothing refers to it: then only the allocator has not given it back yet.
 */
function heldBytesSince(before: ReturnType<typeof memory>): number {
  const grewBytes = process.memoryUsage.rss() - before.resident
  if (grewBytes <= mayGrowBytes) return grewBytes
  Bun.gc(true)
  const { resident, live } = memory()
  return Math.min(resident - before.resident, live - before.live)
}

const serviceAt = (mode: string) =>
  subject.registry.put({ serviceId: `mcpservers:${mode}`, url: hostile.url(mode) })

describe('a tool server that does harm when it is connected to', () => {
  covers('threat-57')
  test.each([
    ['hang', 'unreachable'],
    ['drip', 'unreachable'],
    ['redirect', 'unreachable'],
    ['redirect-metadata', 'unreachable'],
    ['failure', 'unreachable'],
    ['html', 'unreachable'],
    ['endless-line', 'too_large'],
    ['challenge', 'auth_required'],
    ['many', 'too_large'],
    ['cursor', 'too_large'],
    ['cursors', 'too_large'],
    ['schema', 'connected'],
    ['unnamed', 'connected'],
    ['no-list', 'unreachable'],
    ['future', 'unreachable'],
  ])('%s: the caller is told %s', async (mode, expected) => {
    startSubject(mode)
    const connect = () =>
      subject.connections.connect(newScope(), toService(serviceAt(mode)), nothingOffered, link())
    await connect() // the first time, code is compiled
    const { outcome, tookMs, grewBytes } = await attempted(connect)
    expect<string>(outcome.outcome).toBe(expected)
    expect(tookMs).toBeLessThan(soonMs)
    expect(grewBytes).toBeLessThanOrEqual(mayGrowBytes)
    expect(JSON.stringify(outcome)).not.toMatch(/secret words|169\.254|10\.0\.0\.1|script/)
    expect(subject.connections.counts().underWay).toBe(0)
  })
})

test.each([
  ['unnamed', { outcome: 'connected', toolNames: [], leftOut: 1 }],
  ['schema', { outcome: 'connected', toolNames: [], leftOut: 1 }],
  ['cursor', { what: 'endless' }],
  ['cursors', { what: 'pages' }],
  ['future', { why: 'protocol_error' }],
  ['no-list', { why: 'not_mcp' }],
])('what is wrong with %s is told as it is', async (mode, expected) => {
  startSubject(mode)
  const target = toService(serviceAt(mode))
  expect(await subject.connections.connect(newScope(), target, nothingOffered, link())).toMatchObject(
    expected,
  )
})

describe.each([
  ['2025', 'plain'],
  ['2026', 'modern'],
])('a tool server of the era of %s that does harm when a tool is called', (_, path) => {
  covers('threat-57')
  test.each([
    ['hang', 'timed_out'],
    ['drip', 'timed_out'],
    ['drip-events', 'timed_out'],
    ['huge', 'too_large'],
    ['huge-announced', 'too_large'],
    ['gzip', 'too_large'],
    ['brotli', 'too_large'],
    ['line', 'too_large'],
    ['events', 'too_large'],
    ['events-apart', 'too_large'],
    ['values', 'too_large'],
    ['deep', 'too_large'],
    ['deep-event', 'too_large'],
    ['garbage', 'protocol_error'],
    ['garbage-event', 'protocol_error'],
    ['no-answer', 'protocol_error'],
    ['wrong-id', 'protocol_error'],
    ['no-object', 'protocol_error'],
    ['html', 'protocol_error'],
    ['redirect', 'unreachable'],
    ['failure', 'unreachable'],
  ])('%s: the caller is told %s, and others are served', async (name, expected) => {
    startSubject(name)
    const { connections, registry } = subject
    const target = toService(serviceAt(path))
    const well = toService(registry.put({ serviceId: 'mcpservers:well', url: good.url }))
    const echo = { name: 'echo', arguments: { message: 'hi' } }
    const scope = newScope()
    const call = () => connections.callTool(scope, target, { name }, nothingOffered, link())
    const callOther = () => connections.callTool(anonymous('another'), well, echo, nothingOffered, link())
    await call()
    await callOther()
    const { outcome, tookMs, grewBytes } = await attempted(async () => {
      const harmed = call()
      expect((await callOther()).outcome).toBe('answered')
      const answer = await harmed
      expect((await callOther()).outcome).toBe('answered')
      return answer
    })
    expect<string>(outcome.outcome).toBe(expected)
    expect(tookMs).toBeLessThan(soonMs)
    expect(grewBytes).toBeLessThanOrEqual(mayGrowBytes)
    expect(JSON.stringify(outcome)).not.toMatch(/secret words|10\.0\.0\.1|script/)
    expect(subject.connections.counts().underWay).toBe(0)
  })
})
