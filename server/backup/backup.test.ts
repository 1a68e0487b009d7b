import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { type TestDatabase, silentLog, testDatabase } from '../../scripts/world/database.ts'
import { createBackup } from './backup.ts'
import { dumpDatabase } from './dump.ts'
import { countTableRows } from './inventory.ts'
import { type Restoration, checkBackup, restoreDatabase } from './restore.ts'
import { ownTables } from './tables.ts'
import { sampleBackup } from './test-support/sample-backup.ts'

const createdAt = 1_700_000_000_000
const oldDay = 'health_rollup_5m_20250131'

let source: TestDatabase
let target: TestDatabase

beforeAll(async () => {
  ;[source, target] = await Promise.all([testDatabase(), testDatabase()])
  await source.database.transaction(async (sql) => {
    await sql`
      INSERT INTO services (id, name, family, provider, access, rule, policy) VALUES
        ('odd', ${'tab\t line\n back\\slash \\. "é" 日本 \\N'}, 'http', 'acme', 'sealed', 'null', '{"a": [1, null]}'),
        ('plain', 'Plain', 'evm', 'acme', '', NULL, '{}')`
    await sql`INSERT INTO maintenance_windows (id, service_id, starts_at) VALUES (41, 'odd', 'infinity')`
    await sql.unsafe(
      `CREATE TABLE ${oldDay} PARTITION OF health_rollup_5m FOR VALUES FROM ('2025-01-31Z') TO ('2025-02-01Z')`,
    )
    await sql`
      INSERT INTO health_rollup_5m
      SELECT 'odd', '2025-01-31Z'::timestamptz + n * interval '5 min', 1, 2, 3, 4, 5, 0.1 + n, 1e300, 'NaN', 1.5, 3.4e-5, 0.1, 9
      FROM generate_series(0, 287) AS n`
  })
})

afterAll(async () => {
  await Promise.all([source.drop(), target.drop()])
})

async function backupOf({ database }: TestDatabase): Promise<Uint8Array> {
  return await new Response(createBackup(database, () => createdAt, silentLog).stream()).bytes()
}

async function* bytesOf(backup: Uint8Array): AsyncGenerator<Uint8Array> {
  yield backup
}

async function restore(
  backup: Uint8Array,
  replaces = false,
  keyIds: readonly string[] | null = null,
): Promise<Restoration> {
  return await restoreDatabase({
    database: target.database,
    header: await checkBackup(bytesOf(backup)),
    source: bytesOf(backup),
    replaces,
    keyIds,
    onLoaded: () => undefined,
  })
}

const contentOf = ({ database }: TestDatabase) =>
  database.run(async (sql) => {
    const content: Record<string, unknown> = {}
    for (const table of ownTables) {
      content[table] = await sql`SELECT row.*::text FROM ${sql(table)} AS row ORDER BY 1`.values()
    }
    return content
  })

test('every table that the migrations make is listed', async () => {
  const tables = await source.database.run(
    (sql) => sql<{ name: string }[]>`
      SELECT relname AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY name`,
  )
  expect(tables.map(({ name }) => name)).toEqual([...ownTables].sort())
})

test('codes of agents and assertions of their clients are in no backup', async () => {
  await source.database.run(
    (sql) =>
      sql`INSERT INTO agent_assertions (hash, expires_at) VALUES ('shown', now() + interval '5 minutes')`,
  )
  const backup = await backupOf(source)
  await source.database.run((sql) => sql`DELETE FROM agent_assertions`)
  expect(Buffer.from(backup).toString('utf8')).not.toContain('shown')
})

describe('a restored database', () => {
  test('holds the same values in the same tables, partitions of the past included', async () => {
    const outcome = await restore(await backupOf(source))
    expect(outcome).toMatchObject({
      kind: 'restored',
      rows: { services: 2, maintenance_windows: 1, health_rollup_5m: 288, verifiers: 0 },
    })
    expect(await contentOf(target)).toEqual(await contentOf(source))
    const [inPartition] = await target.database.run((sql) => sql`SELECT count(*)::int FROM ${sql(oldDay)}`)
    expect(inPartition).toEqual({ count: 288 })
  })

  test('goes on numbering behind the highest number', async () => {
    const [row] = await target.database.run(
      (sql) =>
        sql`INSERT INTO maintenance_windows (service_id, starts_at) VALUES ('odd', now()) RETURNING id::int`,
    )
    expect(row).toEqual({ id: 42 })
  })

  test('is not touched when it holds something, unless that is wanted', async () => {
    const backup = await backupOf(source)
    const before = await contentOf(target)
    expect(await restore(backup)).toMatchObject({ kind: 'not_empty', rows: { services: 2 } })
    expect(await contentOf(target)).toEqual(before)

    expect(await restore(backup, true)).toMatchObject({ kind: 'restored' })
    expect(await contentOf(target)).toEqual(await contentOf(source))
  })
})

describe('a restore changes nothing', () => {
  test('when the backup is of another version', async () => {
    const before = await contentOf(target)
    expect(await restore(sampleBackup([], { services: 0, verifiers: 0 }), true)).toMatchObject({
      kind: 'other_version',
      backup: { hash: 'abc' },
    })
    expect(await contentOf(target)).toEqual(before)
  })

  test('while a process uses the database', async () => {
    const before = await contentOf(target)
    await target.database.sql`INSERT INTO nodes (id, seen_at) VALUES ('running', now() + interval '1 hour')`
    try {
      expect(await restore(await backupOf(source), true)).toEqual({ kind: 'in_use', processes: 1 })
    } finally {
      await target.database.sql`DELETE FROM nodes`
    }
    expect(await contentOf(target)).toEqual(before)
  })

  test('when its secrets need a master key that is not there', async () => {
    await source.database.sql`INSERT INTO master_keys (id, used_at) VALUES ('aaaa', now()), ('bbbb', now())`
    const before = await contentOf(target)
    const backup = await backupOf(source)
    expect(await restore(backup, true, ['bbbb', 'cccc'])).toEqual({
      kind: 'other_master_key',
      keyIds: ['aaaa'],
    })
    expect(await contentOf(target)).toEqual(before)
    expect(await restore(backup, true, ['bbbb', 'aaaa'])).toMatchObject({ kind: 'restored' })
    await source.database.sql`DELETE FROM master_keys`
  })

  test('when PostgreSQL refuses a row, even the last one', async () => {
    const before = await contentOf(target)
    const header = await checkBackup(bytesOf(await backupOf(source)))
    const counts = Object.fromEntries(ownTables.map((table) => [table, table === 'history_batches' ? 2 : 0]))
    const twice = 'one\t2026-01-01 00:00:00+00\none\t2026-01-01 00:00:00+00\n'
    const backup = sampleBackup([{ table: 'history_batches', text: twice, count: 2 }], counts, header)
    await expect(restore(backup, true)).rejects.toThrow('PostgreSQL refused rows of history_batches')
    expect(await contentOf(target)).toEqual(before)
  })

  test('when the tables in the header are not ours', async () => {
    const header = await checkBackup(bytesOf(await backupOf(source)))
    const tables = [{ name: 'pg_authid', columns: ['rolname'] }]
    const backup = sampleBackup([], { pg_authid: 0 }, { ...header, tables, partitions: [] })
    await expect(restore(backup, true)).rejects.toThrow('names other tables or columns than its version has')
  })
})

describe('while a backup is written', () => {
  test('what others write is not in it, whichever table it is in', async () => {
    const before = await source.database.run((sql) => countTableRows(sql, ownTables))
    const parts: Uint8Array[] = []
    await dumpDatabase(source.database, createdAt, async (bytes) => {
      parts.push(bytes)
      await source.database.run(
        (sql) => sql`INSERT INTO history_batches (id) VALUES (${String(parts.length)})`,
      )
      return true
    })
    await source.database.run((sql) => sql`DELETE FROM history_batches`)
    expect(parts.length).toBeGreaterThan(2)
    const outcome = await restore(Buffer.concat(parts), true)
    expect(outcome).toMatchObject({ kind: 'restored', rows: { ...before, history_batches: 0 } })
  })

  test('a slow reader gets all of it', async () => {
    await source.database.run(
      (sql) =>
        sql`INSERT INTO history_batches (id) SELECT repeat('x', 1000) || n FROM generate_series(1, 1500) AS n`,
    )
    const parts: Uint8Array[] = []
    await dumpDatabase(source.database, createdAt, async (bytes) => {
      parts.push(bytes)
      await Bun.sleep(5)
      return true
    })
    await source.database.run((sql) => sql`DELETE FROM history_batches`)
    const outcome = await restore(Buffer.concat(parts), true)
    expect(outcome).toMatchObject({ kind: 'restored', rows: { history_batches: 1500 } })
  })

  test('a reader who leaves does not keep the connection', async () => {
    // More than fits into all buffers on the way, so that the server really has to wait.
    await source.database.run(
      (sql) => sql`
        INSERT INTO history_batches (id) SELECT repeat('x', 1000) || n FROM generate_series(1, 20000) AS n`,
    )
    const reader = createBackup(source.database, () => createdAt, silentLog)
      .stream()
      .getReader()
    for (let bytes = 0; bytes < 1_000_000;) bytes += (await reader.read()).value?.length ?? 0
    await reader.cancel()
    const transactions = async () => {
      const [row] = await source.database.run(
        (sql) => sql<{ open: number }[]>`
          SELECT count(*)::int AS open FROM pg_stat_activity
          WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid()`,
      )
      return row?.open
    }
    const givesUpAt = performance.now() + 10_000
    while ((await transactions()) !== 0 && performance.now() < givesUpAt) await Bun.sleep(10)
    expect(await transactions()).toBe(0)
    await source.database.run((sql) => sql`DELETE FROM history_batches`)
  })
})

test('a database that is away ends the backup with a failure, which no reader takes for a backup', async () => {
  const closed = await testDatabase()
  await closed.drop()
  const backup = await backupOf(closed)
  await expect(checkBackup(bytesOf(backup))).rejects.toThrow('was not finished: The database does not answer')
})
