import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test'

import { startTcpFaultProxy } from './tcp-fault-proxy.ts'
import type { TcpFaultProxy } from './tcp-fault-proxy.ts'

const text = 'x'.repeat(20_000)
const upstream = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response(text) })
afterAll(() => upstream.stop(true))

let proxy: TcpFaultProxy
beforeEach(async () => {
  proxy = await startTcpFaultProxy({ target: { host: '127.0.0.1', port: upstream.port ?? 0 } })
})
afterEach(() => proxy.stop())

const get = async (withinMs = 5000): Promise<string> => {
  const url = `http://127.0.0.1:${proxy.port}/`
  const response = await fetch(url, { signal: AbortSignal.timeout(withinMs), keepalive: false })
  return response.text()
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

test('without faults everything passes, also in slices', async () => {
  expect(await get()).toBe(text)
  proxy.set({ sliceBytes: 333 })
  expect(await get()).toBe(text)
})

test('latency and bandwidth take their time', async () => {
  proxy.set({ latencyMs: 60 })
  expect(await timeOf(get)).toBeGreaterThanOrEqual(119) // there and back
  proxy.set({ bytesPerSec: 100_000, sliceBytes: 2000 })
  expect(await timeOf(get)).toBeGreaterThanOrEqual(190)
})

test('a black hole swallows until it is taken away', async () => {
  proxy.set({ blackHole: true })
  await expect(get(100)).rejects.toThrow()
  const pending = get()
  proxy.set({})
  expect(await pending).toBe(text)
})

test('refusal, reset midway and cut end the exchange', async () => {
  proxy.set({ refuse: true })
  await expect(get()).rejects.toThrow()
  proxy.set({ resetAfterBytes: 5000 })
  await expect(get()).rejects.toThrow()
  proxy.set({ blackHole: true })
  const pending = get().then(
    () => 'answered',
    () => 'cut',
  )
  const cutting = setInterval(() => proxy.cut(), 20)
  expect(await pending).toBe('cut')
  clearInterval(cutting)
})

test('corruption lets no answer through unharmed', async () => {
  proxy.set({ corruptShare: 1 })
  const answer = await get().catch((error: unknown) => String(error))
  expect(answer).not.toBe(text)
})
