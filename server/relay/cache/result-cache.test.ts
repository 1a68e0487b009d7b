import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'

import { always, createResultCache, maxResultBytes } from './result-cache.ts'
import type { FilledCache } from './test-support/filled-cache.ts'

const measuringProgram = join(import.meta.dirname, 'test-support/filled-cache.ts')

const forView = (view: number) => ({ ...always, view })

describe('the cache', () => {
  test('is bounded, and forgets first what nobody asked for', () => {
    const cache = createResultCache(() => 10_000)
    for (let n = 0; n < 100; n++) {
      cache.put(`key-${n}`, 'a'.repeat(1_000), always)
      cache.get('key-0', 0, null)
    }
    const kept = Array.from({ length: 100 }, (_, n) => n).filter(
      (n) => cache.get(`key-${n}`, 0, null) !== null,
    )
    const latest = Array.from({ length: kept.length - 1 }, (_, n) => 100 - kept.length + 1 + n)
    expect(kept).toEqual([0, ...latest])
    expect(kept).toHaveLength(8)
    expect(cache.entries).toBe(8)
    expect(cache.bytes).toBeLessThanOrEqual(10_000)
  })

  test('takes no result that would take the place of many', () => {
    const cache = createResultCache(() => 10_000_000)
    cache.put('large', 'a'.repeat(maxResultBytes), always)
    expect([cache.get('large', 0, null), cache.bytes]).toEqual([null, 0])
  })

  test('keeps to a smaller bound from the next result on', () => {
    let most = 10_000
    const cache = createResultCache(() => most)
    for (let n = 0; n < 9; n++) cache.put(`key-${n}`, 'a'.repeat(1_000), always)
    most = 3_000
    cache.put('last', 'a', always)
    expect(cache.bytes).toBeLessThanOrEqual(3_000)
    expect(cache.get('last', 0, null)).toBe('a')
    most = 0
    cache.put('none', 'a', always)
    expect([cache.entries, cache.bytes]).toEqual([0, 0])
  })

  test('forgets what is stale, and what holds for another view of the chain', () => {
    const cache = createResultCache(() => 10_000)
    cache.put('timed', '1', { staleAt: 100, view: null })
    cache.put('viewed', '2', forView(7))
    expect([cache.get('timed', 99, null), cache.get('viewed', 99, 7)]).toEqual(['1', '2'])
    expect([cache.get('timed', 100, null), cache.get('viewed', 100, 8)]).toEqual([null, null])
    expect(cache.bytes).toBe(0)
  })

  test('counts two bytes for each character of a text that is not plain', () => {
    const cache = createResultCache(() => 100_000)
    cache.put('k', 'a'.repeat(1_000), always)
    const plain = cache.bytes
    cache.put('k', 'é'.repeat(1_000), always)
    expect(cache.bytes).toBe(plain + 1_000)
    expect(cache.get('k', 0, null)).toBe('é'.repeat(1_000))
  })
})

/** In a process of its own, whose memory nothing else fills or frees. */
test.each([60, 250, 4_000])(
  'the memory that it says is the memory that it takes, with results of %d bytes',
  async (size) => {
    const measuring = Bun.spawn([process.execPath, measuringProgram, String(size)], {
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'inherit',
    })
    const { most, said, taken } = JSON.parse(await new Response(measuring.stdout).text()) as FilledCache
    expect(said / most).toBeGreaterThan(0.99)
    expect(taken / said).toBeGreaterThan(0.9)
    expect(taken / said).toBeLessThan(1.1)
  },
  20_000,
)
