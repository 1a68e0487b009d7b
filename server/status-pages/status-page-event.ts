import type { AuditAction } from '../../shared/audit.ts'
import type { TransactionSql } from '../platform/database.ts'

/** What the audit log is told of a change. Nothing in it is secret: it is what visitors are shown. */
export interface StatusPageEvent {
  readonly action: Extract<AuditAction, `status_${string}`>
  readonly subject: { readonly kind: 'status_page'; readonly id: string }
  readonly before?: Readonly<Record<string, unknown>>
  readonly after?: Readonly<Record<string, unknown>>
}

/** Adds an entry to the audit log, in the transaction of the change. */
export type RecordStatusChange = (sql: TransactionSql, event: StatusPageEvent) => Promise<void>
