import type { AuditAction } from '../../../shared/audit.ts'
import { TokenById, TokenInput, VerifierById } from '../../../shared/health-verifiers.ts'
import { operatorProcedure, router } from '../../trpc/init.ts'
import { type RecordAuditEntry, auditEntryOf } from '../audit-entry.ts'
import type { Verifiers } from './verifiers.ts'

/** Creates the procedures with which operators manage verifiers and enrolment tokens. */
export function verifierProcedures(verifiers: Verifiers, record: RecordAuditEntry) {
  return router({
    list: operatorProcedure.query(() => verifiers.list()),

    /** Returns the tokens that can still be used. */
    tokens: operatorProcedure.query(() => verifiers.tokens()),

    createToken: operatorProcedure
      .input(TokenInput)
      .mutation(({ input: { label }, ctx }) =>
        verifiers.createToken(label, (sql, { id, expiresAt }) =>
          record(sql, auditEntryOf(ctx, { ...ofTokens('verifier.token'), after: { id, label, expiresAt } })),
        ),
      ),

    cancelToken: operatorProcedure
      .input(TokenById)
      .mutation(({ input: { id }, ctx }) =>
        verifiers.cancelToken(id, (sql, { label }) =>
          record(sql, auditEntryOf(ctx, { ...ofTokens('verifier.token_cancel'), before: { id, label } })),
        ),
      ),

    revoke: operatorProcedure
      .input(VerifierById)
      .mutation(({ input: { id }, ctx }) =>
        verifiers.revoke(id, (sql) =>
          record(sql, auditEntryOf(ctx, { action: 'verifier.revoke', subject: { kind: 'verifier', id } })),
        ),
      ),
  })
}

const ofTokens = (action: AuditAction) =>
  ({ action, subject: { kind: 'installation', id: 'verifiers' } }) as const
