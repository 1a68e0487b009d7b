import * as z from 'zod/mini'

import { ChainKey } from '../../shared/chains.ts'
import {
  DiscoverCategoriesInput,
  FilterQuestion,
  RegistryArchive,
  type RegistryStatus,
  SearchInput,
} from '../../shared/registry.ts'
import { base64, nameText, text } from '../../shared/text.ts'
import type { AuditEntry } from '../audit/audit.ts'
import type { TransactionSql } from '../platform/database.ts'
import { fault } from '../platform/fault.ts'
import { type CallContext, authorOf, memberProcedure, operatorProcedure, router } from '../trpc/init.ts'
import { type ImportReport, type RecordImport, type Registry, UnusableSnapshot } from './registry.ts'

/** Appends an audit entry in the transaction of the change. */
type RecordEntry = (sql: TransactionSql, entry: AuditEntry) => Promise<void>

const ServiceQuestion = z.object({
  serviceId: text({ min: 0, max: 300 }),
  chain: z.optional(text({ min: 0, max: 100 })),
})

/** Files in the form that `packFiles` makes. */
const PackedRegistry = z.object({
  source: nameText(2_000),
  content: base64(24 << 20),
})

const SourceToImport = z.object({
  source: nameText(2_000),
  isCheckOnly: z.boolean(),
})

/**
 * The registry for the console and the command line. A query that is not valid gets the same refusal value as an agent's,
 * not an error.
 */
export function registryProcedures(registry: Registry, record: RecordEntry) {
  const recorded =
    (ctx: CallContext, source: string): RecordImport =>
    (sql, { version, counts }) =>
      record(sql, {
        ...authorOf(ctx),
        action: 'registry.import',
        subject: { kind: 'installation', id: 'registry' },
        after: { source, version, rows: counts.rows, leftOut: counts.leftOut },
      })

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
    /** Returns what an endpoint of a chain can be made of. */
    publicNodes: operatorProcedure
      .input(z.object({ chain: ChainKey }))
      .query(({ input }) => registry.publicNodes(input.chain)),
    /** Where it came from may be a path of the server: that is for operators. */
    status: memberProcedure.query(async ({ ctx }): Promise<RegistryStatus> => {
      const status = await registry.status()
      return ctx.isOperator ? status : { ...status, origin: '', source: null }
    }),

    problems: operatorProcedure.query(() => registry.problems()),
    /** Imports an upload of packed files. */
    import: operatorProcedure
      .input(PackedRegistry)
      .mutation(({ input: { source, content }, ctx }) =>
        reportUnusable(() =>
          registry.importPacked(source, Buffer.from(content, 'base64'), recorded(ctx, source)),
        ),
      ),
    /** Imports any path that the server can read. Only the command line may: its user can read those files, too. */
    importSource: operatorProcedure.input(SourceToImport).mutation(({ input, ctx }) => {
      if (ctx.account !== null) throw fault('forbidden', 'for the command line on the host of the server')
      const { source, isCheckOnly } = input
      return reportUnusable(() => registry.importSource(source, isCheckOnly, recorded(ctx, source)))
    }),
    /** Imports a `.tar.gz` file from a browser. */
    importArchive: operatorProcedure
      .input(RegistryArchive)
      .mutation(({ input: { source, content }, ctx }) =>
        reportUnusable(() =>
          registry.importArchive(source, Buffer.from(content, 'base64'), recorded(ctx, source)),
        ),
      ),
    /** Checks the configuration file's source now, and returns the status after it. */
    refresh: operatorProcedure.mutation(async () => {
      await registry.refreshAtOnce()
      return registry.status()
    }),
    progress: operatorProcedure.query(() => registry.progress()),
  })
}

async function reportUnusable(work: () => Promise<ImportReport>): Promise<ImportReport> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof UnusableSnapshot
      ? fault('invalid_request', `The registry: ${error.message}`)
      : error
  }
}
