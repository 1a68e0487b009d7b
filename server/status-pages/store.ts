import * as z from 'zod/mini'

import { type StatusIncident, StatusPageSpec, incidentStages } from '../../shared/status-pages.ts'
import type { Database, Sql, TransactionSql } from '../platform/database.ts'

/** A page of operators. */
export interface StoredPage {
  readonly spec: StatusPageSpec
  readonly revision: string
  /** Epoch ms. */
  readonly updatedAt: number
}

/** Status pages and incidents in PostgreSQL. */
export interface StatusPageStore {
  pages(): Promise<StoredPage[]>
  /** Resolves to the incidents of every page that still matter, the newest first: those that go on or ended after an instant. */
  incidents(since: number): Promise<StatusIncident[]>
  /** Locks all pages until the transaction ends, and returns them. */
  lock(sql: TransactionSql): Promise<StoredPage[]>
  save(sql: TransactionSql, page: StoredPage): Promise<void>
  /** Removes a page with its incidents. */
  remove(sql: TransactionSql, page: string): Promise<void>
  /** Resolves to how many of them a page has. */
  countIncidents(sql: TransactionSql, page: string, since: number): Promise<number>
  /** Locks one until the transaction ends; null where there is none. */
  lockIncident(sql: TransactionSql, id: string): Promise<StatusIncident | null>
  saveIncident(sql: TransactionSql, incident: StatusIncident): Promise<void>
  removeIncident(sql: TransactionSql, id: string): Promise<void>
}

interface PageRow {
  spec: string
  revision: string
  updated_at: Date
}

interface IncidentRow {
  id: string
  page: string
  content: string
}

const Content = z.object({
  kind: z.enum(['incident', 'maintenance']),
  title: z.string(),
  services: z.array(z.string()),
  startsAt: z.number(),
  endsAt: z.nullable(z.number()),
  isOver: z.boolean(),
  updates: z.array(z.object({ at: z.number(), stage: z.enum(incidentStages), text: z.string() })),
})

export function createStatusPageStore(database: Database): StatusPageStore {
  return {
    async pages() {
      const rows = await database.run(
        (sql) => sql<PageRow[]>`SELECT spec, revision, updated_at FROM status_pages ORDER BY page`,
      )
      return rows.map(pageFrom)
    },
    async incidents(since) {
      const rows = await database.run(
        (sql) => sql<IncidentRow[]>`
          SELECT id, page, content FROM status_incidents
          WHERE ${matters(sql, since)}
          ORDER BY starts_at DESC, id`,
      )
      return rows.map(incidentFrom)
    },
    async lock(sql) {
      await sql`SELECT pg_advisory_xact_lock(hashtextextended('status_pages', 0))`
      return (await sql<PageRow[]>`SELECT spec, revision, updated_at FROM status_pages`).map(pageFrom)
    },
    async save(sql, { spec, revision, updatedAt }) {
      await sql`
        INSERT INTO status_pages (page, spec, revision, updated_at)
        VALUES (${spec.page}, ${JSON.stringify(spec)}, ${revision}, ${new Date(updatedAt)})
        ON CONFLICT (page) DO UPDATE
        SET spec = excluded.spec, revision = excluded.revision, updated_at = excluded.updated_at`
    },
    async remove(sql, page) {
      await sql`DELETE FROM status_pages WHERE page = ${page}`
      await sql`DELETE FROM status_incidents WHERE page = ${page}`
    },
    async countIncidents(sql, page, since) {
      const [row] = await sql<{ count: number }[]>`
        SELECT count(*)::int AS count FROM status_incidents WHERE page = ${page} AND ${matters(sql, since)}`
      return row?.count ?? 0
    },
    async lockIncident(sql, id) {
      const [row] = await sql<IncidentRow[]>`
        SELECT id, page, content FROM status_incidents WHERE id = ${id} FOR UPDATE`
      return row === undefined ? null : incidentFrom(row)
    },
    async saveIncident(sql, { id, page, ...content }) {
      await sql`
        INSERT INTO status_incidents (id, page, content, starts_at)
        VALUES (${id}, ${page}, ${JSON.stringify(content)}, ${new Date(content.startsAt)})
        ON CONFLICT (id) DO UPDATE SET content = excluded.content`
    },
    async removeIncident(sql, id) {
      await sql`DELETE FROM status_incidents WHERE id = ${id}`
    },
  }
}

const matters = (sql: Sql, since: number) =>
  sql`(NOT (content::json ->> 'isOver')::boolean OR (content::json ->> 'endsAt')::float8 >= ${since})`

/** Resolves to the names of the pages whose mails go over a channel; asked before pages are in memory. */
export async function pagesMailingOver(sql: TransactionSql, channel: string): Promise<string[]> {
  const rows = await sql<{ page: string }[]>`
    SELECT page FROM status_pages WHERE spec::json ->> 'emailChannel' = ${channel} ORDER BY page`
  return rows.map(({ page }) => page)
}

const pageFrom = (row: PageRow): StoredPage => ({
  spec: StatusPageSpec.parse(JSON.parse(row.spec)),
  revision: row.revision,
  updatedAt: row.updated_at.getTime(),
})

const incidentFrom = ({ id, page, content }: IncidentRow): StatusIncident => ({
  id,
  page,
  ...Content.parse(JSON.parse(content)),
})
