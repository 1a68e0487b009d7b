import type { AuditEntry } from '../audit/audit.ts'
import type { TransactionSql } from '../platform/database.ts'
import { authorOf } from '../trpc/author.ts'
import type { CallContext } from '../trpc/init.ts'

/** Keeps what an operator did in the audit log, in the transaction that does it. */
export type RecordAuditEntry = (sql: TransactionSql, entry: AuditEntry) => Promise<void>

type What = Pick<AuditEntry, 'action' | 'subject' | 'before' | 'after'>

/** What was done, with who did it: an account, or the command line. */
export const auditEntryOf = (ctx: CallContext, what: What): AuditEntry => ({ ...authorOf(ctx), ...what })

/**
 * Keeps a change in the audit log, in the transaction that makes it: both happen or neither does. It is called last in
 * there, because the log has a lock of its own.
 */
export type RecordChange<Change = void> = (sql: TransactionSql, change: Change) => Promise<void>
