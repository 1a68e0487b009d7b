import { createTestInstallation } from '../../world/gatehouse-process.ts'
import { type TestDatabase, testDatabase } from '../../world/database.ts'
import { type SignedInClient, signInAt } from '../../world/signed-in-client.ts'
import { createTestWallet } from '../../world/test-wallet.ts'
import { makePartitions } from '../../../server/platform/postgres/partitions.ts'
import { accountOrders } from '../../../shared/accounts.ts'
import { dayMs } from '../../../shared/durations.ts'
import { atMost, type Benchmark, benchmarkRowOf } from '../benchmark.ts'
import { addAccounts } from '../fixtures/accounts.ts'
import { makeServices } from '../fixtures/services.ts'
import { percentile } from '../statistics.ts'

const servicesCount = 10_000
const manyCount = 10_000
const listedCount = 100_000
const listedKeys = 100_000
const days = 14
const askedPerRound = 20

/** What people type: a part of many names, of one, an address, an id, and what nothing is called. */
const typed = [
  'service 77',
  'person 4711',
  'key 99',
  '0x000000000000000000000000000000000000270f',
  'qkey_9999',
  'zzqx',
]

export const globalSearch: Benchmark = {
  name: 'global-search',
  about:
    'the palette of an operator over 10,000 services, accounts and keys, and the page of 100,000 accounts',

  async run({ rounds }) {
    const operator = createTestWallet()
    const testing = await testDatabase()
    const { services } = makeServices(servicesCount)
    const installation = await createTestInstallation({ services, verifiers: { builtIn: false } })
    try {
      const environment = { GATEHOUSE_OPERATORS: operator.address, DATABASE_URL: testing.url }
      const server = await installation.start({ ...environment, GATEHOUSE_LOG_LEVEL: 'error' })
      const boss = await signInAt(server.url, operator)
      await addAccounts(testing, 1, manyCount)
      await addKeys(testing, 1, manyCount)
      const searches = await timesOf(rounds, (turn) =>
        boss.query(`globalSearch.find?input=${inputOf({ text: typed[turn % typed.length] })}`),
      )
      await addAccounts(testing, manyCount + 1, listedCount)
      await addKeys(testing, manyCount + 1, listedKeys)
      const keys = await timesOf(rounds, () => boss.query(`operatorQueryKeys.page?input=${inputOf({})}`))
      const found = await timesOf(rounds, (turn) =>
        boss.query(`operatorQueryKeys.page?input=${inputOf({ search: `key ${99_000 + turn}` })}`),
      )
      await addUsage(testing)
      const pages = []
      for (const order of accountOrders) pages.push([order, await pagesBy(boss, rounds, order)] as const)
      return {
        title: 'Many accounts and keys',
        rows: [
          benchmarkRowOf('a search of the palette, median', 'ms', [percentile(searches, 50)], atMost(50)),
          benchmarkRowOf('a search of the palette, p95', 'ms', [percentile(searches, 95)], atMost(50)),
          benchmarkRowOf(
            'a page of the keys of all accounts, p95',
            'ms',
            [percentile(keys, 95)],
            atMost(200),
          ),
          benchmarkRowOf(
            'one of these keys found by its name, p95',
            'ms',
            [percentile(found, 95)],
            atMost(200),
          ),
          ...pages.map(([order, times]) =>
            benchmarkRowOf(`a page of accounts by ${order}, slowest`, 'ms', [times.at(-1) ?? 0], atMost(200)),
          ),
        ],
        notes: [
          `${servicesCount} services, ${manyCount} accounts and as many keys for the palette; ${listedCount} accounts and as many keys, the accounts with ${days} days of use for the page. Asked over HTTP, one after the other.`,
        ],
      }
    } finally {
      await installation.remove()
      await testing.drop()
    }
  },
}

const inputOf = (input: object): string => encodeURIComponent(JSON.stringify(input))

/** Every page of 50 up to the fifth, as somebody reads it. */
async function pagesBy(boss: SignedInClient, rounds: number, order: string): Promise<number[]> {
  let cursor: string | null = null
  return timesOf(rounds, async (turn) => {
    const input: object = { order, ...(cursor !== null && turn % 5 > 0 && { cursor }) }
    const answer = await boss.query(`accounts.page?input=${inputOf(input)}`)
    cursor = (answer.data as { nextCursor: string | null }).nextCursor
    return answer
  })
}

/** Ascending, in ms. */
async function timesOf(
  rounds: number,
  ask: (turn: number) => Promise<{ readonly status: number }>,
): Promise<number[]> {
  const times: number[] = []
  for (let turn = 0; turn < rounds * askedPerRound; turn++) {
    const startedAt = performance.now()
    const { status } = await ask(turn)
    times.push(performance.now() - startedAt)
    if (status !== 200) throw new Error(`a question was answered ${status}`)
  }
  return times.toSorted((one, other) => one - other)
}

async function addKeys({ database }: TestDatabase, first: number, last: number): Promise<void> {
  await database.sql`
    INSERT INTO query_keys (id, account_id, name, type, endpoint, allowed_ips, allowed_domains, is_enabled, key_hash, key_sealed,
      hint, created_at)
    SELECT 'qkey_' || n, 'acc_' || n, 'key ' || n, 'freeRPC', 'testnet', '{}', '{}', true, 'hash ' || n, repeat('s', 120),
      'gqk_…' || lpad(n::text, 4, '0'), now() - make_interval(mins => n)
    FROM generate_series(${first}::int, ${last}::int) AS n`
  await database.sql`ANALYZE query_keys`
}

/** As the roll-up leaves it, by the day. */
async function addUsage({ database }: TestDatabase): Promise<void> {
  const today = Math.floor(Date.now() / dayMs) * dayMs
  const starts = Array.from({ length: days }, (_, ago) => today - ago * dayMs)
  await database.transaction((sql) => makePartitions(sql, 'usage_days', starts, 'month'))
  await database.sql`UPDATE usage_rollups SET days_before = ${new Date(today)} WHERE id = 'usage'`
  for (const start of starts) {
    await database.sql`
      INSERT INTO usage_days (account_id, level, key_id, bucket, endpoint, method, requests, credits, ok, errors, rate_limited,
        credit_limited, bytes_in, bytes_out, latencies, last_used_at)
      SELECT 'acc_' || n, level, CASE level WHEN 1 THEN 'qkey_' || n ELSE '' END, ${new Date(start)}, 'testnet', '', n, 20 * n, n, 0,
        0, 0, 100, 100, 1, ${new Date(start)}
      FROM generate_series(1, ${listedCount}::int) AS n, (VALUES (1), (3)) AS levels (level) WHERE n % 3 <> 0`
  }
  await database.sql`ANALYZE usage_days`
}
