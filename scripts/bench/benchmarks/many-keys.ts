import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createKeyHash, generateKey, keyRandomBytes, queryKeyPrefix } from '../../../server/keys/key-value.ts'
import { hashKey } from '../../../server/keys/test-support/key-world.ts'
import type { Database } from '../../../server/platform/database.ts'
import { startScript } from '../../world/database-process.ts'
import { testDatabase } from '../../world/database.ts'
import { atMost, type Benchmark, benchmarkRowOf } from '../benchmark.ts'

const keyCount = 1_000_000
const usedCount = 10_000

export const manyKeys: Benchmark = {
  name: 'many-keys',
  about:
    'start and memory of a process of an installation with a million query keys, of which 10,000 are used',

  async run() {
    const testing = await testDatabase()
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
    try {
      const values = await insertKeys(testing.database)
      const valuesPath = join(folder, 'values.json')
      writeFileSync(valuesPath, JSON.stringify(values))
      const server = await measured(serverScript(testing.url, join(folder, 'data')))
      const keys = await measured(keysScript(testing.url, valuesPath))
      const { startedMs, residentMb } = server
      return {
        title: 'Many keys',
        rows: [
          benchmarkRowOf('the server has started', 's', [startedMs / 1_000], atMost(5)),
          benchmarkRowOf('its resident memory', 'MB', [residentMb]),
          benchmarkRowOf(
            'the same, and what 10,000 keys in use add',
            'MB',
            [residentMb + keys.residentMb],
            atMost(250),
          ),
          benchmarkRowOf('first use of a key, one after the other', 'ms', keys.firstUsesMs),
          benchmarkRowOf('further use of a key', 'µs', [keys.furtherUseUs]),
        ],
        notes: [
          `${keyCount.toLocaleString('en-US')} keys in PostgreSQL. What keys add is measured in a process that has nothing else.`,
        ],
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
      await testing.drop()
    }
  },
}

interface Measured {
  readonly startedMs: number
  readonly residentMb: number
  readonly firstUsesMs: readonly number[]
  readonly furtherUseUs: number
}

/** Runs a process that prints what it measured. */
async function measured(source: string): Promise<Measured> {
  const running = startScript(source)
  try {
    return JSON.parse(await running.nextLine()) as Measured
  } finally {
    await running.kill()
  }
}

/** Returns the values of those that are used; nobody knows those of the others. */
async function insertKeys(database: Database): Promise<readonly string[]> {
  const hashOf = createKeyHash(hashKey)
  const values = Array.from({ length: usedCount }, () =>
    generateKey(queryKeyPrefix, randomBytes(keyRandomBytes)),
  )
  await database.transaction(
    (sql) => sql`
      INSERT INTO query_keys (id, account_id, name, type, endpoint, rate_units, rate_period, allowed_ips, allowed_domains,
        is_enabled, key_hash, key_sealed, hint, created_at)
      SELECT 'qkey_' || md5(hash), 'acc_' || abs(hashtext(hash)) % 100000, 'a key', 'freeRPC', 'testnet', 100, 'second',
        '{}', '{}', true, hash, repeat('s', 120), 'gqk_…abcd', now()
      FROM (
        SELECT rtrim(translate(encode(sha256(number::text::bytea), 'base64'), '+/', '-_'), '=') AS hash
        FROM generate_series(1, ${keyCount - usedCount}::int) AS number
        UNION ALL SELECT unnest(${values.map(hashOf)}::text[])
      ) AS hashes`,
    600_000,
  )
  return values
}

const serverScript = (url: string, dataDir: string) => `
  import { startGatehouse } from './server/compose.ts'
  import { readConfig } from './server/config/config.ts'
  import { createLog } from './server/platform/log.ts'
  const startedAt = performance.now()
  const variables = { DATABASE_URL: ${JSON.stringify(url)}, GATEHOUSE_DATA_DIR: ${JSON.stringify(dataDir)}, GATEHOUSE_PORT: '0',
    GATEHOUSE_LOG_LEVEL: 'error', GATEHOUSE_MASTER_KEY: Buffer.alloc(32, 'k').toString('base64') }
  const { config, problems } = readConfig(variables, () => '')
  if (config === undefined) throw new Error(problems.join('; '))
  await startGatehouse(config, createLog({ level: 'error' }))
  const startedMs = performance.now() - startedAt
  await Bun.sleep(5_000)
  console.log(JSON.stringify({ startedMs, residentMb: process.memoryUsage.rss() / 1e6 }))`

const keysScript = (url: string, valuesPath: string) => `
  import { connectTo } from './server/keys/test-support/key-world.ts'
  import { systemClock } from './server/platform/clock.ts'
  import { createSteadyClock } from './server/platform/steady-clock.ts'
  import { plainCaller, queryKeyNode } from './server/query-keys/test-support/query-key-nodes.ts'
  const values = await Bun.file(${JSON.stringify(valuesPath)}).json()
  const database = await connectTo(${JSON.stringify(url)})
  Bun.gc(true)
  const before = process.memoryUsage.rss()
  const { queryKeys } = await queryKeyNode(database, { clock: createSteadyClock(systemClock) })
  queryKeys.start()
  const use = async (value) => {
    const { kind } = await queryKeys.authorize(value, 'testnet', plainCaller)
    if (kind !== 'allowed') throw new Error(kind)
  }
  const firstUsesMs = []
  for (const value of values.slice(0, 500)) {
    const startedAt = performance.now()
    await use(value)
    firstUsesMs.push(performance.now() - startedAt)
  }
  await Promise.all(values.map(use))
  const startedAt = performance.now()
  for (let time = 0; time < 20; time++) for (const value of values) queryKeys.authorize(value, 'testnet', plainCaller)
  const furtherUseUs = ((performance.now() - startedAt) * 1_000) / values.length / 20
  Bun.gc(true)
  console.log(JSON.stringify({ firstUsesMs, furtherUseUs, residentMb: (process.memoryUsage.rss() - before) / 1e6 }))`
