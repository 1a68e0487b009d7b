import type { AlertChannel } from '../../shared/alert-channels.ts'
import type {
  DeliveryDetails,
  DeliveryPage,
  DeliveryQuery,
  DeliveryState,
  DeliveryView,
} from '../../shared/deliveries.ts'
import type { ChangedBy } from '../audit/audit.ts'
import type { Database } from '../platform/database.ts'
import { fault } from '../platform/fault.ts'
import { eventLine } from './alert-event.ts'
import { type DeliveryContent, giveUpAfterMs } from './outbox/outbox-store.ts'
import type { AlertSettings } from './settings.ts'

interface ManageDeliveriesOptions {
  readonly database: Database
  readonly settings: Pick<AlertSettings, 'change' | 'findChannel'>
  readonly now: () => number
  /** Messages may be due. */
  readonly wake: () => void
}

interface Row {
  id: string
  seq: number
  channel: string
  content: DeliveryContent
  title: string
  events: number
  state: DeliveryState
  next_at: Date
  attempts: number
  created_at: Date
  done_at: Date | null
  answer: string | null
}

/** Lines that are shown of one delivery. */
const mostLines = 100

/** What operators see of messages, and the sending again of those that were given up. */
export function createManageDeliveries({ database, settings, now, wake }: ManageDeliveriesOptions) {
  const viewOf = (row: Row): DeliveryView => {
    const channel: AlertChannel | null = settings.findChannel(row.channel)
    const isOver = row.state === 'sent' || row.state === 'dead'
    return {
      id: row.id,
      channel: row.channel,
      type: channel?.type ?? null,
      state: row.state,
      title: row.title === '' ? `${row.events} alerts` : row.title,
      events: row.events,
      createdAt: row.created_at.getTime(),
      attempts: row.attempts,
      nextAttemptAt: isOver ? null : row.next_at.getTime(),
      doneAt: row.done_at?.getTime() ?? null,
      answer: row.answer,
    }
  }

  return {
    async list({ channel, state, cursor, limit }: DeliveryQuery): Promise<DeliveryPage> {
      const rows = await database.run(
        (sql) => sql<Row[]>`
          SELECT id, seq::float8 AS seq, channel, title, events, state, next_at, attempts, created_at, done_at, answer
          FROM deliveries
          WHERE ${channel === undefined ? sql`true` : sql`channel = ${channel}`}
            AND ${state === undefined ? sql`true` : sql`state = ${state}`}
            AND ${cursor === undefined ? sql`true` : sql`deliveries.seq < ${cursor}`}
          ORDER BY deliveries.seq DESC LIMIT ${limit + 1}`,
      )
      const shown = rows.slice(0, limit)
      return {
        deliveries: shown.map(viewOf),
        nextCursor: rows.length > limit ? (shown.at(-1)?.seq ?? null) : null,
      }
    },

    /** Fault: `not_found`. */
    async get(id: string): Promise<DeliveryDetails> {
      const [row] = await database.run(
        (sql) => sql<Row[]>`SELECT *, seq::float8 AS seq FROM deliveries WHERE id = ${id}`,
      )
      if (row === undefined) throw fault('not_found', 'There is no delivery of this id')
      const attempts = await database.run(
        (sql) => sql<{ at: Date; ok: boolean; answer: string; took_ms: number }[]>`
          SELECT at, ok, answer, took_ms FROM delivery_attempts WHERE delivery_id = ${id}
          ORDER BY delivery_attempts.id LIMIT 500`,
      )
      const { content } = row
      return {
        ...viewOf(row),
        attemptList: attempts.map(({ at, took_ms, ...rest }) => ({
          ...rest,
          at: at.getTime(),
          tookMs: took_ms,
        })),
        lines: content.kind === 'notice' ? content.events.slice(0, mostLines).map(eventLine) : [row.title],
      }
    },

    /** Sends one that was given up again, under the same id and for another day. Fault: `conflict`. */
    async resend(id: string, by: ChangedBy): Promise<void> {
      const what = { action: 'delivery.resend', subject: { kind: 'delivery', id } } as const
      await settings.change(by, what, async (sql) => {
        const rows = await sql`
          UPDATE deliveries SET state = 'waiting', next_at = ${new Date(now())}, done_at = NULL,
            give_up_at = ${new Date(now() + giveUpAfterMs)}
          WHERE id = ${id} AND state = 'dead' RETURNING id`
        if (rows.length === 0) throw fault('conflict', 'Only a delivery that was given up can be sent again')
      })
      wake()
    },
  }
}
