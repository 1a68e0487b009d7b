import type { Acknowledged } from '../../shared/alerts.ts'
import type { Decision } from '../../shared/health.ts'
import type { Database, TransactionSql } from '../platform/database.ts'
import type { OpenAlert } from './decide/open-alert.ts'

/** A change of a decision that was stored with it. */
export interface DecisionChange {
  readonly serviceId: string
  /** Epoch ms. */
  readonly at: number
  readonly from: Decision
  readonly to: Decision
  readonly reason: string
}

export interface StoredChange extends DecisionChange {
  readonly seq: number
}

/** An alert that is over, with when that was (epoch ms). */
export interface PastAlert {
  readonly alert: OpenAlert
  readonly resolvedAt: number | null
}

const instant = (at: number): Date => new Date(at)
const keptMs = 30 * 86_400_000
/** Changes that are looked at together. */
const changesAtOnce = 1_000

export type AlertStore = ReturnType<typeof createAlertStore>

/** Changes that are not looked at yet, and alerts, in PostgreSQL. Functions that take `sql` are part of the caller's transaction. */
export function createAlertStore(database: Database) {
  return {
    /** Adds changes of decisions, in the transaction that stores them. */
    async addChanges(sql: TransactionSql, changes: readonly DecisionChange[]): Promise<void> {
      await sql`
        INSERT INTO alert_events (service_id, at, "from", "to", reason)
        SELECT service_id, to_timestamp(at / 1000), "from", "to", reason
        FROM unnest(
          ${changes.map(({ serviceId }) => serviceId)}::text[],
          ${changes.map(({ at }) => at)}::float8[],
          ${changes.map(({ from }) => from)}::text[],
          ${changes.map(({ to }) => to)}::text[],
          ${changes.map(({ reason }) => reason)}::text[]
        ) AS fresh (service_id, at, "from", "to", reason)`
    },

    async changes(): Promise<StoredChange[]> {
      const rows = await database.run(
        (sql) => sql<(Omit<StoredChange, 'at'> & { at: Date })[]>`
          SELECT seq::float8 AS seq, service_id AS "serviceId", at, "from", "to", reason
          FROM alert_events ORDER BY alert_events.seq LIMIT ${changesAtOnce}`,
      )
      return rows.map((row) => ({ ...row, at: row.at.getTime() }))
    },

    async removeChanges(sql: TransactionSql, seqs: readonly number[]): Promise<void> {
      if (seqs.length > 0) await sql`DELETE FROM alert_events WHERE seq = ANY(${[...seqs]}::bigint[])`
    },

    /** Stores alerts that are firing, or covered. */
    async save(sql: TransactionSql, alerts: readonly OpenAlert[]): Promise<void> {
      if (alerts.length === 0) return
      const rows = alerts.map((alert) => ({
        id: alert.id,
        rule: alert.rule,
        alert,
        fired_at: instant(alert.firedAt),
      }))
      await sql`
        INSERT INTO alerts AS kept (id, rule, alert, fired_at)
        SELECT id, rule, alert, fired_at
        FROM jsonb_populate_recordset(NULL::alerts, ${JSON.stringify(rows)}::text::jsonb)
        ON CONFLICT (id) DO UPDATE
          SET alert = excluded.alert || jsonb_build_object('acknowledged', kept.alert->'acknowledged')`
    },

    /** Notes that alerts are over; what never fired is forgotten. */
    async end(
      sql: TransactionSql,
      alerts: readonly OpenAlert[],
      forgotten: readonly string[],
      at: number,
    ): Promise<void> {
      if (alerts.length > 0)
        await sql`UPDATE alerts SET resolved_at = ${instant(at)} WHERE id = ANY(${alerts.map(({ id }) => id)}::text[])`
      if (forgotten.length > 0) await sql`DELETE FROM alerts WHERE id = ANY(${[...forgotten]}::text[])`
    },

    async open(): Promise<OpenAlert[]> {
      const rows = await database.run(
        (sql) =>
          sql<{ alert: OpenAlert }[]>`
            SELECT '{"toldAs":{}}'::jsonb || alert AS alert FROM alerts WHERE resolved_at IS NULL ORDER BY fired_at`,
        30_000,
      )
      return rows.map(({ alert }) => alert)
    },

    async past(since: number): Promise<PastAlert[]> {
      const rows = await database.run(
        (sql) => sql<{ alert: OpenAlert; resolved_at: Date }[]>`
          SELECT alert, resolved_at FROM alerts WHERE resolved_at >= ${instant(since)}
          ORDER BY resolved_at DESC LIMIT 200`,
      )
      return rows.map(({ alert, resolved_at }) => ({ alert, resolvedAt: resolved_at.getTime() }))
    },

    /** Notes that somebody takes care of an alert. Resolves to false where it is not firing. */
    async acknowledge(sql: TransactionSql, id: string, acknowledged: Acknowledged): Promise<boolean> {
      const rows = await sql`
        UPDATE alerts SET alert = jsonb_set(alert, '{acknowledged}', ${JSON.stringify(acknowledged)}::text::jsonb)
        WHERE id = ${id} AND resolved_at IS NULL RETURNING id`
      return rows.length > 0
    },

    /** Who takes care of which alert, by its id. */
    async acknowledged(): Promise<Map<string, NonNullable<OpenAlert['acknowledged']>>> {
      const rows = await database.run(
        (sql) => sql<{ id: string; by: NonNullable<OpenAlert['acknowledged']> }[]>`
          SELECT id, alert->'acknowledged' AS by FROM alerts
          WHERE resolved_at IS NULL AND jsonb_typeof(alert->'acknowledged') = 'object'`,
      )
      return new Map(rows.map(({ id, by }) => [id, by]))
    },

    /** When each rule fired last (epoch ms), and how many of its alerts are firing. */
    async byRule(): Promise<Map<string, { lastFiredAt: number; firing: number }>> {
      const rows = await database.run(
        (sql) => sql<{ rule: string; last: Date; firing: number }[]>`
          SELECT rule, max(fired_at) AS last,
            count(*) FILTER (WHERE resolved_at IS NULL AND alert->>'phase' = 'firing')::int AS firing
          FROM alerts GROUP BY rule`,
      )
      return new Map(rows.map(({ rule, last, firing }) => [rule, { lastFiredAt: last.getTime(), firing }]))
    },

    async dropOld(now: number): Promise<void> {
      await database.run(
        (sql) => sql`DELETE FROM alerts WHERE resolved_at < ${instant(now - keptMs)}`,
        30_000,
      )
    },
  }
}
