import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'

import { type TestDatabase, testDatabase } from '../../../scripts/world/database.ts'
import type { AuditAction } from '../../../shared/audit.ts'
import { Fault } from '../../platform/fault.ts'
import { type Audit, createAudit } from '../audit.ts'

let testing: TestDatabase
let audit: Audit
let folder: string
let now = 0

beforeEach(async () => {
  testing = await testDatabase()
  audit = createAudit({ database: testing.database, clock: { now: () => now } })
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-archive-'))
  for (const [month, count] of [
    [0, 1_200],
    [1, 3],
    [3, 2],
  ] as const) {
    now = Date.UTC(2026, month, 5)
    await recordSome(count)
  }
})
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true })
  await testing?.drop()
})

const recordSome = (count: number): Promise<void> =>
  testing.database.transaction((sql) =>
    audit.recordAll(
      sql,
      Array.from({ length: count }, (_, place) => ({
        actor: { id: 'acc_1', label: 'Ada' },
        action: 'service.add' satisfies AuditAction,
        subject: { kind: 'service', id: `svc_${place}` } as const,
        after: { name: `Node ${place}` },
        ip: null,
        requestId: null,
      })),
    ),
  )

const rowCount = async (): Promise<number> => (await testing.database.sql`SELECT 1 FROM audit_events`).length
const fileOf = (month: string): string => join(folder, `audit-${month}.jsonl.gz`)
const textOf = async (month: string): Promise<string> =>
  gunzipSync(await Bun.file(fileOf(month)).bytes()).toString()

async function archiveAllBefore(month: string): Promise<string[]> {
  const archived = await audit.archive.archiveOldest(month, folder)
  return archived === null ? [] : [archived.month, ...(await archiveAllBefore(month))]
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'done'
  } catch (error) {
    if (error instanceof Fault) return error.code
    throw error
  }
}

test('whole months leave the database for files, and both parts can be checked', async () => {
  const before = await audit.head()
  expect(await archiveAllBefore('2026-04')).toEqual(['2026-01', '2026-02'])
  expect(await rowCount()).toBe(4) // those of April, and one for each month that was archived
  expect(statSync(fileOf('2026-01')).mode & 0o777).toBe(0o600)
  const lines = (await textOf('2026-01')).trimEnd().split('\n')
  expect(lines).toHaveLength(1_200)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ seq: 1, action: 'service.add', subjectId: 'svc_0' })

  expect(await audit.verify()).toMatchObject({ count: 1_207, firstBad: null })
  expect(await audit.verify(before)).toMatchObject({ firstBad: null })
  for (const [month, checked] of [
    ['2026-01', 1_200],
    ['2026-02', 3],
  ] as const) {
    expect(await audit.archive.verifyMonth(month, folder, null)).toMatchObject({ checked, firstBad: null })
  }
  const { events } = await audit.list({ limit: 10, action: 'audit.archive' })
  expect(events.map(({ actor, after }) => [actor, after?.['month']])).toEqual([
    ['cli', '2026-02'],
    ['cli', '2026-01'],
  ])
  await recordSome(1)
  expect(await audit.verify()).toMatchObject({ count: 1_208, firstBad: null })
})

test('the present month stays, whatever is asked for', async () => {
  expect(await archiveAllBefore('2030-01')).toEqual(['2026-01', '2026-02'])
})

test('what was recorded while a clock was years ahead goes with the events around it', async () => {
  now = Date.UTC(2031, 0, 5)
  await recordSome(1)
  for (const month of [4, 5]) {
    now = Date.UTC(2026, month, 5)
    await recordSome(2)
  }
  expect(await archiveAllBefore('2026-06')).toEqual(['2026-01', '2026-02', '2026-04', '2026-05'])
  expect((await textOf('2026-04')).trimEnd().split('\n')).toHaveLength(3)
  expect(await audit.archive.verifyMonth('2026-05', folder, null)).toMatchObject({
    checked: 2,
    firstBad: null,
  })
  expect(await audit.verify()).toMatchObject({ firstBad: null })
})

test('when all that is left was recorded ahead, it stays', async () => {
  await archiveAllBefore('2026-04')
  now = Date.UTC(2025, 5, 5)
  expect(await archiveAllBefore('2026-12')).toEqual([])
})

test('a file that exists is not overwritten, and nothing is deleted', async () => {
  await Bun.write(fileOf('2026-01'), 'something of somebody')
  expect(await codeOf(audit.archive.archiveOldest('2026-04', folder))).toBe('conflict')
  expect(await Bun.file(fileOf('2026-01')).text()).toBe('something of somebody')
  expect(await rowCount()).toBe(1_205)
})

/** Writes the file of the oldest month; the database then refuses to store the head. */
async function archiveWithoutHead(): Promise<void> {
  const { sql } = testing.database
  await sql.unsafe('ALTER TABLE audit_archives ADD CONSTRAINT nothing CHECK (false)')
  await expect(audit.archive.archiveOldest('2026-04', folder)).rejects.toThrow('nothing')
  await sql.unsafe('ALTER TABLE audit_archives DROP CONSTRAINT nothing')
}

test('a month whose file was written before the database was lost is archived by the next run', async () => {
  await archiveWithoutHead()
  await expect(reasonOf()).rejects.toThrow('2026-01 was not archived')
  const written = await Bun.file(fileOf('2026-01')).bytes()
  expect(await archiveAllBefore('2026-04')).toEqual(['2026-01', '2026-02'])
  expect(await Bun.file(fileOf('2026-01')).bytes()).toEqual(written)
  expect(await reasonOf()).toBeNull()
})

test('a file that lacks the end of its month is not taken for it', async () => {
  await archiveWithoutHead()
  await Bun.write(fileOf('2026-01'), gzipSync((await textOf('2026-01')).replace(/\{"seq":1200,.*\n/, '')))
  expect(await codeOf(audit.archive.archiveOldest('2026-04', folder))).toBe('conflict')
  expect(await rowCount()).toBe(1_205)
})

test('a log that is broken is not archived', async () => {
  await testing.database.transaction((sql) =>
    sql.unsafe(`ALTER TABLE audit_events DISABLE TRIGGER USER;
      UPDATE audit_events SET actor = 'acc_2' WHERE seq = 700;
      ALTER TABLE audit_events ENABLE ALWAYS TRIGGER audit_events_append_only`),
  )
  expect(await codeOf(audit.archive.archiveOldest('2026-04', folder))).toBe('conflict')
  expect(await rowCount()).toBe(1_205)
})

test('what a crash left in the database is deleted by the next run, and is no mistake until then', async () => {
  const copies = await testing.database.sql`SELECT * FROM audit_events WHERE seq <= 1200`
  await audit.archive.archiveOldest('2026-02', folder)
  for (const copy of copies)
    await testing.database.sql`INSERT INTO audit_events ${testing.database.sql(copy)}`
  expect(await audit.verify()).toMatchObject({ firstBad: null })
  expect(await archiveAllBefore('2026-03')).toEqual(['2026-02'])
  expect(await rowCount()).toBe(4)
})

test('events are deleted in no other way', async () => {
  await archiveAllBefore('2026-04')
  await expect(testing.database.sql`DELETE FROM audit_events`).rejects.toThrow('never changed or removed')
})

const reasonOf = async (month = '2026-01', remembered: Parameters<Audit['verify']>[0] = null) =>
  (await audit.archive.verifyMonth(month, folder, remembered)).firstBad

describe('a check of a file', () => {
  test.each([
    [
      'a changed event',
      (text: string) => text.replace('svc_700', 'svc_007'),
      { seq: 701, reason: 'altered' },
    ],
    ['a missing event', (text: string) => text.replace(/\{"seq":5,.*\n/, ''), { seq: 5, reason: 'missing' }],
    [
      'a missing end',
      (text: string) => text.replace(/\{"seq":1200,.*\n/, ''),
      { seq: 1_200, reason: 'missing' },
    ],
    ['no JSON', (text: string) => `${text}x`, { seq: 1_201, reason: 'altered' }],
    ['another form', (text: string) => `[]\n${text}`, { seq: 1, reason: 'altered' }],
  ])('finds %s', async (_name, damage, found) => {
    await archiveAllBefore('2026-04')
    await Bun.write(fileOf('2026-01'), gzipSync(damage(await textOf('2026-01'))))
    expect(await reasonOf()).toMatchObject(found)
  })

  test('finds a damaged file, another head than was remembered, and a file of another log', async () => {
    await archiveAllBefore('2026-04')
    expect(await reasonOf('2026-02', { seq: 1_202, hash: '0'.repeat(64) })).toMatchObject({
      seq: 1_202,
      reason: 'not_as_remembered',
    })
    await Bun.write(fileOf('2026-02'), await Bun.file(fileOf('2026-01')).bytes())
    expect(await reasonOf('2026-02')).toMatchObject({ reason: 'missing' })
    await Bun.write(fileOf('2026-01'), 'no file of gzip')
    expect(await reasonOf()).toMatchObject({ seq: 1, reason: 'altered' })
    rmSync(fileOf('2026-01'))
    expect(await codeOf(reasonOf())).toBe('not_found')
    expect(await codeOf(reasonOf('2025-12'))).toBe('not_found')
  })

  test('a head that was remembered is compared where the database begins, too', async () => {
    await archiveAllBefore('2026-03')
    const [, last] = await audit.archive.months()
    expect(last).toBeDefined()
    const seq = last?.seq ?? 0
    expect((await audit.verify({ seq, hash: last?.hash ?? '' })).firstBad).toBeNull()
    expect((await audit.verify({ seq, hash: '1'.repeat(64) })).firstBad).toEqual({
      seq,
      reason: 'not_as_remembered',
    })
  })

  test('a head that was remembered and is in a file passes for nothing in the database', async () => {
    await archiveAllBefore('2026-03')
    const remembered = { seq: 7, hash: '1'.repeat(64) }
    expect(await codeOf(audit.verify(remembered))).toBe('invalid_request')
    const [, { month: _, ...end } = { month: '', seq: 0, hash: '' }] = await audit.archive.months()
    expect(await audit.verifyPart({ after: end, remembered })).toMatchObject({ firstBad: null })
  })
})
