import * as z from 'zod/mini'

import { cliActor } from '../../shared/audit.ts'
import { PlainText, ServiceId, ServiceSpec } from '../../shared/health.ts'
import { historyRanges } from '../../shared/health-details.ts'
import type { AuditEntry } from '../audit/audit.ts'
import { operatorProcedure, router } from '../trpc/init.ts'
import type { CallContext } from '../trpc/init.ts'
import type { Health } from './health.ts'
import type { Service } from './services/service.ts'

/** Keeps what an operator did in the audit log. */
export type RecordOperation = (entry: AuditEntry) => Promise<void>

function operation(
  { account, caller, requestId }: CallContext,
  action: AuditEntry['action'],
  kind: AuditEntry['subject']['kind'],
  id: string,
  facts: Pick<AuditEntry, 'before' | 'after'> = {},
): AuditEntry {
  return {
    actor: account ?? cliActor,
    action,
    subject: { kind, id },
    ...facts,
    ip: caller.address,
    requestId,
  }
}

const ById = z.strictObject({ id: ServiceId })
const VerifierById = z.strictObject({ id: z.string().check(z.minLength(1), z.maxLength(64)) })

/** Without endpoint and headers: they may hold credentials, and no list needs them. */
const describe = (health: Health) => (service: Service) => ({
  id: service.id,
  name: service.name,
  family: service.family,
  chain: service.chain,
  provider: service.provider,
  managedBy: service.managedBy,
  decision: health.read(service.id).decision,
})

/** Services as operators see them, in the console and on the command line. */
export function serviceProcedures(health: Health, record: RecordOperation) {
  return router({
    list: operatorProcedure.query(() => health.services.list().map(describe(health))),
    add: operatorProcedure.input(ServiceSpec).mutation(async ({ input, ctx }) => {
      const added = describe(health)(await health.services.add(input))
      const { id, name, family, chain, provider } = added
      await record(operation(ctx, 'service.add', 'service', id, { after: { name, family, chain, provider } }))
      return added
    }),
    remove: operatorProcedure.input(ById).mutation(async ({ input, ctx }) => {
      await health.services.remove(input.id)
      await record(operation(ctx, 'service.remove', 'service', input.id))
    }),
    details: operatorProcedure.input(ById).query(({ input }) => health.details(input.id)),
    history: operatorProcedure
      .input(z.strictObject({ id: ServiceId, range: z.enum(historyRanges) }))
      .query(({ input }) => health.history(input.id, input.range)),
    startMaintenance: operatorProcedure
      .input(
        z.strictObject({
          id: ServiceId,
          until: z.nullable(z.int().check(z.minimum(0), z.maximum(8_640_000_000_000_000))), // epoch ms, as far as a Date goes
          note: z._default(PlainText(500), ''),
        }),
      )
      .mutation(async ({ input: { id, until, note }, ctx }) => {
        await health.services.startMaintenance(id, until, note)
        await record(operation(ctx, 'service.maintenance', 'service', id, { after: { until, note } }))
      }),
    endMaintenance: operatorProcedure.input(ById).mutation(async ({ input: { id }, ctx }) => {
      await health.services.endMaintenance(id)
      await record(operation(ctx, 'service.maintenance', 'service', id, { after: { isOver: true } }))
    }),
  })
}

/** Verifiers as operators see them. */
export function verifierProcedures({ verifiers }: Health, record: RecordOperation) {
  return router({
    list: operatorProcedure.query(() =>
      [...verifiers.directory.all()].map(({ verifier, isIsolated, isEjected, hasStaleView }) => ({
        id: verifier.id,
        name: verifier.name,
        region: verifier.region,
        version: verifier.version,
        families: verifier.families,
        isBuiltIn: verifier.isBuiltIn,
        lastSeenAt: verifier.lastSeenAt,
        createdAt: verifier.createdAt,
        isIsolated,
        isEjected,
        hasStaleView,
      })),
    ),
    createToken: operatorProcedure
      .input(z.strictObject({ label: z._default(PlainText(100), '') }))
      .mutation(async ({ input: { label }, ctx }) => {
        const made = await verifiers.createToken(label)
        const { expiresAt } = made
        await record(
          operation(ctx, 'verifier.token', 'installation', 'verifiers', { after: { label, expiresAt } }),
        )
        return made
      }),
    revoke: operatorProcedure.input(VerifierById).mutation(async ({ input: { id }, ctx }) => {
      await verifiers.revoke(id)
      await record(operation(ctx, 'verifier.revoke', 'verifier', id))
    }),
  })
}
