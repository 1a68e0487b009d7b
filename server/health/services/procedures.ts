import { tracked } from '@trpc/server'
import * as z from 'zod/mini'

import type { AuditAction } from '../../../shared/audit.ts'
import { ServiceId, ServiceSpec } from '../../../shared/health.ts'
import { historyRanges } from '../../../shared/health-details.ts'
import { MaintenanceStart, ServiceUpdate } from '../../../shared/health-services.ts'
import type { LiveServices, ServicePage } from '../../../shared/health-services.ts'
import { memberProcedure, operatorProcedure, router } from '../../trpc/init.ts'
import { auditEntryOf } from '../audit-entry.ts'
import type { RecordAuditEntry } from '../audit-entry.ts'
import type { Health } from '../health.ts'
import type { Service } from './service.ts'

const ById = z.strictObject({ id: ServiceId })

const Range = z.strictObject({ id: ServiceId, range: z.enum(historyRanges) })
/** The id of the event that a browser saw last, given by tRPC's client when it comes again. */
const ComeAgain = z.optional(z.strictObject({ lastEventId: z.optional(z.string().check(z.maxLength(100))) }))

/** Services, for the console and the command line. No answer holds an endpoint's path or a header's value. */
export function serviceProcedures(health: Health, record: RecordAuditEntry) {
  const { services } = health
  const nameOf = (id: string): string => health.verifiers.activeVerifiers.find(id)?.verifier.name ?? id

  return router({
    list: memberProcedure.query(() => services.summaries()),

    /** First every service, then what changes. */
    live: memberProcedure.input(ComeAgain).subscription(async function* ({ input, signal }) {
      if (signal === undefined) throw new TypeError('a stream without an end')
      for await (const { id, event } of services.live(input?.lastEventId, signal)) {
        yield tracked<LiveServices>(id, event)
      }
    }),

    details: memberProcedure.input(ById).query(({ input }): ServicePage => {
      const details = health.details(input.id)
      const names = details.votes.map(({ verifierId }) => [verifierId, nameOf(verifierId)])
      return { ...details, summary: services.summary(input.id), verifierNames: Object.fromEntries(names) }
    }),

    history: memberProcedure.input(Range).query(({ input }) => health.history(input.id, input.range)),

    /** What a form that edits a service begins with. */
    settings: operatorProcedure.input(ById).query(({ input }) => services.settings(input.id)),

    /** Chains of which services can be registered. */
    chains: operatorProcedure.query(() => health.chains()),

    ...serviceChanges(health, record),
  })
}

/** What operators do to services. Each change and its entry in the audit log are one transaction. */
function serviceChanges({ services }: Health, record: RecordAuditEntry) {
  return {
    add: operatorProcedure.input(ServiceSpec).mutation(async ({ input, ctx }) => {
      const { id } = await services.add(input, (sql, added) =>
        record(sql, auditEntryOf(ctx, { ...whatOf('service.add', added.id), after: factsOf(added) })),
      )
      return services.summary(id)
    }),

    /** What is left out stays as it is. */
    update: operatorProcedure.input(ServiceUpdate).mutation(async ({ input, ctx }) => {
      await services.update(input, (sql, { before, after }) =>
        record(
          sql,
          auditEntryOf(ctx, {
            ...whatOf('service.update', input.id),
            ...(before && { before: factsOf(before) }),
            after: {
              ...factsOf(after),
              givenAnew: hiddenFields.filter((field) => input[field] !== undefined),
            },
          }),
        ),
      )
      return services.summary(input.id)
    }),

    /** With its history. */
    remove: operatorProcedure
      .input(ById)
      .mutation(({ input: { id }, ctx }) =>
        services.remove(id, (sql) => record(sql, auditEntryOf(ctx, whatOf('service.remove', id)))),
      ),

    startMaintenance: operatorProcedure
      .input(MaintenanceStart)
      .mutation(({ input: { id, ...work }, ctx }) =>
        services.startMaintenance(id, work, (sql) =>
          record(sql, auditEntryOf(ctx, { ...whatOf('service.maintenance', id), after: work })),
        ),
      ),

    endMaintenance: operatorProcedure
      .input(ById)
      .mutation(({ input: { id }, ctx }) =>
        services.endMaintenance(id, (sql) =>
          record(sql, auditEntryOf(ctx, { ...whatOf('service.maintenance', id), after: { isOver: true } })),
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
