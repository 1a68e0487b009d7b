import type { TransactionSql } from '../platform/database.ts'

/**
 * Keeps a change in the audit log, in the transaction that makes it: both happen or neither does. It is called last in
 * there, because the log has a lock of its own.
 */
export type RecordChange<Change = void> = (sql: TransactionSql, change: Change) => Promise<void>
