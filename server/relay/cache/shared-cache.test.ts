import { afterAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'

import { silentLog, temporaryDataDir } from '../../../scripts/world/database.ts'
import { startRedis } from '../../../scripts/world/redis-modes.ts'
import { waitUntil } from '../../../scripts/world/wait-until.ts'
import { needs } from '../../../tests/support/needs.ts'
import { createSharedCache } from './shared-cache.ts'

/** Before a real server, in which the limits are counted as well. */

const folder = temporaryDataDir()
const ends: (() => unknown)[] = []
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
  rmSync(folder, { recursive: true, force: true })
})

const hour = 3_600_000

async function cacheAt(...settings: string[]) {
  const redis = await startRedis(folder, ...settings)
  ends.push(redis.stop)
  let at = 0
  // A store that is not connected yet is left alone for a while, which is over whenever it is asked again here.
  const now = (): number => (at += 10_000)
  const store = { url: `redis://127.0.0.1:${redis.port}`, prefix: 'test' }
  const cache = createSharedCache({ store, now, log: silentLog })
  ends.push(cache.close)
  const isKept = async (key: string): Promise<boolean> => {
    cache.keep('space', key, { result: '"0x1"', finalHeight: 5 }, hour)
    return (await cache.find('space', [key])).results[0] === '"0x1"'
  }
  await waitUntil('it is connected', () => isKept('first'))
  return { redis, cache, isKept }
}

describe.skipIf(!needs('redis-server'))('results leave room for counts', () => {
  test('nothing further is kept while more than half of maxmemory is used', async () => {
    const { redis, cache } = await cacheAt('--maxmemory', '16mb', '--maxmemory-policy', 'noeviction')
    const usedMb = (): number =>
      Number(/used_memory:(\d+)/.exec(redis.cli('INFO', 'memory'))?.[1]) / 1_048_576
    const large = { result: 'x'.repeat(50_000), finalHeight: 5 }
    let next = 0
    async function keepMegabyte(): Promise<void> {
      const keys = Array.from({ length: 20 }, () => `block ${next++}`)
      for (const key of keys) cache.keep('space', key, large, hour)
      await waitUntil(
        'the store answers',
        async () => (await cache.find('space', ['first'])).results[0] !== null,
      )
    }
    await waitUntil('nearly half is used', async () => {
      await keepMegabyte()
      return usedMb() > 7
    })
    for (let round = 0; round < 20; round++) await keepMegabyte()
    expect(usedMb()).toBeLessThan(10)
    expect(redis.cli('SET', 'count', '1').trim()).toBe('OK')
  })

  test('a server without maxmemory has a bound, too, and results are kept again once there is room', async () => {
    const { redis, isKept } = await cacheAt()
    redis.cli('SETRANGE', 'of-somebody-else', String(256 * 1_048_576), 'x')
    let next = 0
    await waitUntil('there is no room', async () => !(await isKept(`key ${next++}`)))
    redis.cli('DEL', 'of-somebody-else')
    await waitUntil('there is room', () => isKept(`key ${next++}`))
  })
})
