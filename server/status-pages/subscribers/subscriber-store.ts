import type { SubscriberCounts, SubscriberKind } from '../../../shared/status-pages.ts'
import type { Database, Sql, TransactionSql } from '../../platform/database.ts'
import type { SealedColumn } from '../../platform/resealing.ts'
import type { Vault } from '../../platform/vault.ts'

/** Where a subscriber is told. */
export interface SubscriberTarget {
  /** The mailbox or the URL. */
  readonly address: string
  /** Of a webhook: what its messages are signed with (`whsec_…`). */
  readonly secret?: string
  /** The token of the link that unsubscribes. */
  readonly leave: string
}

/** A subscriber of a page. Instants are epoch ms. */
export interface PageSubscriber {
  readonly id: string
  readonly kind: SubscriberKind
  readonly target: SubscriberTarget
  readonly confirmedAt: number | null
  /** When a message asked for confirmation last. */
  readonly askedAt: number
  /** How many such messages went out in the day of the last one. */
  readonly asks: number
}

/** What a subscriber is found by: each a hash with a key of the installation. */
export interface SubscriberHashes {
  readonly address: string
  readonly place: string
}

interface Row {
  id: string
  kind: SubscriberKind
  target: string
  confirmed_at: Date | null
  asked_at: Date
  asks: number
}

const targetPlace = (id: string): string => `status_subscribers ${id} target`

export const sealedSubscribers: SealedColumn = {
  table: 'status_subscribers',
  column: 'target',
  key: 'id',
  place: targetPlace,
}

interface IdRow {
  id: string
}
const idsIn = (rows: readonly IdRow[]): string[] => rows.map(({ id }) => id)

const removals = {
  /** Each of these removes, and resolves to the ids of who was removed. */
  removeByToken: async (sql: TransactionSql, page: string, unsubscribeHash: string) =>
    idsIn(
      await sql<IdRow[]>`
        DELETE FROM status_subscribers WHERE unsubscribe_hash = ${unsubscribeHash} AND page = ${page}
        RETURNING id`,
    ),
  removeByAddress: async (sql: TransactionSql, page: string, addressHashes: readonly string[]) =>
    idsIn(
      await sql<IdRow[]>`
        DELETE FROM status_subscribers
        WHERE page = ${page} AND address_hash = ANY(${[...addressHashes]}::text[]) RETURNING id`,
    ),
  removeKinds: async (sql: TransactionSql, page: string, kinds: readonly SubscriberKind[]) =>
    idsIn(
      await sql<IdRow[]>`
        DELETE FROM status_subscribers WHERE page = ${page} AND kind = ANY(${[...kinds]}::text[])
        RETURNING id`,
    ),
  /** Removes who did not confirm since an instant, and whom no page wants since another. */
  removeStale: async (sql: TransactionSql, since: { readonly asked: number; readonly gone: number }) =>
    idsIn(
      await sql<IdRow[]>`
        DELETE FROM status_subscribers
        WHERE (confirmed_at IS NULL AND asked_at <= ${new Date(since.asked)})
          OR gone_since <= ${new Date(since.gone)}
        RETURNING id`,
    ),
  /** Notes since when nobody wants subscribers of other pages and kinds than these (`page` and kind, with a blank between). */
  async noteWanted(sql: TransactionSql, wanted: readonly string[], at: number): Promise<void> {
    await sql`
      UPDATE status_subscribers
      SET gone_since = CASE WHEN page || ' ' || kind = ANY(${[...wanted]}::text[]) THEN NULL ELSE ${new Date(at)}::timestamptz END
      WHERE (page || ' ' || kind = ANY(${[...wanted]}::text[])) = (gone_since IS NOT NULL)`
  },
}

export type SubscriberStore = ReturnType<typeof createSubscriberStore>

/** Subscribers in PostgreSQL. Functions that take `sql` are part of the caller's transaction. */
export function createSubscriberStore(database: Database, vault: Vault) {
  const subscriberFrom = ({ id, kind, target, confirmed_at, asked_at, asks }: Row): PageSubscriber => ({
    id,
    kind,
    target: JSON.parse(vault.open(target, targetPlace(id))) as SubscriberTarget,
    confirmedAt: confirmed_at?.getTime() ?? null,
    askedAt: asked_at.getTime(),
    asks,
  })
  const first = ([row]: readonly Row[]): PageSubscriber | null =>
    row === undefined ? null : subscriberFrom(row)

  return {
    ...removals,
    /** Waits for other changes of the page's subscribers. */
    async lock(sql: TransactionSql, page: string): Promise<void> {
      await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`status_subscribers ${page}`}, 0))`
    },
    find: async (sql: Sql, page: string, kind: SubscriberKind, addressHash: string) =>
      first(
        await sql<Row[]>`
          SELECT * FROM status_subscribers
          WHERE page = ${page} AND kind = ${kind} AND address_hash = ${addressHash}`,
      ),
    /** Finds one that has not confirmed yet and was asked after an instant. */
    findAsked: async (sql: Sql, page: string, confirmHash: string, since: number) =>
      first(
        await sql<Row[]>`
          SELECT * FROM status_subscribers
          WHERE confirm_hash = ${confirmHash} AND page = ${page} AND asked_at > ${new Date(since)}`,
      ),
    /** How often was asked for a page since an instant, and at one place on all pages since another. */
    async countAsks(
      sql: TransactionSql,
      page: string,
      placeHash: string,
      since: { readonly page: number; readonly place: number },
    ): Promise<{ page: number; place: number }> {
      const [ofPage] = await sql<{ count: number }[]>`
        SELECT count(*)::int AS count FROM status_subscribers
        WHERE page = ${page} AND asked_at > ${new Date(since.page)}`
      const [ofPlace] = await sql<{ count: number }[]>`
        SELECT coalesce(sum(asks), 0)::int AS count FROM status_subscribers
        WHERE place_hash = ${placeHash} AND asked_at > ${new Date(since.place)}`
      return { page: ofPage?.count ?? 0, place: ofPlace?.count ?? 0 }
    },
    /** Stores that one is asked; without `confirmHash` it has confirmed before. */
    async save(
      sql: TransactionSql,
      page: string,
      { id, kind, target, askedAt, asks }: PageSubscriber,
      hashes: SubscriberHashes & { readonly unsubscribe: string; readonly confirm: string | null },
    ): Promise<void> {
      await sql`
        INSERT INTO status_subscribers (id, page, kind, target, address_hash, place_hash, unsubscribe_hash,
          confirm_hash, asked_at, asks)
        VALUES (${id}, ${page}, ${kind}, ${vault.seal(JSON.stringify(target), targetPlace(id))},
          ${hashes.address}, ${hashes.place}, ${hashes.unsubscribe}, ${hashes.confirm}, ${new Date(askedAt)}, ${asks})
        ON CONFLICT (id) DO UPDATE
        SET confirm_hash = excluded.confirm_hash, asked_at = excluded.asked_at, asks = excluded.asks`
    },
    async confirm(sql: TransactionSql, id: string, at: number): Promise<void> {
      await sql`
        UPDATE status_subscribers SET confirmed_at = ${new Date(at)}, confirm_hash = NULL WHERE id = ${id}`
    },
    async countConfirmed(sql: Sql, page: string): Promise<number> {
      const [row] = await sql<{ count: number }[]>`
        SELECT count(*)::int AS count FROM status_subscribers WHERE page = ${page} AND confirmed_at IS NOT NULL`
      return row?.count ?? 0
    },
    /** Confirmed ones behind an id, in the order of their ids, who confirmed before an instant. */
    confirmedAfter: async (
      sql: Sql,
      page: string,
      { id, before, limit }: { readonly id: string; readonly before: number; readonly limit: number },
    ): Promise<PageSubscriber[]> =>
      (
        await sql<Row[]>`
          SELECT * FROM status_subscribers
          WHERE page = ${page} AND id > ${id} AND confirmed_at <= ${new Date(before)}
          ORDER BY id LIMIT ${limit}`
      ).map(subscriberFrom),
    counts: () =>
      database.run(
        (sql) => sql<SubscriberCounts[]>`
          SELECT page, count(*) FILTER (WHERE kind = 'email' AND confirmed_at IS NOT NULL)::int AS email,
            count(*) FILTER (WHERE kind = 'webhook' AND confirmed_at IS NOT NULL)::int AS webhook,
            count(*) FILTER (WHERE confirmed_at IS NULL)::int AS waiting
          FROM status_subscribers GROUP BY page`,
      ),
  }
}
