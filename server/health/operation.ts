import { cliActor } from '../../shared/audit.ts'
import type { AuditEntry } from '../audit/audit.ts'
import type { TransactionSql } from '../platform/database.ts'
import type { CallContext } from '../trpc/init.ts'

/** Keeps what an operator did in the audit log, in the transaction that does it. */
export type RecordOperation = (sql: TransactionSql, entry: AuditEntry) => Promise<void>

type What = Pick<AuditEntry, 'action' | 'subject' | 'before' | 'after'>

/** What was done, with who did it: an account, or the command line. */
export const operation = ({ account, caller, requestId }: CallContext, what: What): AuditEntry => ({
  actor: account ?? cliActor,
  ...what,
  ip: caller.address,
  requestId,
})
