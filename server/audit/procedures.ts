import { ArchiveCheck, ArchiveRequest, AuditQuery, ChainCheck } from '../../shared/audit.ts'
import { commandLineProcedure, operatorProcedure, router } from '../trpc/init.ts'
import type { Audit } from './audit.ts'

/** The audit log for operators. A check goes step by step, so that no request takes long and progress can be shown. */
export function auditProcedures(audit: Audit) {
  return router({
    list: operatorProcedure.input(AuditQuery).query(({ input }) => audit.list(input)),
    actors: operatorProcedure.query(() => audit.actors()),
    head: operatorProcedure.query(() => audit.head()),
    archives: operatorProcedure.query(() => audit.archive.months()),
    /** Null when no month is left that may be archived. */
    archiveOldest: commandLineProcedure
      .input(ArchiveRequest)
      .mutation(({ input }) => audit.archive.archiveOldest(input.before, input.folder)),
    verifyMonth: commandLineProcedure
      .input(ArchiveCheck)
      .query(({ input }) => audit.archive.verifyMonth(input.month, input.folder, input.remembered)),
    verify: operatorProcedure.input(ChainCheck).query(({ input }) => audit.verifyPart(input)),
  })
}
