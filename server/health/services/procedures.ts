import { tracked } from '@trpc/server'
import * as z from 'zod/mini'

import type { AuditAction } from '../../../shared/audit.ts'
import { ServiceId, ServiceSpec } from '../../../shared/health.ts'
import { historyRanges } from '../../../shared/health-details.ts'
import {
  type ServicePage,
  type LiveServices,
  RecentHistoriesOf,
  ServiceUpdate,
  MaintenanceStart,
  PolicySubject,
} from '../../../shared/health-services.ts'
import { text } from '../../../shared/text.ts'
import { memberProcedure, operatorProcedure, router } from '../../trpc/init.ts'
import { type RecordAuditEntry, auditEntryOf } from '../audit-entry.ts'
import type { Health } from '../health.ts'
import type { Service } from './service.ts'

const ById = z.strictObject({ id: ServiceId })

const Range = z.strictObject({
  id: ServiceId,
  range: z.enum(historyRanges),
  /** The period of the same length before it. */
  isBefore: z._default(z.boolean(), false),
})
/** The id of the last event that a browser received, which tRPC's client sends when it reconnects. */
const ComeAgain = z.optional(z.strictObject({ lastEventId: z.optional(text({ min: 0, max: 100 })) }))

/** Creates the procedures of services for console and command line. No answer holds an endpoint's path or a header's value. */
export function serviceProcedures(health: Health, record: RecordAuditEntry) {
  const { services } = health
  const nameOf = (id: string): string => health.verifiers.activeVerifiers.find(id)?.verifier.name ?? id

  return router({
    list: memberProcedure.query(() => services.summaries()),

    /** Streams every service first, then each change. */
    live: memberProcedure.input(ComeAgain).subscription(async function* ({ input, signal }) {
      if (signal === undefined) throw new TypeError('a stream without an end')
      for await (const { id, event } of services.live(input?.lastEventId, signal)) {
        yield tracked<LiveServices>(id, event)
      }
    }),

    details: memberProcedure.input(ById).query(({ input }): ServicePage => {
      const details = health.details(input.id)
      const names = details.votes.map(({ verifierId }) => [verifierId, nameOf(verifierId)])
      return {
        ...details,
        summary: services.summary(input.id),
        verifierNames: Object.fromEntries(names),
        usedBy: health.usedBy(input.id),
      }
    }),

    history: memberProcedure
      .input(Range)
      .query(({ input }) => health.history(input.id, input.range, input.isBefore)),

    /** Returns the last day, the uptime and advice of the services of one page, without those that are not registered. */
    recent: memberProcedure.input(RecentHistoriesOf).query(({ input }) => health.recent(input.ids)),

    /** Returns the last day by chain. */
    byChain: memberProcedure.query(() => health.byChain()),

    /** Returns what the nodes of each chain are measured by. */
    heads: memberProcedure.query(() => health.chainHeads()),

    /** Returns the values with which a form that edits a service begins. */
    settings: operatorProcedure.input(ById).query(({ input }) => services.settings(input.id)),

    /** Returns what holds for the thresholds that a new service leaves out. */
    defaultPolicy: operatorProcedure.input(PolicySubject).query(({ input }) => services.defaultPolicy(input)),

    /** Returns the chains for which services can be registered. */
    chains: operatorProcedure.query(() => health.chains()),

    ...serviceChanges(health, record),
  })
}

/** Creates the changes that operators make. Each change and its audit entry are one transaction. */
function serviceChanges({ services }: Health, record: RecordAuditEntry) {
  return {
    add: operatorProcedure.input(ServiceSpec).mutation(async ({ input, ctx }) => {
      const { id } = await services.add(input, (sql, added) =>
        record(sql, auditEntryOf(ctx, { ...whatOf('service.add', added.id), after: factsOf(added) })),
      )
      return services.summary(id)
    }),

    /** Changes the fields that the input contains. */
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

    /** Removes a service and its history. */
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

/** Fields whose change may not be visible in the recorded facts. */
const hiddenFields = ['endpoint', 'headers', 'ca', 'rule'] as const

const whatOf = (action: AuditAction, id: string) => ({ action, subject: { kind: 'service', id } }) as const

/** Returns what the audit log records: not the rest of the endpoint nor the values of headers, which may be credentials. */
const factsOf = ({
  name,
  family,
  chain,
  provider,
  labels,
  objective,
  endpoint,
  headers,
  capabilities,
  overrides,
}: Service) => ({
  name,
  family,
  chain,
  provider,
  labels,
  objective,
  endpointOrigin: new URL(endpoint).origin,
  headers: Object.keys(headers),
  capabilities,
  policy: overrides,
})
