import { afterAll, beforeAll, expect, test } from 'bun:test'

import { type TestDatabase, silentLog, testDatabase } from '../../scripts/world/database.ts'
import { createBackup } from './backup.ts'
import { digestBackup } from './table-digests.ts'
import { verifyBackup } from './verify-backup.ts'

let source: TestDatabase
let scratch: TestDatabase
const now = () => 1_700_000_000_000

beforeAll(async () => {
  ;[source, scratch] = await Promise.all([testDatabase(), testDatabase()])
  await source.database.sql`
    INSERT INTO history_batches (id) SELECT 'batch ' || n FROM generate_series(1, 20000) AS n`
  await source.database.sql`
    INSERT INTO services (id, name, family, provider, access, rule, policy)
    VALUES ('odd', ${'tab\t line\n back\\slash "é"'}, 'http', 'acme', 'sealed', 'null', '{"a": [1, null]}')`
  await source.database.sql`INSERT INTO master_keys (id, used_at) VALUES ('aaaa', now())`
})
afterAll(async () => {
  await Promise.all([source.drop(), scratch.drop()])
})

const backupOf = async ({ database }: TestDatabase): Promise<Uint8Array> =>
  await new Response(createBackup(database, now, silentLog).stream()).bytes()

async function verify(backup: Uint8Array, keyIds = ['aaaa']) {
  const read = () => new Blob([new Uint8Array(backup)]).stream()
  return await verifyBackup({
    scratch: scratch.database,
    read,
    keyIds,
    now,
    log: silentLog,
    onLoaded: () => undefined,
  })
}

/** Of the scratch database, as another attempt begins with a new one. */
async function clear(): Promise<void> {
  await scratch.database.sql`TRUNCATE history_batches, services, master_keys CASCADE`
}

test('a backup that comes back as it was is verified, with what it counts', async () => {
  const outcome = await verify(await backupOf(source))
  expect(outcome).toMatchObject({ kind: 'verified', missingKeyIds: [] })
  if (outcome.kind !== 'verified') throw new Error(outcome.kind)
  expect(outcome.tables.get('history_batches')?.rows).toBe(20_000)
  expect(outcome.tables.get('services')?.rows).toBe(1)
  await clear()
})

test('rows and values that the database changes on the way are noticed, by table', async () => {
  await scratch.database.sql`
    CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN NEW.name = upper(NEW.name); RETURN NEW; END $$`
  await scratch.database.sql`
    CREATE FUNCTION swallow() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN IF NEW.id = 'batch 7' THEN RETURN NULL; END IF; RETURN NEW; END $$`
  await scratch.database
    .sql`CREATE TRIGGER spoil BEFORE INSERT ON services FOR EACH ROW EXECUTE FUNCTION spoil()`
  await scratch.database.sql`
    CREATE TRIGGER swallow BEFORE INSERT ON history_batches FOR EACH ROW EXECUTE FUNCTION swallow()`
  try {
    expect(await verify(await backupOf(source))).toEqual({
      kind: 'changed',
      tables: [
        {
          table: 'services',
          backup: expect.objectContaining({ rows: 1 }),
          restored: expect.objectContaining({ rows: 1 }),
        },
        {
          table: 'history_batches',
          backup: expect.objectContaining({ rows: 20_000 }),
          restored: expect.objectContaining({ rows: 19_999 }),
        },
      ],
    })
  } finally {
    await scratch.database.sql`DROP FUNCTION spoil CASCADE`
    await scratch.database.sql`DROP FUNCTION swallow CASCADE`
    await clear()
  }
})

test('a master key that is not there is named', async () => {
  expect(await verify(await backupOf(source), ['bbbb'])).toMatchObject({
    kind: 'verified',
    missingKeyIds: ['aaaa'],
  })
  await clear()
})

test('a digest does not depend on the order of the rows, and on every value of them', async () => {
  const digest = async () => {
    const { tables } = await digestBackup(new Blob([new Uint8Array(await backupOf(scratch))]).stream())
    return tables.get('history_batches')?.digest
  }
  await scratch.database
    .sql`INSERT INTO history_batches (id, stored_at) SELECT n::text, '2026-01-01Z' FROM generate_series(1, 50) AS n`
  const forwards = await digest()
  await clear()
  await scratch.database
    .sql`INSERT INTO history_batches (id, stored_at) SELECT n::text, '2026-01-01Z' FROM generate_series(50, 1, -1) AS n`
  expect(await digest()).toBe(forwards)
  await scratch.database.sql`UPDATE history_batches SET id = '51' WHERE id = '17'`
  expect(await digest()).not.toBe(forwards)
  await clear()
})
