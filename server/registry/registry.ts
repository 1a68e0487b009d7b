/**
 * The registry: the services (node APIs, explorers, MCP servers, …) that agents and people can discover, by network and
 * category. One registry is active at a time; every process holds it in memory, indexed for search.
 *
 * From files to an active registry:
 *  1. `sources/` reads files from a folder, a `.tar.gz` archive or an https address, within `read/limits.ts`.
 *     Without an import, `built-in.ts` reads `own-snapshot/`, which is part of the product.
 *  2. `read/` recognises files by their path (`layout.ts`), parses CSV and JSON, and removes hidden characters and
 *     links that may not be opened (`parse-cell.ts`). Listings have a folder form and a compact form
 *     (`compact-listings.ts`).
 *  3. `load.ts` checks who owns credential keys (`credential-keys.ts`), copies listings for all networks
 *     (`expand.ts`) and builds the search index (`index/registry-index.ts`).
 *  4. `store.ts` saves an import in PostgreSQL and notifies; `import-sync.ts` in each process loads the newest import
 *     and swaps the active registry (`active-registry.ts`) as a whole.
 * `source-refresh.ts` repeats this for the source that the configuration file names. `queries/` answers from memory:
 * `search-services.ts` validates and calls `search/`, `find-service.ts` merges a listing with its offer (`merge.ts`).
 *
 * How a question is answered:
 *  1. `chain-places.ts` says where the chain that is asked for stands, `queries/parse-question.ts` refuses what it does not
 *     know, and `search/understand.ts` reads the words: other languages (`translate.ts`, `languages.ts`), spelling
 *     (`closest-name.ts`), then phrases for networks, categories and properties (`phrases.ts` with `chain-aliases.ts`,
 *     `category-aliases.ts` and `index/facets.ts`); a network whose name is an ordinary word needs evidence
 *     (`ambiguous-names.ts`). Each is a wish with a weight, as is each word that is left.
 *  2. `search/find-services.ts` finds the rows that fulfil the most wishes: words by `word-matcher.ts` (BM25, where a name
 *     counts more than a tag and a tag more than a text), everything else by `wishes.ts`. Rows of one service
 *     (`index/services.ts`) become one result. Equals are ordered by what they say for themselves (`index/row-facts.ts`)
 *     and by health.
 *  3. `queries/result-networks.ts` says where a result stands, and `search/notes.ts` how the question was understood.
 *
 * The index is our own, not a library. On one loaded machine, the quickest of several searches of each question, at p99 over
 * a registry of 68,090 rows: MiniSearch 118 ms and Orama 199 ms over its 27,200 distinct rows, 3.0 and 11.7 ms over its 1,646
 * distinct texts, which leaves out networks, conditions and plans; all of this one 1.3 to 2.1 ms. By themselves they have a
 * precision at five of 0.34 and 0.20 on a real registry, this one 0.92 (`tests/search/` has the questions): half of a question
 * is names of networks, categories and properties, which no text says, so a library would replace `word-index.ts` alone.
 *
 * Failure: a row that is not valid is left out and reported with file, line and reason. A registry that cannot be used
 * throws `UnusableSnapshot` before anything is stored. A stored import that cannot be loaded leaves the previous
 * registry active and logs an error.
 *
 * Limitations: an import replaces the whole registry; the latest three are kept. A single file is parsed in one turn of
 * the event loop, so a file near the limit of 8 MB delays other requests by some 100 ms.
 */

import type { RegistryCounts, RegistrySection, RegistryStatus, RowProblem } from '../../shared/registry.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database, TransactionSql } from '../platform/database.ts'
import type { EgressFetch } from '../platform/egress.ts'
import type { Log } from '../platform/log.ts'
import { nextTurn } from '../platform/turns.ts'
import type { RegistryQueries } from './queries/queries.ts'
import { builtInFiles, builtInSource } from './built-in.ts'
import { createImportSync } from './import-sync.ts'
import type { MonitoredServiceList } from './health-links.ts'
import { type ActiveRegistry, type RegistryOrigin, activateRegistry } from './active-registry.ts'
import { type LoadedRegistry, loadRegistry } from './load.ts'
import { UnusableSnapshot } from './read/limits.ts'
import { createSourceRefresh } from './source-refresh.ts'
import type { SnapshotFile } from './snapshot.ts'
import { readArchive } from './sources/archive.ts'
import { packFiles, unpackFiles } from './sources/pack.ts'
import { readSource } from './sources/read-source.ts'
import { type RegistryStore, createRegistryStore } from './store.ts'

export type { RegistryQueries } from './queries/queries.ts'
export { UnusableSnapshot }

export interface RegistryOptions {
  readonly database: Database
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  readonly world: RegistryWorld
}

/** What the registry needs from other domains. */
export interface RegistryWorld {
  /** Returns the display name of a chain, or undefined for an unknown chain. */
  readonly chainName: (key: string) => string | undefined
  readonly services: MonitoredServiceList
  readonly fetch: EgressFetch
}

export interface ImportReport {
  readonly version: string
  readonly counts: RegistryCounts
  /** The first 1,000 at most; `counts` has the number of all. */
  readonly problems: readonly RowProblem[]
}

export interface ImportProgress {
  readonly filesRead: number
  readonly files: number
}

export type RecordImport = (sql: TransactionSql, report: ImportReport) => Promise<void>

/** The use cases of the registry. Queries are answered from memory by the registry that is active at that moment. */
export interface Registry extends RegistryQueries {
  status(): Promise<RegistryStatus>
  /** Returns the rows of the active registry's files that were left out or changed. */
  problems(): readonly RowProblem[]
  /**
   * Imports packed files and makes them the active registry of all processes. Resolves when this process uses it. Throws
   * `UnusableSnapshot` when nothing was changed.
   */
  importPacked(source: string, content: Uint8Array, record: RecordImport): Promise<ImportReport>
  /**
   * Imports a folder, a file or an address as `importPacked` does, or only checks it. Throws `UnusableSnapshot`. It reads
   * any file that the server can read, so callers must be allowed to read those.
   */
  importSource(source: string, isCheckOnly: boolean, record: RecordImport): Promise<ImportReport>
  /** Returns the progress of the import that is running, or null when none is. */
  progress(): ImportProgress | null
  /** Imports a `.tar.gz` archive as `importPacked` does. */
  importArchive(source: string, content: Uint8Array, record: RecordImport): Promise<ImportReport>
  /** Applies the `registry` section of the configuration file, and checks its source soon when it changed. */
  applyFile(section: RegistrySection): void
  /** Checks the source that the configuration file names, if a check is due. */
  refresh(): Promise<void>
  /** Checks that source even if no check is due. */
  refreshAtOnce(): Promise<void>
  /** Loads the newest import of any process. */
  sync(): Promise<void>
  start(): void
  stop(): Promise<void>
}

export async function createRegistry({ database, clock, log, world }: RegistryOptions): Promise<Registry> {
  const store = createRegistryStore(database)
  let section: RegistrySection = { refreshHours: 24, links: [] }
  const deps = {
    nameOf: (chain: string) => world.chainName(chain) ?? titleCase(chain),
    services: world.services,
    links: () => section.links,
  }
  const read = async (files: readonly SnapshotFile[], origin: RegistryOrigin): Promise<ActiveRegistry> =>
    activateRegistry(await loadFiles(files), origin, deps)
  const builtIn = async (): Promise<ActiveRegistry> =>
    read(await builtInFiles(), { source: builtInSource, importedAt: null })

  let imported: ActiveRegistry | null = null
  const importSync = createImportSync({
    database,
    store,
    log,
    async apply({ source, importedAt }, content) {
      imported = await read(await unpackFiles(content), { source, importedAt })
      const { networks, rows, leftOut } = imported.counts
      log.info('an imported registry is active', { source, networks, rows, leftOut })
    },
  })

  let progress: ImportProgress | null = null

  async function checkFiles(files: readonly SnapshotFile[]): Promise<ImportReport> {
    try {
      const { index, counts, problems } = await loadRegistry(files, {
        pause: nextTurn,
        onProgress: (filesRead, of) => void (progress = { filesRead, files: of }),
      })
      return { version: index.snapshot.version, counts, problems }
    } finally {
      progress = null
    }
  }

  async function importFiles(
    source: string,
    files: readonly SnapshotFile[],
    { unless, leastRows = 0, record }: { unless: string | null; leastRows?: number; record: RecordImport },
  ): Promise<ImportReport> {
    const report = await checkFiles(files)
    if (report.version === unless) return report
    const { rows } = report.counts
    if (rows < leastRows) throw mostRowsLost(rows)
    const content = await packFiles(files)
    const made = {
      version: report.version,
      source,
      rows,
      content,
      importedAt: clock.now(),
    }
    await store.save(made, (sql) => record(sql, report))
    await importSync.sync()
    return report
  }

  const sourceRefresh = createSourceRefresh({
    store,
    clock,
    log,
    fetch: world.fetch,
    section: () => section,
    async importFiles(source, files, unless) {
      // Nobody looks on: what lost most of its rows is more likely half there than meant.
      const newest = await store.newest()
      const leastRows = newest?.source === source ? newest.rows / 2 : 0
      return (await importFiles(source, files, { unless, leastRows, record: noAuditEntry })).version
    },
  })

  await importSync.load()
  const initial = imported ?? (await builtIn())
  const active = (): ActiveRegistry => imported ?? initial

  return {
    ...delegateTo(active),

    async status() {
      const { version, origin, counts } = active()
      const source = await sourceStatus(section, store)
      return { version, origin: origin.source, importedAt: origin.importedAt, counts, source }
    },
    problems: () => active().problems,
    importPacked: async (source, content, record) =>
      importFiles(source, await unpackFiles(content), { unless: null, record }),
    async importSource(source, isCheckOnly, record) {
      const reading = await readSource(source, world.fetch)
      const files = reading.kind === 'files' ? reading.files : []
      return isCheckOnly
        ? await checkFiles(files)
        : await importFiles(source, files, { unless: null, record })
    },
    progress: () => progress,
    importArchive: async (source, content, record) =>
      importFiles(source, await readArchive(content), { unless: null, record }),
    applyFile(now) {
      const isOtherSource = now.source !== section.source
      section = now
      if (isOtherSource) void sourceRefresh.refresh()
    },
    refresh: sourceRefresh.refresh,
    refreshAtOnce: sourceRefresh.refreshAtOnce,
    sync: importSync.sync,
    start() {
      importSync.start()
      sourceRefresh.start()
    },
    async stop() {
      await sourceRefresh.stop()
      await importSync.stop()
    },
  }
}

/** Delegates each query to the registry that is active when it is made. */
const delegateTo = (active: () => ActiveRegistry): RegistryQueries => ({
  discoverNetworks: () => active().queries.discoverNetworks(),
  discoverCategories: (input) => active().queries.discoverCategories(input),
  search: (input) => active().queries.search(input),
  chainKey: (chain) => active().queries.chainKey(chain),
  find: (lookup) => active().queries.find(lookup),
  mcpServers: (chain) => active().queries.mcpServers(chain),
  findMcpServers: (question) => active().queries.findMcpServers(question),
  publicNodes: (chain) => active().queries.publicNodes(chain),
  serviceNames: () => active().queries.serviceNames(),
  allCategories: () => active().queries.allCategories(),
  filters: (scope) => active().queries.filters(scope),
})

const loadFiles = (files: readonly SnapshotFile[]): Promise<LoadedRegistry> =>
  loadRegistry(files, { pause: nextTurn })

const mostRowsLost = (rows: number): UnusableSnapshot =>
  new UnusableSnapshot(
    `it has ${rows} rows, less than half of what it had: if that is meant, import it with gatehouse registry import`,
  )

/** A refresh has no audit entry: the configuration file orders it, not a person. */
const noAuditEntry = async (): Promise<void> => undefined

const titleCase = (key: string): string =>
  key.replaceAll(
    /(^|-)([a-z])/g,
    (_, before: string, letter: string) => `${before && ' '}${letter.toUpperCase()}`,
  )

async function sourceStatus(
  { source }: RegistrySection,
  store: Pick<RegistryStore, 'check'>,
): Promise<RegistryStatus['source']> {
  if (source === undefined) return null
  const check = await store.check(source)
  return { address: source, nextCheckAt: check?.nextCheckAt ?? null, problem: check?.problem ?? null }
}
