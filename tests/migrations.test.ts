import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { getTableConfig } from 'drizzle-orm/pg-core'
import type { PgTable } from 'drizzle-orm/pg-core'

import { testDatabase } from '../scripts/world/database.ts'
import type { TestDatabase } from '../scripts/world/database.ts'
import { projectDir } from '../scripts/world/program.ts'
import * as accounts from '../server/accounts/tables.ts'
import * as agentAccess from '../server/agent-access/tables.ts'
import * as alerts from '../server/alerts/tables.ts'
import * as allowedAddresses from '../server/allowed-addresses/tables.ts'
import * as apiKeys from '../server/api-keys/tables.ts'
import * as audit from '../server/audit/tables.ts'
import * as chains from '../server/chains/tables.ts'
import * as connections from '../server/connections/tables.ts'
import * as endpoints from '../server/endpoints/tables.ts'
import * as gateway from '../server/gateway/tables.ts'
import * as health from '../server/health/tables.ts'
import * as plans from '../server/plans/tables.ts'
import * as platform from '../server/platform/tables.ts'
import * as queryKeys from '../server/query-keys/tables.ts'
import * as registry from '../server/registry/tables.ts'
import * as relay from '../server/relay/tables.ts'
import * as statusPages from '../server/status-pages/tables.ts'
import * as toolPolicies from '../server/tool-policies/tables.ts'
import * as usage from '../server/usage/tables.ts'
import * as virtualServers from '../server/virtual-servers/tables.ts'

/** Made by hand, because drizzle-kit knows no partitions. */
const healthRollups = ['health_rollup_5m', 'health_rollup_1h', 'health_rollup_1d']
const usageRollups = ['usage_fives', 'usage_hours', 'usage_days']
const toolUsageRollups = usageRollups.map((table) => `tool_${table}`)
const usageTables = ['usage_minutes', 'usage_attempts', ...usageRollups]
const notDescribed = new Set([
  ...healthRollups,
  ...usageTables,
  ...usageTables.map((table) => `tool_${table}`),
  'tool_calls',
])
const described = Object.values({
  ...accounts,
  ...agentAccess,
  ...alerts,
  ...allowedAddresses,
  ...apiKeys,
  ...audit,
  ...chains,
  ...connections,
  ...endpoints,
  ...gateway,
  ...health,
  ...plans,
  ...platform,
  ...queryKeys,
  ...registry,
  ...relay,
  ...statusPages,
  ...toolPolicies,
  ...usage,
  ...virtualServers,
}).map((table: PgTable) => getTableConfig(table))

let testbed: TestDatabase
beforeAll(async () => {
  testbed = await testDatabase()
})
afterAll(() => testbed?.drop())

interface Column {
  table: string
  name: string
  type: string
  isNullable: boolean
  hasDefault: boolean
}

const sorted = (columns: readonly Column[]): string[] =>
  columns.map((column) => JSON.stringify(column)).sort()

/** The names that information_schema has for what drizzle calls by other names. */
const typeNames: Record<string, string> = {
  bigserial: 'bigint',
  'text[]': 'ARRAY',
  'timestamp (3) with time zone': 'timestamp with time zone',
  'timestamp (3) with time zone[]': 'ARRAY',
}

test('a migrated database has the tables and columns that are described, and no others', async () => {
  const found = await testbed.database.run(
    (sql) => sql<Column[]>`
      SELECT table_name AS table, column_name AS name, data_type AS type, is_nullable = 'YES' AS "isNullable",
        column_default IS NOT NULL AS "hasDefault"
      FROM information_schema.columns WHERE table_schema = 'public'`,
  )
  const known = new Set(described.map(({ name }) => name))
  const wanted = described.flatMap(({ name: table, columns }) =>
    columns.map((column): Column => ({
      table,
      name: column.name,
      type: typeNames[column.getSQLType()] ?? column.getSQLType(),
      isNullable: !column.notNull,
      hasDefault: column.hasDefault,
    })),
  )
  expect(sorted(found.filter(({ table }) => known.has(table)))).toEqual(sorted(wanted))
  const others = new Set(found.map(({ table }) => table).filter((table) => !known.has(table)))
  expect([...others].filter((table) => !notDescribed.has(table)).sort()).toEqual([])
})

test('keys and indexes are those that are described', async () => {
  const found = await testbed.database.run(
    (sql) => sql<{ name: string }[]>`SELECT indexname AS name FROM pg_indexes WHERE schemaname = 'public'`,
  )
  const names = new Set(found.map(({ name }) => name))
  for (const { name, indexes, uniqueConstraints } of described) {
    expect(names).toContain(`${name}_pkey`)
    for (const { config } of indexes) expect(names).toContain(config.name ?? '')
    for (const { name: constraint } of uniqueConstraints) expect(names).toContain(constraint ?? '')
  }
})

test.each([
  ['health', healthRollups],
  ['usage', usageRollups],
  ['tool usage', toolUsageRollups],
])(
  'the rollup tables of %s are alike, so that rows of one can be joined into the next',
  async (_name, tables) => {
    const columns = await Promise.all(
      tables.map((table) =>
        testbed.database.run(
          (sql) => sql<{ name: string; type: string }[]>`
          SELECT column_name AS name, data_type AS type FROM information_schema.columns
          WHERE table_name = ${table} ORDER BY ordinal_position`,
        ),
      ),
    )
    const [first, ...others] = columns.map((rows) => JSON.stringify([...rows]))
    expect(columns[0]?.length).toBeGreaterThan(10)
    for (const other of others) expect(other).toBe(first ?? '')
  },
)

const creditsRule = (name: string, kind: string) => ({
  name,
  when: { [kind]: { percent: 70 } },
  channels: ['mail'],
})

test('rules about credits nearly used are about limits nearly used from then on', async () => {
  const names = ['Credits nearly used', 'My own']
  const statements = readFileSync('server/migrations/0052_key_limit_rules.sql', 'utf8')
  const rules = await testbed.database.run(async (sql) => {
    for (const name of names)
      await sql`INSERT INTO alert_rules VALUES (${name}, ${sql.json(creditsRule(name, 'keyCredits'))}, now())`
    for (const statement of statements.split('--> statement-breakpoint')) await sql.unsafe(statement)
    return await sql`
      WITH gone AS (DELETE FROM alert_rules RETURNING name, rule) SELECT * FROM gone ORDER BY name`
  })
  expect([...rules]).toEqual(
    ['Limit nearly used', 'My own'].map((name) => ({ name, rule: creditsRule(name, 'keyLimit') })),
  )
})

describe('drizzle-kit', () => {
  test('finds nothing to migrate', () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-migrations-'))
    try {
      cpSync(join(projectDir, 'server/migrations'), join(folder, 'migrations'), { recursive: true })
      const before = readdirSync(join(folder, 'migrations')).sort()
      const config = join(folder, 'drizzle.config.ts')
      const settings = {
        dialect: 'postgresql',
        schema: join(projectDir, 'server/*/tables.ts'),
        out: 'migrations',
      }
      writeFileSync(config, `export default ${JSON.stringify(settings)}`)
      const { stdout, stderr, exitCode } = Bun.spawnSync(
        [
          process.execPath,
          '--bun',
          join(projectDir, 'node_modules/.bin/drizzle-kit'),
          'generate',
          '--config',
          config,
        ],
        { cwd: folder },
      )
      expect(stderr.toString()).toBe('')
      expect(stdout.toString()).toContain('nothing to migrate')
      expect(exitCode).toBe(0)
      expect(readdirSync(join(folder, 'migrations')).sort()).toEqual(before)
      const journal = readFileSync(join(folder, 'migrations/meta/_journal.json'), 'utf8')
      expect(journal).toBe(readFileSync(join(projectDir, 'server/migrations/meta/_journal.json'), 'utf8'))
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }, 60_000)
})
