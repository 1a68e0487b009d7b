import { cliActor } from '../../shared/audit.ts'
import type { AuditActor } from '../../shared/audit.ts'
import type { Author } from '../keys/changes.ts'
import type { CallContext, CallingAccount } from './init.ts'

/** Who calls a `signedInProcedure`. */
export interface SignedIn extends CallContext {
  readonly account: CallingAccount
}

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

/** Everybody acts on what is their own, operators among them. */
export const ownerOf = (ctx: SignedIn): Author => onBehalfOf(ctx.account.id, ctx)

/** Of operators, who act on what belongs to any account: the command line has none of its own. */
export const onBehalfOf = (accountId: string, { account, caller, requestId }: CallContext): Author => ({
  accountId,
  actor: account === null ? cliActor : { id: account.id, label: account.label },
  ip: caller.address,
  requestId,
})
