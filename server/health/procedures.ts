import { tracked } from '@trpc/server'
import * as z from 'zod/mini'

import { ServiceId } from '../../shared/health.ts'
import { historyRanges } from '../../shared/health-details.ts'
import type { LiveServices, ServicePage } from '../../shared/health-services.ts'
import { memberProcedure, operatorProcedure, router } from '../trpc/init.ts'
import type { Health } from './health.ts'
import type { RecordOperation } from './operation.ts'
import { serviceChanges } from './service-changes.ts'

const ById = z.strictObject({ id: ServiceId })
const Range = z.strictObject({ id: ServiceId, range: z.enum(historyRanges) })
/** The id of the event that a browser saw last, given by tRPC's client when it comes again. */
const ComeAgain = z.optional(z.strictObject({ lastEventId: z.optional(z.string().check(z.maxLength(100))) }))

/** Services, for the console and the command line. No answer holds an endpoint's path or a header's value. */
export function serviceProcedures(health: Health, record: RecordOperation) {
  const { services } = health
  const nameOf = (id: string): string => health.verifiers.directory.find(id)?.verifier.name ?? id

  return router({
    list: memberProcedure.query(() => services.lines()),

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
      return { ...details, line: services.line(input.id), verifierNames: Object.fromEntries(names) }
    }),

    history: memberProcedure.input(Range).query(({ input }) => health.history(input.id, input.range)),

    /** What a form that edits a service begins with. */
    settings: operatorProcedure.input(ById).query(({ input }) => services.settings(input.id)),

    /** Chains of which services can be registered. */
    chains: operatorProcedure.query(() => health.chains()),

    ...serviceChanges(health, record),
  })
}
