/**
 * The audit log: an append-only, hash-chained record of who did what, stored in PostgreSQL.
 *
 * Writing: a domain calls `record` inside the transaction of its change, so that the change and its entry are committed
 * together or not at all.
 *  1. `store.ts` takes the lock of the chain and reads its head, which orders writers of all processes.
 *  2. `redact-fields.ts` removes secrets from `before` and `after`, bounds them, and keeps what jsonb can store.
 *  3. `chain.ts` hashes the canonical JSON (RFC 8785) of the event with the hash of the event
 *     before it, and `store.ts` inserts it. A trigger of a migration refuses to change or delete rows.
 *
 * Checking: `verifyPart` reads 1,000 events at a time and `chain.ts` reports the first that is missing, altered or not
 * linked. The console and `gatehouse audit verify` call it step by step (`procedures.ts`).
 *
 * Archive: `archive/` moves whole months into files on request of the command line (`audit archive`). The head of the
 * chain at the end of each month stays in the database and in the log, so that both parts can be checked and joined.
 *
 * Failure: a database error rejects the caller's transaction, and with it the change itself. There is no queue of
 * entries that could be lost.
 *
 * Limitations: writers wait for each other until the transaction that holds the lock ends, so `record` is called last
 * in it. Somebody who controls the database can rewrite the whole chain or cut off its end; only a head that was kept
 * elsewhere, given as `remembered`, reveals that.
 */

import { createHash } from 'node:crypto'

import type {
  AuditAction,
  AuditActor,
  AuditPage,
  AuditQuery,
  AuditSubject,
  ChainBreak,
  ChainCheck,
  ChainHead,
  ChainPart,
} from '../../shared/audit.ts'
import { cliActor, emptyChain } from '../../shared/audit.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database, TransactionSql } from '../platform/database.ts'
import { fault } from '../platform/fault.ts'
import { type Archive, createArchive } from './archive/archive.ts'
import { checkEnd, checkEvents, hashed } from './chain.ts'
import { withoutCommonItems } from './list-differences.ts'
import { createAuditStore } from './store.ts'
import { storableText, redactFields } from './redact-fields.ts'

/** What happened and who did it. `before` and `after` may contain secrets, which are removed before anything is stored. */
export interface AuditEntry {
  readonly actor: AuditActor
  readonly action: AuditAction
  readonly subject: { readonly kind: AuditSubject; readonly id: string }
  readonly before?: Readonly<Record<string, unknown>>
  readonly after?: Readonly<Record<string, unknown>>
  /** Address of the caller; null when the change was not made over the network. */
  readonly ip: string | null
  readonly requestId: string | null
}

/** Who changes something, as every entry says it. */
export type ChangedBy = Pick<AuditEntry, 'actor' | 'ip' | 'requestId'>

export interface Verification {
  /** Number of events that were checked and are intact. */
  readonly count: number
  readonly firstBad: ChainBreak | null
  /** The last intact event. Keep it where nobody who can write to the database can write. */
  readonly head: ChainHead
}

/** The use cases of the audit log. */
export interface Audit {
  /**
   * Appends an entry in the transaction of the change. Call it last in the transaction: every other writer of the log
   * waits until it ends, and one that holds a row which this transaction still needs would deadlock.
   */
  record(sql: TransactionSql, entry: AuditEntry): Promise<void>
  /** Appends several entries as `record` does. */
  recordAll(sql: TransactionSql, entries: readonly AuditEntry[]): Promise<void>
  /** Returns one page of events, the newest first. */
  list(query: AuditQuery): Promise<AuditPage>
  /** Returns the kinds of subjects of this id that events are about. */
  subjectKinds(id: string): Promise<string[]>
  /** Returns at most 500 actors that appear in the log, to filter by. */
  actors(): Promise<AuditActor[]>
  /** Returns the newest event's number and hash. */
  head(): Promise<ChainHead>
  /** Whole months of the log in files. */
  readonly archive: Archive
  /**
   * Checks the next 1,000 events at most, so that no request takes long. Fault: `invalid_request` where that would pass over
   * the remembered head, because it is in a file (`archive.verifyMonth`).
   */
  verifyPart(check: ChainCheck): Promise<ChainPart>
  /** Checks all that is in the database; `remembered` is a head that an earlier check returned. Fault: as `verifyPart`. */
  verify(remembered?: ChainHead | null, onProgress?: (count: number) => void): Promise<Verification>
}

interface AuditDependencies {
  readonly database: Database
  readonly clock: Pick<Clock, 'now'>
}

const batchSize = 1_000
const maxTextChars = 200
const maxActors = 500

export function createAudit({ database, clock }: AuditDependencies): Audit {
  const store = createAuditStore(database)

  async function recordAll(sql: TransactionSql, entries: readonly AuditEntry[]): Promise<void> {
    let head = await store.lockHead(sql)
    const at = Math.floor(clock.now())
    const events = entries.map((entry) => {
      const event = hashed({ ...contentOf(entry), at, seq: head.seq + 1, previousHash: head.hash }, sha256)
      head = event
      return event
    })
    await store.append(sql, events)
  }

  async function verifyPart({ after, remembered }: ChainCheck): Promise<ChainPart> {
    const archived = await store.archivedHead()
    // Events that are in files are checked there; the head at their end is where the table begins.
    const start = after.seq < archived.seq ? archived : after
    if (remembered !== null && after.seq < remembered.seq && remembered.seq < start.seq)
      throw fault(
        'invalid_request',
        'remembered: this event is in an archive: check its file, and go on from there',
      )
    if (remembered?.seq === start.seq && remembered.hash !== start.hash) {
      return {
        checked: 0,
        head: start,
        firstBad: { seq: start.seq, reason: 'not_as_remembered' },
        isComplete: true,
      }
    }
    const events = await store.readAfter(start.seq, batchSize)
    const { head, firstBad } = checkEvents(start, events, remembered, sha256)
    const checked = head.seq - start.seq
    if (firstBad !== null) return { checked, head, firstBad, isComplete: true }
    if (events.length === batchSize) return { checked, head, firstBad: null, isComplete: false }
    return { checked, head, firstBad: checkEnd(head, remembered), isComplete: true }
  }

  const archive = createArchive({
    database,
    store,
    sha256,
    record: (sql, { month, seq, hash }) => recordAll(sql, [archivedEntry(month, `${seq}:${hash}`)]),
    now: () => Math.floor(clock.now()),
  })

  return {
    record: (sql, entry) => recordAll(sql, [entry]),
    recordAll,
    async list(query) {
      const found = await store.find(query)
      const events = found.slice(0, query.limit)
      return { events, nextCursor: found.length > query.limit ? (events.at(-1)?.seq ?? null) : null }
    },
    subjectKinds: store.subjectKinds,
    actors: () => store.actors(maxActors),
    head: store.head,
    archive,
    verifyPart,
    async verify(remembered = null, onProgress = () => undefined) {
      let part = await verifyPart({ after: emptyChain, remembered })
      while (!part.isComplete) {
        onProgress(part.head.seq)
        part = await verifyPart({ after: part.head, remembered })
      }
      return { count: part.head.seq, firstBad: part.firstBad, head: part.head }
    },
  }
}

/** The head stands in the log, too: whoever rewrites the table of heads would have to rewrite what follows. */
const archivedEntry = (month: string, head: string): AuditEntry => ({
  actor: cliActor,
  action: 'audit.archive',
  subject: { kind: 'installation', id: month },
  after: { month, head },
  ip: null,
  requestId: null,
})

const contentOf = ({ actor, action, subject, before, after, ip, requestId }: AuditEntry) => ({
  ...withoutCommonItems(
    before === undefined ? null : redactFields(before),
    after === undefined ? null : redactFields(after),
  ),
  actor: shortText(actor.id),
  actorLabel: shortText(actor.label),
  action,
  subjectKind: subject.kind,
  subjectId: shortText(subject.id),
  ip: ip === null ? null : shortText(ip),
  requestId: requestId === null ? null : shortText(requestId),
})

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Returns a name or id that PostgreSQL can store, cut to 200 characters, because callers choose some of them. */
const shortText = (text: string): string => storableText(text.slice(0, maxTextChars))
