import * as z from 'zod/mini'

import { ChainKey } from '../../shared/chains.ts'
import {
  DiscoverCategoriesInput,
  FilterQuestion,
  RegistryArchive,
  SearchInput,
} from '../../shared/registry.ts'
import type { AuditEntry } from '../audit/audit.ts'
import type { TransactionSql } from '../platform/database.ts'
import { fault } from '../platform/fault.ts'
import { authorOf } from '../trpc/author.ts'
import { memberProcedure, operatorProcedure, router } from '../trpc/init.ts'
import type { CallContext } from '../trpc/init.ts'
import { UnusableSnapshot } from './registry.ts'
import type { ImportReport, Registry } from './registry.ts'

/** Adds to the audit log, in the transaction of the change. */
type RecordEntry = (sql: TransactionSql, entry: AuditEntry) => Promise<void>

const ServiceQuestion = z.object({
  serviceId: z.string().check(z.maxLength(300)),
  chain: z.optional(z.string().check(z.maxLength(100))),
})

/** As the command line packs it. */
const PackedRegistry = z.object({
  source: z.string().check(z.minLength(1), z.maxLength(2_000)),
  content: z.base64().check(z.maxLength(32 << 20)),
})
type PackedRegistry = z.infer<typeof PackedRegistry>

/** The registry, for the console and the command line. What is asked of it wrongly is an answer, as agents get it. */
export function registryProcedures(registry: Registry, record: RecordEntry) {
  /** Each import and its entry in the audit log are one transaction. */
  async function imported(
    ctx: CallContext,
    importFrom: Registry['importPacked'],
    { source, content }: PackedRegistry,
  ): Promise<ImportReport> {
    try {
      return await importFrom(source, Buffer.from(content, 'base64'), (sql, { version, counts }) =>
        record(sql, {
          ...authorOf(ctx),
          action: 'registry.import',
          subject: { kind: 'installation', id: 'registry' },
          after: { source, version, rows: counts.rows, leftOut: counts.leftOut },
        }),
      )
    } catch (error) {
      throw error instanceof UnusableSnapshot
        ? fault('invalid_request', `the registry: ${error.message}`)
        : error
    }
  }

  return router({
    networks: memberProcedure.query(() => registry.discoverNetworks()),
    categories: memberProcedure
      .input(DiscoverCategoriesInput)
      .query(({ input }) => registry.discoverCategories(input)),
    search: memberProcedure.input(SearchInput).query(({ input }) => registry.search(input)),
    service: memberProcedure.input(ServiceQuestion).query(({ input }) => registry.find(input)),
    mcpServers: memberProcedure
      .input(z.object({ chain: z.optional(ChainKey) }))
      .query(({ input }) => registry.mcpServers(input.chain)),
    allCategories: memberProcedure.query(() => registry.allCategories()),
    filters: memberProcedure.input(FilterQuestion).query(({ input }) => registry.filters(input)),
    status: memberProcedure.query(() => registry.status()),

    problems: operatorProcedure.query(() => registry.problems()),
    import: operatorProcedure
      .input(PackedRegistry)
      .mutation(({ input, ctx }) => imported(ctx, registry.importPacked, input)),
    /** A `.tar.gz` file from a browser. */
    importArchive: operatorProcedure
      .input(RegistryArchive)
      .mutation(({ input, ctx }) => imported(ctx, registry.importArchive, input)),
    /** Looks at the source of the file now, and says how that went. */
    refresh: operatorProcedure.mutation(async () => {
      await registry.refreshAtOnce()
      return registry.status()
    }),
  })
}
