import { AuditQuery, ChainCheck } from '../../shared/audit.ts'
import { operatorProcedure, router } from '../trpc/init.ts'
import type { Audit } from './audit.ts'

/** The audit log for operators. A check goes step by step, so that no request takes long and progress can be shown. */
export function auditProcedures(audit: Audit) {
  return router({
    list: operatorProcedure.input(AuditQuery).query(({ input }) => audit.list(input)),
    actors: operatorProcedure.query(() => audit.actors()),
    head: operatorProcedure.query(() => audit.head()),
    verify: operatorProcedure.input(ChainCheck).query(({ input }) => audit.verifyPart(input)),
  })
}
