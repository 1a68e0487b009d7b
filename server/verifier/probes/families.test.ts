import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import * as z from 'zod/mini'

import { type Family, families } from '../../../shared/chains.ts'
import type { FaultMode } from '../../../scripts/world/fault-mode.ts'
import { type FaultProxy, startFaultProxy } from '../../../scripts/world/fault-proxy.ts'
import { findFreePort } from '../../../scripts/world/free-port.ts'
import { type ReplayNode, startReplayNode } from '../../../scripts/world/replay-node.ts'
import { chainOf, impatient, startLoopbackRunner, probeTargetOf } from '../../../tests/support/probing.ts'

/** What a node of the family answers, and what a probe makes of it. */
const Fixture = z.strictObject({
  /** What it was, and the document or code that its shape is from. */
  shapeOf: z.string().check(z.regex(/: .*[a-z]\.[a-z]+[/,]/)),
  chainId: z.nullable(z.union([z.int(), z.string()])),
  answers: z.record(z.string(), z.unknown()),
  head: z.nullable(z.strictObject({ height: z.int(), timestamp: z.int(), hash8: z.nullable(z.string()) })),
  wrongChain: z.nullable(z.record(z.string(), z.unknown())),
  error: z.record(z.string(), z.unknown()),
  heightAt: z.nullable(z.tuple([z.string()], z.string())),
  badHeights: z.array(z.unknown()),
  checkpoint: z.nullable(z.strictObject({ height: z.int(), hash8: z.string() })),
  genesis: z.nullable(z.string()),
  /** In families whose head does not name the chain. */
  deepChainId: z.optional(z.string()),
})

const readFixture = async (family: Family) =>
  Fixture.parse(await Bun.file(new URL(`fixtures/${family}.json`, import.meta.url)).json())

const { runner, close } = startLoopbackRunner()
afterAll(close)

/** An `http` service has no recorded shape: see `http.test.ts`. */
describe.each(families.filter((family) => family !== 'http'))('%s', (family) => {
  let fixture: z.infer<typeof Fixture>
  let node: ReplayNode
  let proxy: FaultProxy

  beforeAll(async () => {
    fixture = await readFixture(family)
    node = startReplayNode(fixture.answers)
    proxy = await startFaultProxy({ target: node.url })
  })
  afterAll(async () => {
    await proxy.stop()
    await node.stop()
  })

  const probe = (timeoutMs = 5000) =>
    runner.probeHead(impatient(probeTargetOf(family, proxy.url), timeoutMs), chainOf(family, fixture.chainId))

  async function probeWith(mode: FaultMode, timeoutMs?: number) {
    proxy.set(mode)
    try {
      return await probe(timeoutMs)
    } finally {
      proxy.set({ mode: 'pass' })
    }
  }

  /** Probes the node while it gives other answers than those recorded. */
  async function probeAnswering(answers: Record<string, unknown>) {
    node.set(answers)
    try {
      return await probe()
    } finally {
      node.set(fixture.answers)
    }
  }

  test('a recorded answer is read', async () => {
    const finding = await probe()
    expect(finding).toEqual({ ok: true, head: fixture.head, error: null, rttMs: expect.any(Number) })
    expect(Number.isInteger(finding.rttMs)).toBe(true)
  })

  test('hashes at a height and of the genesis, and the chain id, are read where the family has them', async () => {
    const target = probeTargetOf(family, proxy.url)
    const height = fixture.checkpoint?.height ?? 1
    expect(await runner.probeCheckpoint(target, height)).toBe(fixture.checkpoint?.hash8 ?? null)
    expect(await runner.probeGenesis(target)).toBe(fixture.genesis)
    expect(await runner.probeChainId(target)).toBe(fixture.deepChainId ?? null)
  })

  test('a node of another chain is found out', async () => {
    if (!fixture.wrongChain) return expect(fixture.chainId).toBeNull()
    expect(await probeAnswering(fixture.wrongChain)).toMatchObject({ ok: true, error: 'WRONG_CHAIN' })
  })

  test("a node's own error is RPC_ERROR", async () => {
    expect(await probeAnswering(fixture.error)).toMatchObject({ ok: false, error: 'RPC_ERROR' })
  })

  test('a height that is none is RPC_ERROR', async () => {
    const { heightAt } = fixture
    if (!heightAt) return expect(fixture.badHeights).toEqual([])
    const [answer, ...path] = heightAt
    for (const height of fixture.badHeights) {
      const answers = { [answer]: replaceAt(fixture.answers[answer], path, height) }
      expect(await probeAnswering(answers)).toMatchObject({ ok: false, error: 'RPC_ERROR' })
    }
  })

  test.each([
    [{ mode: 'garbage' }, 'NOT_JSON'],
    [{ mode: 'truncate' }, 'NOT_JSON'],
    [{ mode: 'empty' }, 'NOT_JSON'],
    [{ mode: 'status', status: 429, retryAfterSec: 3 }, 'RATE_LIMITED'],
    [{ mode: 'status', status: 403 }, 'HTTP_4XX'],
    [{ mode: 'status', status: 500 }, 'HTTP_5XX'],
    [{ mode: 'status', status: 503, body: '{"error":{"code":503,"message":"no backend"}}' }, 'HTTP_5XX'],
    [{ mode: 'huge', bytes: 17 << 20 }, 'TOO_LARGE'],
    [{ mode: 'reset' }, 'CONNECT'],
  ] satisfies [FaultMode, string][])('%j is %s', async (mode, error) => {
    expect(await probeWith(mode)).toMatchObject({ ok: false, error })
  })

  test.each([{ mode: 'freeze' }, { mode: 'hang' }, { mode: 'slow', delayMs: 400 }] satisfies FaultMode[])(
    '%j is TIMEOUT, within the time given',
    async (mode) => {
      const startedAt = performance.now()
      expect(await probeWith(mode, 100)).toMatchObject({ ok: false, error: 'TIMEOUT' })
      const tookMs = performance.now() - startedAt
      expect(tookMs).toBeGreaterThanOrEqual(99)
      expect(tookMs).toBeLessThan(390)
    },
  )

  test('a node that is away is CONNECT, and gives no hashes', async () => {
    const target = probeTargetOf(family, `http://127.0.0.1:${await findFreePort()}`)
    expect(await runner.probeHead(target, null)).toEqual({ ok: false, error: 'CONNECT', rttMs: 0 })
    expect(await runner.probeCheckpoint(target, 1)).toBeNull()
    expect(await runner.probeGenesis(target)).toBeNull()
    expect(await runner.probeChainId(target)).toBeNull()
  })
})

function replaceAt(value: unknown, path: readonly string[], replacement: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return replacement
  if (Array.isArray(value)) return value.with(Number(key), replaceAt(value[Number(key)], rest, replacement))
  const record = z.record(z.string(), z.unknown()).parse(value)
  return { ...record, [key]: replaceAt(record[key], rest, replacement) }
}
