import {
  IncidentById,
  IncidentStart,
  IncidentUpdate,
  ReportQuery,
  StatusPageByName,
  StatusPageSave,
  SubscriberByAddress,
} from '../../shared/status-pages.ts'
import type { AuditEntry } from '../audit/audit.ts'
import type { TransactionSql } from '../platform/database.ts'
import { type CallContext, authorOf, operatorProcedure, router } from '../trpc/init.ts'
import type { RecordStatusChange } from './status-page-event.ts'
import type { StatusPages } from './status-pages.ts'

type Record = (sql: TransactionSql, entry: AuditEntry) => Promise<void>

/** The console's procedures for public pages, their incidents, and the report of a month. For operators only. */
export function statusPageProcedures(pages: StatusPages, record: Record) {
  const recordBy =
    (ctx: CallContext): RecordStatusChange =>
    (sql, event) =>
      record(sql, { ...authorOf(ctx), ...event })

  return router({
    list: operatorProcedure.query(() => pages.list()),
    save: operatorProcedure.input(StatusPageSave).mutation(async ({ ctx, input }) => {
      await pages.save(input.spec, input.isNew, recordBy(ctx))
      await pages.refresh()
      return pages.list().find(({ spec }) => spec.page === input.spec.page) ?? null
    }),
    remove: operatorProcedure.input(StatusPageByName).mutation(async ({ ctx, input }) => {
      await pages.remove(input.page, recordBy(ctx))
      await pages.refresh()
    }),

    subscriberCounts: operatorProcedure.query(() => pages.subscriberCounts()),
    exportSubscribers: operatorProcedure
      .input(StatusPageByName)
      .mutation(({ ctx, input }) => pages.exportSubscribers(input.page, recordBy(ctx))),
    removeSubscriber: operatorProcedure
      .input(SubscriberByAddress)
      .mutation(({ ctx, input }) => pages.removeSubscriber(input.page, input.address, recordBy(ctx))),

    incidents: operatorProcedure.query(() => pages.incidents()),
    startIncident: operatorProcedure.input(IncidentStart).mutation(async ({ ctx, input }) => {
      const started = await pages.startIncident(input, recordBy(ctx))
      await pages.refresh()
      return started
    }),
    updateIncident: operatorProcedure.input(IncidentUpdate).mutation(async ({ ctx, input }) => {
      await pages.updateIncident(input, recordBy(ctx))
      await pages.refresh()
    }),
    removeIncident: operatorProcedure.input(IncidentById).mutation(async ({ ctx, input }) => {
      await pages.removeIncident(input.id, recordBy(ctx))
      await pages.refresh()
    }),

    report: operatorProcedure.input(ReportQuery).query(({ input }) => pages.report(input)),
  })
}
