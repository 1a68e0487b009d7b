import { randomBytes } from 'node:crypto'

import type { ApiKeys } from '../../../server/api-keys/api-keys.ts'
import { author, connectTo, hashKey } from '../../../server/keys/test-support/key-world.ts'
import { keyNode } from '../../../server/api-keys/test-support/key-nodes.ts'
import { systemClock } from '../../../server/platform/clock.ts'
import type { Database } from '../../../server/platform/database.ts'
import {
  apiKeyPrefix,
  keyHint,
  keyRandomBytes,
  generateKey,
  createKeyHash,
} from '../../../server/keys/key-value.ts'
import { createSteadyClock } from '../../../server/platform/steady-clock.ts'
import { testDatabase } from '../../world/database.ts'
import { atMost, benchmarkRowOf } from '../benchmark.ts'
import type { Benchmark } from '../benchmark.ts'
import { spreadOf } from '../statistics.ts'

const keyCount = 100_000
const insertedAtOnce = 5_000
const checksPerRound = 200_000
const togglesPerRound = 20
const accountId = 'acc_bench'

export const keyCheck: Benchmark = {
  name: 'key-check',
  about: `checking one of ${keyCount.toLocaleString('en-US')} API keys with all restrictions, and disabling one`,

  async run({ rounds }) {
    const testing = await testDatabase()
    const other = await connectTo(testing.url)
    try {
      const values = await insertKeys(testing.database)
      const here = await startNode(testing.database)
      const there = await startNode(other)
      const good: number[] = []
      const unknown: number[] = []
      const toggles: number[] = []
      for (let round = 0; round <= rounds; round++) {
        const isWarmUp = round === 0
        const checked = await medianCheck(here, values)
        const refused = await medianCheck(here, [generateKey(apiKeyPrefix, randomBytes(keyRandomBytes))])
        const toggled = await medianToggle(here)
        if (isWarmUp) continue
        good.push(checked)
        unknown.push(refused)
        toggles.push(toggled)
      }
      await here.stop()
      await there.stop()
      return {
        title: 'API keys',
        rows: [
          benchmarkRowOf('check of a key with all restrictions, p50', 'µs', good, atMost(5)),
          benchmarkRowOf('refusal of a well-formed key that does not exist, p50', 'µs', unknown),
          benchmarkRowOf('disabling a key, until two processes refuse it, p50', 'ms', toggles),
        ],
        notes: [
          `${keyCount.toLocaleString('en-US')} keys in memory, asked in random order: checksum, keyed hash, look-up, state, expiration, two networks, two domains, permission, note of the use.`,
        ],
      }
    } finally {
      await other.close()
      await testing.drop()
    }
  },
}

/** Returns the values of all keys. */
async function insertKeys({ sql }: Database): Promise<readonly string[]> {
  const hashOf = createKeyHash(hashKey)
  const values: string[] = []
  for (let first = 0; first < keyCount; first += insertedAtOnce) {
    const rows = Array.from({ length: insertedAtOnce }, (_, place) => {
      const value = generateKey(apiKeyPrefix, randomBytes(keyRandomBytes))
      values.push(value)
      return {
        id: `key_${first + place}`,
        account_id: accountId,
        name: `key ${first + place}`,
        permissions: ['statistics_read', 'token_create'],
        allowed_ips: ['198.51.100.0/24', '2001:db8::/32'],
        allowed_domains: ['https://app.example.org', '*.example.com'],
        expires_at: new Date(Date.now() + 86_400_000),
        is_enabled: true,
        key_hash: hashOf(value),
        key_sealed: 'never opened here',
        hint: keyHint(value),
        created_at: new Date(),
      }
    })
    await sql`INSERT INTO api_keys ${sql(rows)}`
  }
  return values
}

async function startNode(database: Database): Promise<ApiKeys> {
  const { apiKeys } = await keyNode(database, {
    clock: createSteadyClock(systemClock),
    mostInMemory: keyCount,
  })
  apiKeys.start()
  return apiKeys
}

const use = {
  address: '198.51.100.7',
  origin: 'https://shop.example.com',
  needs: 'token_create',
} as const

/** In µs. */
async function medianCheck(apiKeys: ApiKeys, values: readonly string[]): Promise<number> {
  const taken: number[] = []
  for (let check = 0; check < checksPerRound; check++) {
    const value = values[Math.floor(Math.random() * values.length)] ?? ''
    const startedAt = Bun.nanoseconds()
    await apiKeys.authorize(value, use)
    taken.push((Bun.nanoseconds() - startedAt) / 1_000)
  }
  return spreadOf(taken).median
}

/** In ms. */
async function medianToggle(apiKeys: ApiKeys): Promise<number> {
  const owner = author(accountId)
  const taken: number[] = []
  for (let toggle = 0; toggle < togglesPerRound; toggle++) {
    const startedAt = performance.now()
    await apiKeys.setEnabled(owner, `key_${toggle}`, false)
    taken.push(performance.now() - startedAt)
    await apiKeys.setEnabled(owner, `key_${toggle}`, true)
  }
  return spreadOf(taken).median
}
