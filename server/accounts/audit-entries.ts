import type { AuditAction } from '../../shared/audit.ts'
import type { AuditEntry } from '../audit/audit.ts'
import type { CurrentSession } from './sessions/session.ts'

/** The origin of a request, for the audit log. */
export interface RequestTrace {
  readonly ip: string | null
  readonly requestId: string
}

/** Returns the audit entry of somebody who is signed in and changed their own account. */
export function ownAccountEntry(
  session: Pick<CurrentSession, 'accountId' | 'accountLabel'>,
  action: AuditAction,
  { ip, requestId }: RequestTrace,
  facts: Pick<AuditEntry, 'before' | 'after'> = {},
): AuditEntry {
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
