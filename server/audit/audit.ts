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
import { emptyChain } from '../../shared/audit.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database, TransactionSql } from '../platform/database.ts'
import { checkEnd, checkEvents, hashed } from './chain.ts'
import { createAuditStore } from './store.ts'
import { storableText, withoutSecrets } from './without-secrets.ts'

/** Something that was done. Secrets may be in `before` and `after`: they are taken out before anything is stored. */
export interface AuditEntry {
  readonly actor: AuditActor
  readonly action: AuditAction
  readonly subject: { readonly kind: AuditSubject; readonly id: string }
  readonly before?: Readonly<Record<string, unknown>>
  readonly after?: Readonly<Record<string, unknown>>
  /** Null: not by way of the network. */
  readonly ip: string | null
  readonly requestId: string | null
}

export interface Verification {
  /** Events that are right. */
  readonly count: number
  readonly firstBad: ChainBreak | null
  /** The last event that is right; worth keeping where nobody who can write to the database can write. */
  readonly head: ChainHead
}

/** The append-only, hash-chained record of who did what. */
export interface Audit {
  /**
   * Appends in the transaction of the change itself, so that both happen or neither does. Call it last in there:
   * until the transaction ends, every other writer of the log waits, and one that holds a row which this
   * transaction still needs would wait for ever.
   */
  record(sql: TransactionSql, entry: AuditEntry): Promise<void>
  /** As `record`, of things that were done together. */
  recordAll(sql: TransactionSql, entries: readonly AuditEntry[]): Promise<void>
  /** The newest first. */
  list(query: AuditQuery): Promise<AuditPage>
  /** Who appears in the log: at most 500, which is for a filter. */
  actors(): Promise<AuditActor[]>
  head(): Promise<ChainHead>
  /** One step of a check: at most 1,000 events, so that it never takes long. */
  verifyPart(check: ChainCheck): Promise<ChainPart>
  /** Checks the chain from its beginning to its end. */
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
    const events = await store.readAfter(after.seq, batchSize)
    const { head, firstBad } = checkEvents(after, events, remembered, sha256)
    const checked = head.seq - after.seq
    if (firstBad !== null) return { checked, head, firstBad, isComplete: true }
    if (events.length === batchSize) return { checked, head, firstBad: null, isComplete: false }
    return { checked, head, firstBad: checkEnd(head, remembered), isComplete: true }
  }

  return {
    record: (sql, entry) => recordAll(sql, [entry]),
    recordAll,
    async list(query) {
      const found = await store.find(query)
      const events = found.slice(0, query.limit)
      return { events, nextCursor: found.length > query.limit ? (events.at(-1)?.seq ?? null) : null }
    },
    actors: () => store.actors(maxActors),
    head: store.head,
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

const contentOf = ({ actor, action, subject, before, after, ip, requestId }: AuditEntry) => ({
  actor: shortText(actor.id),
  actorLabel: shortText(actor.label),
  action,
  subjectKind: subject.kind,
  subjectId: shortText(subject.id),
  before: before === undefined ? null : withoutSecrets(before),
  after: after === undefined ? null : withoutSecrets(after),
  ip: ip === null ? null : shortText(ip),
  requestId: requestId === null ? null : shortText(requestId),
})

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Names and ids come from outside too: bounded, and storable. */
const shortText = (text: string): string => storableText(text.slice(0, maxTextChars))
