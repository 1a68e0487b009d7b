import type { Database, TransactionSql } from '../platform/database.ts'

export const registryChangesChannel = 'registry_changes'

/** One imported registry, without its content. */
export interface StoredImport {
  readonly id: string
  readonly version: string
  readonly source: string
  readonly rows: number
  readonly importedAt: number
}

export interface NewImport {
  readonly version: string
  readonly source: string
  readonly rows: number
  readonly content: Uint8Array
  readonly importedAt: number
}

/** The latest check of a source that the configuration file names. Instants are epoch ms. */
export interface SourceCheck {
  readonly nextCheckAt: number
  readonly etag: string | null
  readonly version: string | null
  readonly problem: string | null
}

export type RegistryStore = ReturnType<typeof createRegistryStore>

const keptImports = 3
const importDeadlineMs = 30_000

interface ImportRow {
  id: string
  version: string
  source: string
  rows: number
  imported_at: Date
}

interface CheckRow {
  next_check_at: Date
  etag: string | null
  version: string | null
  problem: string | null
}

/** Imported registries in PostgreSQL, and the checks of the configuration file's source. */
export function createRegistryStore(database: Database) {
  return {
    /** Returns the newest import, or null when nothing was ever imported. */
    async newest(): Promise<StoredImport | null> {
      const [row] = await database.run(
        (sql) => sql<ImportRow[]>`
          SELECT id::text, version, source, rows, imported_at FROM registry_snapshots ORDER BY id DESC LIMIT 1`,
      )
      if (row === undefined) return null
      const { id, version, source, rows, imported_at: importedAt } = row
      return { id, version, source, rows, importedAt: importedAt.getTime() }
    },

    /** Returns the packed files of an import, or null when it is no longer kept. */
    async content(id: string): Promise<Uint8Array | null> {
      const [row] = await database.run(
        (sql) => sql<{ content: Uint8Array }[]>`SELECT content FROM registry_snapshots WHERE id = ${id}`,
        importDeadlineMs,
      )
      return row?.content ?? null
    },

    /** Saves an import as the newest, and notifies all processes on commit. `also` runs last in the same transaction. */
    async save(made: NewImport, also: (sql: TransactionSql) => Promise<void>): Promise<void> {
      const { version, source, rows, content, importedAt } = made
      await database.transaction(async (sql) => {
        // The lock orders imports, so that the newest has the highest id. A sequence would not follow a restored backup.
        await sql`SELECT pg_advisory_xact_lock(hashtext('registry import'))`
        await sql`
          INSERT INTO registry_snapshots (id, version, source, rows, content, imported_at)
          SELECT coalesce(max(id), 0) + 1, ${version}, ${source}, ${rows}, ${content}::bytea, ${new Date(importedAt)}
          FROM registry_snapshots`
        await sql`
          DELETE FROM registry_snapshots
          WHERE id NOT IN (SELECT id FROM registry_snapshots ORDER BY id DESC LIMIT ${keptImports})`
        await sql`SELECT pg_notify(${registryChangesChannel}, '')`
        await also(sql)
      }, importDeadlineMs)
    },

    async check(source: string): Promise<SourceCheck | null> {
      const [row] = await database.run(
        (sql) => sql<CheckRow[]>`
          SELECT next_check_at, etag, version, problem FROM registry_sources WHERE source = ${source}`,
      )
      if (row === undefined) return null
      const { next_check_at: nextCheckAt, ...rest } = row
      return { ...rest, nextCheckAt: nextCheckAt.getTime() }
    },

    /**
     * Claims a check of a source that is due: other processes then leave it alone until `retryAt`. Returns false when no
     * check is due, or another process has claimed it. One that would be due after `latest` is due: it was planned at
     * another interval, or while the clock was ahead.
     */
    async claimCheck(source: string, now: number, retryAt: number, latest: number): Promise<boolean> {
      const rows = await database.run(
        (sql) => sql`
          INSERT INTO registry_sources (source, next_check_at) VALUES (${source}, ${new Date(retryAt)})
          ON CONFLICT (source) DO UPDATE SET next_check_at = excluded.next_check_at
          WHERE registry_sources.next_check_at <= ${new Date(now)} OR registry_sources.next_check_at > ${new Date(latest)}
          RETURNING source`,
      )
      return rows.length === 1
    },

    /**
     * Notes which source the configuration file names. Where another one had been imported, it is forgotten what both had:
     * a check of this one is due then, and whatever it has is new. Of several processes one does that.
     */
    async nameSource(source: string, now: number): Promise<void> {
      await database.run(
        (sql) => sql`
          WITH replaced AS (
            UPDATE registry_sources SET etag = NULL, version = NULL
            WHERE source <> ${source} AND version IS NOT NULL RETURNING source)
          UPDATE registry_sources SET next_check_at = ${new Date(now)}, etag = NULL, version = NULL
          WHERE source = ${source} AND EXISTS (SELECT FROM replaced)`,
      )
    },

    /** Makes a check of the source due. Where something else was imported since the last one, whatever it has is new. */
    async makeDue(source: string, now: number): Promise<void> {
      await database.run(
        (sql) => sql`
          WITH newest AS (SELECT version FROM registry_snapshots ORDER BY id DESC LIMIT 1)
          UPDATE registry_sources SET next_check_at = ${new Date(now)},
            etag = CASE WHEN version = (SELECT version FROM newest) THEN etag END,
            version = CASE WHEN version = (SELECT version FROM newest) THEN version END
          WHERE source = ${source}`,
      )
    },

    async saveCheck(source: string, { nextCheckAt, etag, version, problem }: SourceCheck): Promise<void> {
      await database.run(
        (sql) => sql`
          INSERT INTO registry_sources ${sql({ source, next_check_at: new Date(nextCheckAt), etag, version, problem })}
          ON CONFLICT (source) DO UPDATE SET next_check_at = excluded.next_check_at, etag = excluded.etag,
            version = excluded.version, problem = excluded.problem`,
      )
    },
  }
}
