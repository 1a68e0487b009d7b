import type { AuditEntry } from '../audit/audit.ts'
import type { TransactionSql } from '../platform/database.ts'
import { type CallContext, authorOf } from '../trpc/init.ts'

/** Adds an entry to the audit log, in the transaction of the change that it describes. */
export type RecordAuditEntry = (sql: TransactionSql, entry: AuditEntry) => Promise<void>

type What = Pick<AuditEntry, 'action' | 'subject' | 'before' | 'after'>

/** Returns the audit entry of a call: what changed, and who changed it (an account, or the command line). */
export const auditEntryOf = (ctx: CallContext, what: What): AuditEntry => ({ ...authorOf(ctx), ...what })

/**
 * Records a change in the audit log, in the transaction that makes it: both happen or neither does. It is called last
 * there, because the audit log takes a lock of its own.
 */
export type RecordChange<Change = void> = (sql: TransactionSql, change: Change) => Promise<void>
