import type { AuditAction, AuditActor } from '../../shared/audit.ts'
import type { TransactionSql } from '../platform/database.ts'
import type { CurrentSession } from './sessions/session.ts'

/** Something that the audit log has to hold. */
export interface Deed {
  readonly actor: AuditActor
  readonly action: AuditAction
  readonly subject: { readonly kind: 'account' | 'installation'; readonly id: string }
  readonly before?: Readonly<Record<string, unknown>>
  readonly after?: Readonly<Record<string, unknown>>
  readonly ip: string | null
  readonly requestId: string | null
}

/** Records a deed in the transaction that does it; called last in there. */
export type RecordDeed = (sql: TransactionSql, deed: Deed) => Promise<void>

/** Where a request came from, for the log. */
export interface RequestTrace {
  readonly ip: string | null
  readonly requestId: string
}

/** A deed of somebody who is signed in, done to their own account. */
export function ownDeed(
  session: Pick<CurrentSession, 'accountId' | 'accountLabel'>,
  action: AuditAction,
  { ip, requestId }: RequestTrace,
  facts: Pick<Deed, 'before' | 'after'> = {},
): Deed {
  const { accountId, accountLabel } = session
  return {
    actor: { id: accountId, label: accountLabel },
    action,
    subject: { kind: 'account', id: accountId },
    ...facts,
    ip,
    requestId,
  }
}
