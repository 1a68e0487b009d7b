import type {
  ArchivedMonth,
  AuditActor,
  AuditEvent,
  AuditFacts,
  AuditQuery,
  ChainHead,
} from '../../shared/audit.ts'
import { auditSubjects, emptyChain } from '../../shared/audit.ts'
import type { Database, Sql, TransactionSql } from '../platform/database.ts'

/** Key of the advisory lock, "audi" in ASCII. Any number that has no other use in this database would do. */
const chainLock = 0x61756469

interface EventRow {
  seq: string
  at: Date
  actor: string
  actor_label: string
  action: string
  subject_kind: string
  subject_id: string
  before: AuditFacts | null
  after: AuditFacts | null
  ip: string | null
  request_id: string | null
  previous_hash: string
  hash: string
}

/** The rows of the audit log in PostgreSQL. */
export interface AuditStore {
  /** Months that are in files, in their order. */
  archivedMonths(): Promise<ArchivedMonth[]>
  /** The head of the last of them: the event before the first one that is here. */
  archivedHead(): Promise<ChainHead>
  saveArchived(sql: TransactionSql, month: ArchivedMonth, at: number): Promise<void>
  /** Deletes events that are in files, some at a time so that no statement takes long. */
  deleteThrough(seq: number): Promise<void>
  /** Locks the chain until the transaction ends, and returns the head after which this transaction appends. */
  lockHead(sql: TransactionSql): Promise<ChainHead>
  /** Inserts events. Requires `lockHead` in the same transaction. */
  append(sql: TransactionSql, events: readonly AuditEvent[]): Promise<void>
  head(): Promise<ChainHead>
  /** Returns the matching events, the newest first, and one more than the limit when there are more. */
  find(query: AuditQuery): Promise<AuditEvent[]>
  /** Returns the kinds of subjects of this id that events are about. */
  subjectKinds(id: string): Promise<string[]>
  /** Returns at most `limit` actors of the log, each with its latest label. */
  actors(limit: number): Promise<AuditActor[]>
  /** Returns the events after a number, in the order of the chain. */
  readAfter(seq: number, limit: number): Promise<AuditEvent[]>
}

const deletedAtOnce = 5_000

export function createAuditStore(database: Database): AuditStore {
  const archivedMonths = () =>
    database.run(async (sql) => {
      const rows = await sql<{ month: string; seq: string; hash: string }[]>`
        SELECT month, seq, hash FROM audit_archives ORDER BY seq`
      return rows.map(({ month, seq, hash }) => ({ month, seq: Number(seq), hash }))
    })

  const deleteSomeThrough = (seq: number): Promise<number> =>
    database.transaction(async (sql) => {
      await sql`SELECT set_config('gatehouse.archives_audit', 'yes', true)`
      const rows = await sql`
        DELETE FROM audit_events WHERE seq IN (
          SELECT seq FROM audit_events WHERE seq <= ${seq} ORDER BY seq LIMIT ${deletedAtOnce})
        RETURNING 1`
      return rows.length
    })

  return {
    archivedMonths,
    async archivedHead() {
      const months = await archivedMonths()
      const last = months.at(-1)
      return last === undefined ? emptyChain : { seq: last.seq, hash: last.hash }
    },
    async saveArchived(sql, { month, seq, hash }, at) {
      await sql`
        INSERT INTO audit_archives (month, seq, hash, archived_at)
        VALUES (${month}, ${seq}, ${hash}, ${new Date(at)})`
    },
    async deleteThrough(seq) {
      let deleted = deletedAtOnce
      while (deleted === deletedAtOnce) deleted = await deleteSomeThrough(seq)
    },
    async lockHead(sql) {
      // The lock is a statement of its own, so that the next one sees what the previous writer has committed.
      await sql`SELECT pg_advisory_xact_lock(${chainLock})`
      return readHead(sql)
    },
    async append(sql, events) {
      const rows = events.map((event) => ({
        seq: event.seq,
        at: new Date(event.at),
        actor: event.actor,
        actor_label: event.actorLabel,
        action: event.action,
        subject_kind: event.subjectKind,
        subject_id: event.subjectId,
        before: event.before && sql.json(event.before),
        after: event.after && sql.json(event.after),
        ip: event.ip,
        request_id: event.requestId,
        previous_hash: event.previousHash,
        hash: event.hash,
      }))
      if (rows.length > 0) await sql`INSERT INTO audit_events ${sql(rows)}`
    },
    head: () => database.run(readHead),
    find: (query) => database.run((sql) => findEvents(sql, query)),
    subjectKinds: (id) => database.run((sql) => findSubjectKinds(sql, id)),
    actors: (limit) => database.run((sql) => findActors(sql, limit)),
    readAfter: (seq, limit) =>
      database.run(async (sql) => {
        const rows = await sql<EventRow[]>`
          SELECT * FROM audit_events WHERE seq > ${seq} ORDER BY seq LIMIT ${limit}`
        return rows.map(fromRow)
      }),
  }
}

async function readHead(sql: Sql): Promise<ChainHead> {
  const [last] = await sql<Pick<EventRow, 'seq' | 'hash'>[]>`
    SELECT seq, hash FROM audit_events ORDER BY seq DESC LIMIT 1`
  return last === undefined ? emptyChain : { seq: Number(last.seq), hash: last.hash }
}

async function findEvents(sql: Sql, query: AuditQuery): Promise<AuditEvent[]> {
  const { actor, action, subjectKind, subjectId, from, to, cursor, limit } = query
  const rows = await sql<EventRow[]>`
    SELECT * FROM audit_events
    WHERE true
      ${actor === undefined ? sql`` : sql`AND actor = ${actor}`}
      ${action === undefined ? sql`` : sql`AND action = ${action}`}
      ${subjectKind === undefined ? sql`` : sql`AND subject_kind = ${subjectKind}`}
      ${subjectId === undefined ? sql`` : sql`AND subject_id = ${subjectId}`}
      ${from === undefined ? sql`` : sql`AND at >= ${new Date(from)}`}
      ${to === undefined ? sql`` : sql`AND at < ${new Date(to)}`}
      ${cursor === undefined ? sql`` : sql`AND seq < ${cursor}`}
    ORDER BY seq DESC LIMIT ${limit + 1}`
  return rows.map(fromRow)
}

/** Skips from actor to actor by the index on actor and seq (a loose index scan), without reading their other events. */
const findActors = (sql: Sql, limit: number): Promise<AuditActor[]> =>
  sql<AuditActor[]>`
    WITH RECURSIVE known AS (
      (SELECT actor, actor_label FROM audit_events ORDER BY actor DESC, seq DESC LIMIT 1)
      UNION ALL
      SELECT next_one.actor, next_one.actor_label FROM known CROSS JOIN LATERAL (
        SELECT actor, actor_label FROM audit_events WHERE actor < known.actor
        ORDER BY actor DESC, seq DESC LIMIT 1
      ) AS next_one
    )
    SELECT actor AS id, actor_label AS label FROM known LIMIT ${limit}`

/** Looks by the index on kind and id, whose first part the id is not. */
async function findSubjectKinds(sql: Sql, id: string): Promise<string[]> {
  const rows = await sql<{ kind: string }[]>`
    SELECT kind FROM unnest(${[...auditSubjects]}::text[]) AS kind
    WHERE EXISTS (SELECT FROM audit_events WHERE subject_kind = kind AND subject_id = ${id})`
  return rows.map(({ kind }) => kind)
}

const fromRow = (row: EventRow): AuditEvent => ({
  seq: Number(row.seq),
  at: row.at.getTime(),
  actor: row.actor,
  actorLabel: row.actor_label,
  action: row.action,
  subjectKind: row.subject_kind,
  subjectId: row.subject_id,
  before: row.before,
  after: row.after,
  ip: row.ip,
  requestId: row.request_id,
  previousHash: row.previous_hash,
  hash: row.hash,
})
