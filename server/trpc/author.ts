import { cliActor } from '../../shared/audit.ts'
import type { AuditActor } from '../../shared/audit.ts'
import type { CallContext } from './init.ts'

/** Who did something, for the audit log: an account, or the command line. */
export const authorOf = ({
  account,
  caller,
  requestId,
}: CallContext): { actor: AuditActor; ip: string | null; requestId: string } => ({
  actor: account ?? cliActor,
  ip: caller.address,
  requestId,
})
