import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'

import { type AuditAction, type AuditQuery, cliActor, emptyChain } from '../../shared/audit.ts'
import { type TestDatabase, silentLog, testDatabase } from '../../scripts/world/database.ts'
import { type Database, openDatabase } from '../platform/database.ts'
import { type Audit, type AuditEntry, createAudit } from './audit.ts'
import { covers } from '../../tests/support/covers.ts'

let testing: TestDatabase
let database: Database
let audit: Audit
let now = 0

beforeAll(async () => {
  testing = await testDatabase()
  database = testing.database
  audit = createAudit({ database, clock: { now: () => now } })
})

afterAll(() => testing.drop())

beforeEach(async () => {
  now = 1_767_225_600_000.75
  await tamper('TRUNCATE audit_events')
})

const entry = (action: AuditAction = 'service.add', id = 'svc_1', actorId = 'acc_1'): AuditEntry => ({
  actor: { id: actorId, label: 'Ada' },
  action,
  subject: { kind: 'service', id },
  after: { name: `Node \u0000 ${id}`, headers: { authorization: 'Bearer planted-secret' }, ratio: 1e21 },
  ip: '192.0.2.1',
  requestId: 'req_1',
})

/** As somebody would who owns the tables. */
const tamper = (statement: string): Promise<unknown> =>
  database.transaction((sql) =>
    sql.unsafe(
      `ALTER TABLE audit_events DISABLE TRIGGER USER; ${statement}; ALTER TABLE audit_events ENABLE ALWAYS TRIGGER audit_events_append_only`,
    ),
  )

/** In a transaction of its own. */
const record = (what: AuditEntry): Promise<void> => database.transaction((sql) => audit.record(sql, what))

async function recordMany(count: number): Promise<void> {
  for (let index = 1; index <= count; index += 1) await record(entry('service.add', `svc_${index}`))
}

const all: AuditQuery = { limit: 100 }

describe('recording', () => {
  test('what was done together is one chain, in order, beside what others record', async () => {
    const entries = Array.from({ length: 100 }, (_, place) => entry('query_key.create', `qkey_${place}`))
    await Promise.all([
      record(entry()),
      database.transaction((sql) => audit.recordAll(sql, entries)),
      database.transaction((sql) => audit.recordAll(sql, [])),
      record(entry()),
    ])
    expect(await audit.verify()).toMatchObject({ count: 102, firstBad: null })
    const { events } = await audit.list({ limit: 100, action: 'query_key.create' })
    expect(events.map(({ subjectId }) => subjectId)).toEqual(
      entries.map(({ subject }) => subject.id).toReversed(),
    )
  })

  test('keeps who did what, without secrets', async () => {
    await record(entry())
    const { events, nextCursor } = await audit.list(all)
    expect(nextCursor).toBeNull()
    expect(events).toEqual([
      {
        seq: 1,
        at: 1_767_225_600_000,
        actor: 'acc_1',
        actorLabel: 'Ada',
        action: 'service.add',
        subjectKind: 'service',
        subjectId: 'svc_1',
        before: null,
        after: { name: 'Node \ufffd svc_1', headers: { authorization: '[redacted]' }, ratio: 1e21 },
        ip: '192.0.2.1',
        requestId: 'req_1',
        previousHash: emptyChain.hash,
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ])
    expect(await audit.head()).toEqual({ seq: 1, hash: events[0]?.hash ?? '' })
  })

  test('happens with the change or not at all, and leaves no gap', async () => {
    await record(entry())
    const failing = database.transaction(async (sql) => {
      await audit.record(sql, entry())
      throw new RangeError('the change failed')
    })
    await expect(failing).rejects.toThrow(RangeError)
    await database.transaction(async (sql) => {
      await audit.record(sql, entry('service.maintenance'))
      await audit.record(sql, { ...entry('service.remove'), actor: cliActor, ip: null, requestId: null })
    })
    const { events } = await audit.list(all)
    expect(events.map(({ seq, action }) => [seq, action])).toEqual([
      [3, 'service.remove'],
      [2, 'service.maintenance'],
      [1, 'service.add'],
    ])
    expect(await audit.verify()).toMatchObject({ count: 3, firstBad: null })
  })

  test('of any fields at all can be checked as they come back from the table', async () => {
    const samples = fc.sample(fc.dictionary(fc.string({ unit: 'binary' }), fc.anything()), 100)
    await database.transaction(async (sql) => {
      for (const after of samples) await audit.record(sql, { ...entry(), after })
    })
    expect(await audit.verify()).toMatchObject({ count: 100, firstBad: null })
  })

  test('by several processes at once makes one chain', async () => {
    const others = await Promise.all(
      Array.from({ length: 4 }, () =>
        openDatabase({
          url: testing.url,
          dataDir: '',
          log: silentLog,
          migrationsFolder: new URL('../migrations', import.meta.url).pathname,
        }),
      ),
    )
    try {
      const writes = others.flatMap((other) => {
        const { record: recordThere } = createAudit({ database: other, clock: { now: () => now } })
        return Array.from({ length: 50 }, () => other.transaction((sql) => recordThere(sql, entry())))
      })
      await Promise.all(writes)
    } finally {
      await Promise.all(others.map((other) => other.close()))
    }
    expect(await audit.verify()).toMatchObject({ count: 200, firstBad: null })
  })
})

describe('the table', () => {
  covers('threat-60')
  test.each([
    'UPDATE audit_events SET actor = actor',
    'DELETE FROM audit_events WHERE seq = 1',
    'TRUNCATE audit_events',
    "SET LOCAL session_replication_role = 'replica'; DELETE FROM audit_events",
  ])('refuses %s', async (statement) => {
    await record(entry())
    const refused = database.transaction((sql) => sql.unsafe(statement))
    await expect(refused).rejects.toThrow('audit events are never changed or removed')
    expect(await audit.head()).toMatchObject({ seq: 1 })
  })
})

describe('a check', () => {
  covers('threat-60')
  test.each([
    ['an altered event', `UPDATE audit_events SET actor_label = 'Bob' WHERE seq = 3`, 3, 'altered'],
    ['altered fields', `UPDATE audit_events SET after = after || '{"ratio":2}' WHERE seq = 2`, 2, 'altered'],
    ['an altered time', `UPDATE audit_events SET at = at + interval '1 ms' WHERE seq = 5`, 5, 'altered'],
    ['a removed event', `DELETE FROM audit_events WHERE seq = 4`, 4, 'missing'],
    ['a removed beginning', `DELETE FROM audit_events WHERE seq <= 2`, 1, 'missing'],
    [
      'two swapped events',
      `UPDATE audit_events SET seq = 100 WHERE seq = 2; UPDATE audit_events SET seq = 2 WHERE seq = 3;
       UPDATE audit_events SET seq = 3 WHERE seq = 100`,
      2,
      'altered',
    ],
  ] as const)('finds %s', async (_name, statement, seq, reason) => {
    await recordMany(6)
    expect(await audit.verify()).toMatchObject({ count: 6, firstBad: null })
    await tamper(statement)
    expect(await audit.verify()).toMatchObject({ count: seq - 1, firstBad: { seq, reason } })
  })

  test('finds a cut-off end by a head that was remembered', async () => {
    await recordMany(6)
    const remembered = await audit.head()
    expect((await audit.verify(remembered)).firstBad).toBeNull()
    await tamper('DELETE FROM audit_events WHERE seq > 4')
    expect((await audit.verify()).firstBad).toBeNull()
    expect((await audit.verify(remembered)).firstBad).toEqual({ seq: 5, reason: 'cut_off' })
    // New events in place of those that were cut off do not hide it.
    await recordMany(3)
    expect((await audit.verify(remembered)).firstBad).toEqual({ seq: 6, reason: 'not_as_remembered' })
  })

  test('of many events goes in steps and tells how far it is', async () => {
    await database.transaction(async (sql) => {
      for (let index = 0; index < 1_500; index += 1) await audit.record(sql, entry())
    }, 20_000)
    const seen: number[] = []
    const { count, firstBad } = await audit.verify(null, (checked) => seen.push(checked))
    expect({ count, firstBad, seen }).toEqual({ count: 1_500, firstBad: null, seen: [1_000] })
  })

  test('of an empty log is right', async () => {
    expect(await audit.verify()).toEqual({ count: 0, firstBad: null, head: emptyChain })
  })
})

test('knows everybody who appears in it, by the latest label', async () => {
  await recordMany(3)
  await record({ ...entry('service.add', 'svc_1', 'acc_2'), actor: { id: 'acc_2', label: 'Bob' } })
  await record({ ...entry(), actor: cliActor })
  await record({ ...entry(), actor: { id: 'acc_1', label: 'Ada of today' } })
  expect(new Set(await audit.actors())).toEqual(
    new Set([cliActor, { id: 'acc_2', label: 'Bob' }, { id: 'acc_1', label: 'Ada of today' }]),
  )
})

describe('a list', () => {
  beforeEach(async () => {
    const entries = [
      entry('service.add', 'svc_1', 'acc_1'),
      entry('service.add', 'svc_2', 'acc_2'),
      entry('service.remove', 'svc_1', 'acc_2'),
      entry('service.maintenance', 'svc_2', 'acc_1'),
    ]
    for (const one of entries) {
      await record(one)
      now += 1_000
    }
  })

  const start = 1_767_225_600_000
  test.each<[Partial<AuditQuery>, number[]]>([
    [{}, [4, 3, 2, 1]],
    [{ actor: 'acc_2' }, [3, 2]],
    [{ action: 'service.add' }, [2, 1]],
    [{ subjectKind: 'service', subjectId: 'svc_1' }, [3, 1]],
    [{ subjectKind: 'api_key' }, []],
    [{ from: start + 1_000 }, [4, 3, 2]],
    [{ to: start + 1_000 }, [1]],
    [{ from: start + 1_000, to: start + 3_000, actor: 'acc_2', action: 'service.remove' }, [3]],
  ])('of %j', async (filter, found) => {
    const { events } = await audit.list({ ...all, ...filter })
    expect(events.map(({ seq }) => seq)).toEqual(found)
  })

  test('comes in pages', async () => {
    const first = await audit.list({ limit: 2 })
    expect([first.events.map(({ seq }) => seq), first.nextCursor]).toEqual([[4, 3], 3])
    const second = await audit.list({ limit: 2, cursor: first.nextCursor ?? 0 })
    expect([second.events.map(({ seq }) => seq), second.nextCursor]).toEqual([[2, 1], null])
  })
})
