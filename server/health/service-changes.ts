import * as z from 'zod/mini'

import type { AuditAction } from '../../shared/audit.ts'
import { ServiceId, ServiceSpec } from '../../shared/health.ts'
import { MaintenanceStart, ServiceUpdate } from '../../shared/health-services.ts'
import { operatorProcedure } from '../trpc/init.ts'
import type { Health } from './health.ts'
import { operation } from './operation.ts'
import type { RecordOperation } from './operation.ts'
import type { Service } from './services/service.ts'

const ById = z.strictObject({ id: ServiceId })

/** What operators do to services. Each change and its entry in the audit log are one transaction. */
export function serviceChanges({ services }: Health, record: RecordOperation) {
  return {
    add: operatorProcedure.input(ServiceSpec).mutation(async ({ input, ctx }) => {
      const { id } = await services.add(input, (sql, added) =>
        record(sql, operation(ctx, { ...whatOf('service.add', added.id), after: factsOf(added) })),
      )
      return services.line(id)
    }),

    /** What is left out stays as it is. */
    update: operatorProcedure.input(ServiceUpdate).mutation(async ({ input, ctx }) => {
      await services.update(input, (sql, { before, after }) =>
        record(
          sql,
          operation(ctx, {
            ...whatOf('service.update', input.id),
            ...(before && { before: factsOf(before) }),
            after: {
              ...factsOf(after),
              givenAnew: hiddenFields.filter((field) => input[field] !== undefined),
            },
          }),
        ),
      )
      return services.line(input.id)
    }),

    /** With its history. */
    remove: operatorProcedure
      .input(ById)
      .mutation(({ input: { id }, ctx }) =>
        services.remove(id, (sql) => record(sql, operation(ctx, whatOf('service.remove', id)))),
      ),

    startMaintenance: operatorProcedure
      .input(MaintenanceStart)
      .mutation(({ input: { id, ...work }, ctx }) =>
        services.startMaintenance(id, work, (sql) =>
          record(sql, operation(ctx, { ...whatOf('service.maintenance', id), after: work })),
        ),
      ),

    endMaintenance: operatorProcedure
      .input(ById)
      .mutation(({ input: { id }, ctx }) =>
        services.endMaintenance(id, (sql) =>
          record(sql, operation(ctx, { ...whatOf('service.maintenance', id), after: { isOver: true } })),
        ),
      ),
  }
}

/** A change of these may not show in the facts. */
const hiddenFields = ['endpoint', 'headers', 'rule'] as const

const whatOf = (action: AuditAction, id: string) => ({ action, subject: { kind: 'service', id } }) as const

/** Neither the rest of the endpoint nor the values of headers: they may be credentials. */
const factsOf = ({ name, family, chain, provider, endpoint, headers, overrides }: Service) => ({
  name,
  family,
  chain,
  provider,
  endpointOrigin: new URL(endpoint).origin,
  headers: Object.keys(headers),
  policy: overrides,
})
