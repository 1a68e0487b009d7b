import { dayMs } from '../../../shared/durations.ts'
import { type StatusIncident, type StatusPageSpec, statusPageBounds } from '../../../shared/status-pages.ts'
import type { Outbox } from '../../alerts/alerts.ts'
import type { Database, TransactionSql } from '../../platform/database.ts'
import { fault } from '../../platform/fault.ts'
import { randomId } from '../../platform/ids.ts'
import { type Announcement, announcementMessage } from './subscriber-messages.ts'
import { wantedKinds } from './subscriber-rules.ts'
import type { PageSubscriber, SubscriberStore } from './subscriber-store.ts'
import { type PageAddress, addressedTo, subscribedPageOf } from './subscribed-page.ts'

interface AnnouncementsOptions extends PageAddress {
  readonly database: Database
  readonly store: SubscriberStore
  readonly outbox: Outbox
  readonly now: () => number
  readonly pages: () => readonly StatusPageSpec[]
  /** What the page calls a service. */
  readonly nameOf: (spec: StatusPageSpec, serviceId: string) => string | null
}

interface Row {
  id: string
  page: string
  content: string
  created_at: Date
  reached: string
}

/** Subscribers who get their messages in one transaction. */
const batch = 200

/** What subscribers are told: stored with the change, and handed to the outbox part by part, so that no change waits for it. */
export function createAnnouncements(options: AnnouncementsOptions) {
  const { database, store, outbox, now, pages, nameOf, origin } = options

  /**
   * Hands the next part to the outbox. Resolves to false where nothing is left, or another process is at it. What is about a
   * page that is not there waits for a process that has it, because a file may be wrong for a while.
   */
  async function handOn(): Promise<boolean> {
    const specs = new Map(
      pages()
        .filter(({ published }) => published)
        .map((spec) => [spec.page, spec]),
    )
    const isMore = await database.transaction(async (sql) => {
      const [lock] = await sql<{ isOurs: boolean }[]>`
        SELECT pg_try_advisory_xact_lock(hashtextextended('status_announcements', 0)) AS "isOurs"`
      if (lock?.isOurs !== true) return false
      const [row] = await sql<Row[]>`
        SELECT * FROM status_announcements WHERE done_at IS NULL AND page = ANY(${[...specs.keys()]}::text[])
        ORDER BY created_at, id LIMIT 1`
      const spec = specs.get(row?.page ?? '')
      if (row === undefined || spec === undefined) return false
      const asked = { id: row.reached, before: row.created_at.getTime(), limit: batch }
      const next = await store.confirmedAfter(sql, row.page, asked)
      await outbox.enqueue(sql, messagesOf(spec, row, next))
      const doneAt = next.length < batch ? new Date(now()) : null
      await sql`
        UPDATE status_announcements SET reached = ${next.at(-1)?.id ?? row.reached}, done_at = ${doneAt}
        WHERE id = ${row.id}`
      return true
    })
    if (isMore) outbox.wake()
    return isMore
  }

  function messagesOf(spec: StatusPageSpec, { id, content }: Row, to: readonly PageSubscriber[]) {
    const told = JSON.parse(content) as Announcement
    const page = subscribedPageOf(spec, origin())
    const wanted = wantedKinds(spec)
    return to
      .filter(({ kind }) => wanted.includes(kind))
      .map((subscriber) => ({
        id: `${id}_${subscriber.id}`,
        orderBy: subscriber.id,
        to: addressedTo(subscriber, spec.emailChannel ?? ''),
        content: announcementMessage(subscriber.kind, page, told, subscriber.target.leave),
      }))
  }

  return {
    /** Stores, in the transaction of a change, that subscribers are told of the last update. Fault: `conflict`. */
    async announce(sql: TransactionSql, spec: StatusPageSpec, incident: StatusIncident): Promise<void> {
      const { id, kind, title, services, startsAt, endsAt, isOver, updates } = incident
      const update = updates.at(-1)
      if (update === undefined || wantedKinds(spec).length === 0) return
      const [row] = await sql<{ count: number }[]>`
        SELECT count(*)::int AS count FROM status_announcements
        WHERE page = ${spec.page} AND created_at > ${new Date(now() - dayMs)}`
      if ((row?.count ?? 0) >= statusPageBounds.announcements)
        throw fault(
          'conflict',
          `notify: subscribers were told ${statusPageBounds.announcements} times in a day; publish it without telling them`,
        )
      const names = services.flatMap((service) => nameOf(spec, service) ?? [])
      const told: Announcement = {
        id,
        kind,
        title,
        services: names,
        startsAt,
        endsAt,
        isOver,
        update,
        isFirst: updates.length === 1,
      }
      await sql`
        INSERT INTO status_announcements (id, page, content, created_at)
        VALUES (${randomId('sta')}, ${spec.page}, ${JSON.stringify(told)}, ${new Date(now())})`
    },

    /** Hands everything to the outbox that is not there yet. */
    async handOnAll(): Promise<void> {
      while (await handOn()) continue
    },

    /** Forgets what is older than a day, told or not. */
    async dropOld(sql: TransactionSql): Promise<void> {
      await sql`DELETE FROM status_announcements WHERE created_at < ${new Date(now() - dayMs)}`
    },
  }
}
