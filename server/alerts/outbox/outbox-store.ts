import type { Database, TransactionSql } from '../../platform/database.ts'
import type { AlertEvent } from '../alert-event.ts'

/** What a delivery holds: events of alerts, or a message of another domain, which is sealed with its address. */
export type DeliveryContent =
  | { readonly kind: 'notice'; readonly events: readonly AlertEvent[] }
  | { readonly kind: 'addressed' }

/** A delivery that is added. Instants are epoch ms. */
export interface NewDelivery {
  readonly id: string
  /** The name of a channel; '' for a webhook of another domain. */
  readonly channel: string
  /** Sealed; null where the channel says where it goes. */
  readonly target: string | null
  readonly subjects: readonly string[]
  readonly content: DeliveryContent
  readonly title: string
  readonly state: 'gathering' | 'waiting'
  readonly nextAt: number
  readonly createdAt: number
  /** How long (ms) attempts go on; a day unless given. */
  readonly forMs?: number | undefined
}

/** A delivery that is to be sent now. */
export interface DueDelivery {
  readonly id: string
  readonly channel: string
  readonly target: string | null
  readonly content: DeliveryContent
  /** How often it was tried. */
  readonly attempts: number
  readonly createdAt: number
  readonly giveUpAt: number
}

/** What became of an attempt. */
export interface SettledAttempt {
  readonly id: string
  readonly at: number
  readonly tookMs: number
  readonly answer: string
  readonly state: 'sent' | 'waiting' | 'dead'
  /** When the next attempt is due; of no meaning for other states than `waiting`. */
  readonly nextAt: number
}

export interface Gathering {
  readonly id: string
  readonly channel: string
  readonly closesAt: number
}

/** How long attempts go on (ms). */
export const giveUpAfterMs = 86_400_000
/** Longer (ms) than any pause between two attempts. */
const beyondPausesMs = 2 * 3_600_000
/** How long what is done is kept (ms). */
const keptMs = 30 * 86_400_000

const instant = (at: number): Date => new Date(at)

const eventCount = (content: DeliveryContent): number =>
  content.kind === 'notice' ? content.events.length : 1

/** Adds deliveries. Those whose id is there already are left out. */
async function insert(sql: TransactionSql, added: readonly NewDelivery[]): Promise<void> {
  if (added.length === 0) return
  const rows = added.map(({ nextAt, createdAt, content, forMs = giveUpAfterMs, ...rest }) => ({
    ...rest,
    content,
    events: eventCount(content),
    next_at: instant(nextAt),
    created_at: instant(createdAt),
    give_up_at: instant(Math.max(createdAt, nextAt) + forMs),
  }))
  await sql`
    INSERT INTO deliveries (id, channel, target, subjects, content, title, events, state, next_at, created_at, give_up_at)
    SELECT id, channel, target, subjects, content, title, events, state, next_at, created_at, give_up_at
    FROM jsonb_populate_recordset(NULL::deliveries, ${JSON.stringify(rows)}::text::jsonb)
    ON CONFLICT (id) DO NOTHING`
}

/** Adds events to a delivery that gathers, unless they are there already. Resolves to false where it gathers no more. */
async function append(
  sql: TransactionSql,
  id: string,
  added: { readonly events: readonly AlertEvent[]; readonly subjects: readonly string[] },
): Promise<boolean> {
  const events = JSON.stringify(added.events)
  await sql`
    UPDATE deliveries SET
      content = jsonb_set(content, '{events}', content->'events' || ${events}::text::jsonb),
      subjects = ARRAY(SELECT DISTINCT unnest(subjects || ${[...added.subjects]}::text[])),
      events = events + ${added.events.length},
      title = ''
    WHERE id = ${id} AND state = 'gathering' AND NOT content->'events' @> ${events}::text::jsonb`
  const gathering = await sql`SELECT FROM deliveries WHERE id = ${id} AND state = 'gathering'`
  return gathering.length > 0
}

/** Takes back what waits and is about one of these. */
async function withdraw(sql: TransactionSql, subjects: readonly string[]): Promise<void> {
  await sql`DELETE FROM deliveries WHERE state = 'waiting' AND subjects && ${[...subjects]}::text[]`
}

/** Lets what has gathered long enough be sent now. */
async function close(
  sql: TransactionSql,
  id: string,
  title: (events: readonly AlertEvent[]) => string,
  now: number,
): Promise<void> {
  const [row] = await sql<{ content: DeliveryContent }[]>`
    SELECT content FROM deliveries WHERE id = ${id} AND state = 'gathering' FOR UPDATE`
  if (row?.content.kind !== 'notice') return
  await sql`
    UPDATE deliveries SET state = 'waiting', title = ${title(row.content.events)}, next_at = ${instant(now)} WHERE id = ${id}`
}

export type OutboxStore = ReturnType<typeof createOutboxStore>

/** The outbox in PostgreSQL. Functions that take `sql` are part of the caller's transaction. */
export function createOutboxStore(database: Database) {
  return {
    insert,
    append,
    close,
    withdraw,

    async gathering(): Promise<Gathering[]> {
      const rows = await database.run(
        (sql) => sql<{ id: string; channel: string; next_at: Date }[]>`
          SELECT id, channel, next_at FROM deliveries WHERE state = 'gathering'`,
      )
      return rows.map(({ id, channel, next_at }) => ({ id, channel, closesAt: next_at.getTime() }))
    },

    /**
     * Resolves to what is due, the oldest first and at most so many of each channel. What is about something that an older
     * one of the channel is about waits for that one. A next attempt that is further ahead than any pause is of a clock that
     * was set back since: it is due now.
     */
    async due(
      now: number,
      asked: {
        readonly limit: number
        readonly ofChannel: number
        readonly without: Iterable<string>
        readonly notTo: Iterable<string>
      },
    ): Promise<DueDelivery[]> {
      const rows = await database.run(
        (sql) => sql<DueRow[]>`
          SELECT id, channel, target, content, attempts, created_at, give_up_at FROM (
            SELECT d.*, row_number() OVER (PARTITION BY d.channel ORDER BY d.next_at, d.seq) AS place
            FROM deliveries d
            WHERE d.state = 'waiting' AND (d.next_at <= ${instant(now)}
                OR (d.next_at > ${instant(now + beyondPausesMs)} AND (d.attempts > 0 OR d.created_at > ${instant(now)})))
              AND d.id <> ALL(${[...asked.without]}::text[]) AND d.channel <> ALL(${[...asked.notTo]}::text[])
              AND NOT EXISTS (
                SELECT FROM deliveries e
                WHERE e.state IN ('waiting', 'gathering') AND e.subjects && d.subjects AND e.seq < d.seq)
          ) AS due
          WHERE place <= ${asked.ofChannel} ORDER BY next_at, seq LIMIT ${asked.limit}`,
        30_000,
      )
      return rows.map(({ created_at, give_up_at, ...row }) => ({
        ...row,
        createdAt: created_at.getTime(),
        giveUpAt: give_up_at.getTime(),
      }))
    },

    /**
     * Notes attempts, whoever owns the work by now: what a receiver took is not sent again, and an address of somebody else is
     * forgotten then.
     */
    async settle(attempts: readonly SettledAttempt[]): Promise<void> {
      const ids = attempts.map(({ id }) => id)
      const ats = attempts.map(({ at }) => at)
      const answers = attempts.map(({ answer }) => answer)
      const states = attempts.map(({ state }) => state)
      await database.transaction(async (sql) => {
        await sql`
          UPDATE deliveries d SET state = a.state, attempts = d.attempts + 1, answer = a.answer,
            next_at = to_timestamp(a.next_at / 1000),
            target = CASE WHEN a.state = 'sent' THEN NULL ELSE d.target END,
            done_at = CASE WHEN a.state = 'waiting' THEN NULL ELSE to_timestamp(a.at / 1000) END
          FROM unnest(${ids}::text[], ${states}::text[], ${answers}::text[], ${ats}::float8[],
            ${attempts.map(({ nextAt }) => nextAt)}::float8[]) AS a (id, state, answer, at, next_at)
          WHERE d.id = a.id AND d.state = 'waiting'`
        await sql`
          INSERT INTO delivery_attempts (delivery_id, at, ok, answer, took_ms)
          SELECT a.id, to_timestamp(a.at / 1000), a.state = 'sent', a.answer, a.took_ms
          FROM unnest(${ids}::text[], ${states}::text[], ${answers}::text[], ${ats}::float8[],
            ${attempts.map(({ tookMs }) => Math.round(tookMs))}::int[]) AS a (id, state, answer, at, took_ms)
          JOIN deliveries USING (id)`
      })
    },

    /** How many wait, and how old the oldest of them is. */
    async length(): Promise<{ waiting: number; dead: number }> {
      const [row] = await database.run(
        (sql) => sql<{ waiting: number; dead: number }[]>`
          SELECT count(*) FILTER (WHERE state IN ('waiting', 'gathering'))::int AS waiting,
            count(*) FILTER (WHERE state = 'dead')::int AS dead FROM deliveries`,
      )
      return row ?? { waiting: 0, dead: 0 }
    },

    async dropOld(now: number): Promise<void> {
      await database.run(
        (sql) => sql`DELETE FROM deliveries WHERE done_at < ${instant(now - keptMs)}`,
        30_000,
      )
    },
  }
}

interface DueRow extends Omit<DueDelivery, 'createdAt' | 'giveUpAt'> {
  created_at: Date
  give_up_at: Date
}
