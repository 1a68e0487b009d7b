import type { RegistryCounts, RegistrySection, RegistryStatus, RowProblem } from '../../shared/registry.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database, TransactionSql } from '../platform/database.ts'
import type { EgressFetch } from '../platform/egress.ts'
import type { Log } from '../platform/log.ts'
import { nextTurn } from '../platform/turns.ts'
import type { RegistryAnswers } from './answers/answers.ts'
import { builtInFiles, builtInSource } from './built-in.ts'
import { createFollower } from './follower.ts'
import type { MonitoredServices } from './health-links.ts'
import { toInForce } from './in-force.ts'
import type { Origin, RegistryInForce } from './in-force.ts'
import { loadRegistry } from './load.ts'
import type { LoadedRegistry } from './load.ts'
import { createRefresh } from './refresh.ts'
import type { SnapshotFile } from './snapshot.ts'
import { readArchive } from './sources/archive.ts'
import { packFiles, unpackFiles } from './sources/pack.ts'
import { readSource } from './sources/read-source.ts'
import { createRegistryStore } from './store.ts'
import type { RegistryStore } from './store.ts'

export type { RegistryAnswers } from './answers/answers.ts'
export { UnusableSnapshot } from './read/limits.ts'

export interface RegistryOptions {
  readonly database: Database
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  readonly world: RegistryWorld
}

/** What other parts know. */
export interface RegistryWorld {
  /** What people call a chain; undefined: it is none of ours. */
  readonly chainName: (key: string) => string | undefined
  readonly services: MonitoredServices
  readonly fetch: EgressFetch
}

export interface ImportReport {
  readonly version: string
  readonly counts: RegistryCounts
  /** At most 1,000. */
  readonly problems: readonly RowProblem[]
}

export interface ImportProgress {
  readonly filesRead: number
  readonly files: number
}

export type RecordImport = (sql: TransactionSql, report: ImportReport) => Promise<void>

/** What agents find services in. Questions are answered from memory, by the snapshot that is in force at that moment. */
export interface Registry extends RegistryAnswers {
  status(): Promise<RegistryStatus>
  /** What of the files in force is not in it, or not as it was given. */
  problems(): readonly RowProblem[]
  /** Puts packed files in force, here and in all other processes. Throws `UnusableSnapshot`; then nothing has changed. */
  importPacked(source: string, content: Uint8Array, record: RecordImport): Promise<ImportReport>
  /**
   * Reads a folder, a file or an address, and puts it in force as `importPacked` does; or only tells what would be.
   * Throws `UnusableSnapshot`. For whoever may read any file of this host.
   */
  importSource(source: string, isCheckOnly: boolean, record: RecordImport): Promise<ImportReport>
  /** Of the import that is under way; null: none is. */
  progress(): ImportProgress | null
  /** The same with a `.tar.gz` archive. */
  importArchive(source: string, content: Uint8Array, record: RecordImport): Promise<ImportReport>
  /** Puts the file's section in force, and looks at its source soon. */
  applyFile(section: RegistrySection): void
  /** Looks at the file's source now, if it is due. */
  refresh(): Promise<void>
  /** Looks at it even if it is not due. */
  refreshAtOnce(): Promise<void>
  /** Applies what other processes have imported. */
  sync(): Promise<void>
  start(): void
  stop(): Promise<void>
}

export async function createRegistry({ database, clock, log, world }: RegistryOptions): Promise<Registry> {
  const store = createRegistryStore(database)
  let section: RegistrySection = { refreshHours: 24, links: [] }
  const parts = {
    nameOf: (chain: string) => world.chainName(chain) ?? titleCase(chain),
    services: world.services,
    links: () => section.links,
  }
  const read = async (files: readonly SnapshotFile[], origin: Origin): Promise<RegistryInForce> =>
    toInForce(await loadFiles(files), origin, parts)
  const builtIn = async (): Promise<RegistryInForce> =>
    read(await builtInFiles(), { source: builtInSource, importedAt: null })

  let imported: RegistryInForce | null = null
  const follower = createFollower({
    database,
    store,
    log,
    async apply({ source, importedAt }, content) {
      imported = await read(await unpackFiles(content), { source, importedAt })
      const { networks, rows, leftOut } = imported.counts
      log.info('a registry is in force', { source, networks, rows, leftOut })
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
    { unless, record }: { unless: string | null; record: RecordImport },
  ): Promise<ImportReport> {
    const report = await checkFiles(files)
    if (report.version === unless) return report
    const content = await packFiles(files)
    const made = {
      version: report.version,
      source,
      rows: report.counts.rows,
      content,
      importedAt: clock.now(),
    }
    await store.save(made, (sql) => record(sql, report))
    await follower.sync()
    return report
  }

  const refresh = createRefresh({
    store,
    clock,
    log,
    fetch: world.fetch,
    section: () => section,
    importFiles: async (source, files, unless) =>
      (await importFiles(source, files, { unless, record: unrecorded })).version,
  })

  await follower.load()
  const first = imported ?? (await builtIn())
  const inForce = (): RegistryInForce => imported ?? first

  return {
    ...answersOf(inForce),

    async status() {
      const { version, origin, counts } = inForce()
      const source = await sourceStatus(section, store)
      return { version, origin: origin.source, importedAt: origin.importedAt, counts, source }
    },
    problems: () => inForce().problems,
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
      if (isOtherSource) void refresh.lookNow()
    },
    refresh: refresh.lookNow,
    refreshAtOnce: refresh.lookAtOnce,
    sync: follower.sync,
    start() {
      follower.start()
      refresh.start()
    },
    async stop() {
      await refresh.stop()
      await follower.stop()
    },
  }
}

/** Of whatever snapshot is in force when somebody asks. */
const answersOf = (inForce: () => RegistryInForce): RegistryAnswers => ({
  discoverNetworks: () => inForce().answers.discoverNetworks(),
  discoverCategories: (asked) => inForce().answers.discoverCategories(asked),
  search: (asked) => inForce().answers.search(asked),
  find: (question) => inForce().answers.find(question),
  mcpServers: (chain) => inForce().answers.mcpServers(chain),
  allCategories: () => inForce().answers.allCategories(),
  filters: (question) => inForce().answers.filters(question),
})

const loadFiles = (files: readonly SnapshotFile[]): Promise<LoadedRegistry> =>
  loadRegistry(files, { pause: nextTurn })

/** A refresh is nobody's deed: the file says that it happens. */
const unrecorded = async (): Promise<void> => undefined

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
