import * as z from 'zod/mini'

import { PlainText, ServiceId, ServiceSpec } from '../../shared/health.ts'
import { historyRanges } from '../../shared/health-details.ts'
import { operatorProcedure, router } from '../trpc/init.ts'
import type { Health } from './health.ts'
import type { Service } from './services/service.ts'

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
export function serviceProcedures(health: Health) {
  return router({
    list: operatorProcedure.query(() => health.services.list().map(describe(health))),
    add: operatorProcedure
      .input(ServiceSpec)
      .mutation(async ({ input }) => describe(health)(await health.services.add(input))),
    remove: operatorProcedure.input(ById).mutation(({ input }) => health.services.remove(input.id)),
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
      .mutation(({ input }) => health.services.startMaintenance(input.id, input.until, input.note)),
    endMaintenance: operatorProcedure
      .input(ById)
      .mutation(({ input }) => health.services.endMaintenance(input.id)),
  })
}

/** Verifiers as operators see them. */
export function verifierProcedures({ verifiers }: Health) {
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
      .mutation(({ input }) => verifiers.createToken(input.label)),
    revoke: operatorProcedure.input(VerifierById).mutation(({ input }) => verifiers.revoke(input.id)),
  })
}
