import { index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'

import { instant } from '../platform/postgres/columns.ts'

/** Public status pages of operators. Those of the declarative file are never stored: the file is their store. */
export const statusPages = pgTable('status_pages', {
  page: text('page').primaryKey(),
  spec: text('spec').notNull(),
  revision: text('revision').notNull(), // random, another one with each change; the preview's address ends with it
  updatedAt: instant('updated_at').notNull(),
})

/** What operators tell the visitors of a page: incidents and planned work, each with its updates. */
export const statusIncidents = pgTable(
  'status_incidents',
  {
    id: text('id').primaryKey(),
    page: text('page').notNull(),
    content: text('content').notNull(),
    startsAt: instant('starts_at').notNull(),
  },
  (table) => [index('status_incidents_by_page').on(table.page, table.startsAt)],
)

/** Who is told of the incidents of a page. Addresses are sealed; hashes with a key of the installation find them again. */
export const statusSubscribers = pgTable(
  'status_subscribers',
  {
    id: text('id').primaryKey(),
    page: text('page').notNull(),
    kind: text('kind').notNull(), // email, webhook
    target: text('target').notNull(), // sealed JSON: the address, the secret of a webhook, and the token that unsubscribes
    addressHash: text('address_hash').notNull(),
    placeHash: text('place_hash').notNull(), // the mailbox, or the host of a webhook: whoever would be bothered
    unsubscribeHash: text('unsubscribe_hash').notNull(),
    confirmHash: text('confirm_hash'), // null once it is confirmed
    confirmedAt: instant('confirmed_at'),
    askedAt: instant('asked_at').notNull(), // the last message that asked for confirmation
    asks: integer('asks').notNull(), // how many such messages in a day
    goneSince: instant('gone_since'), // since when the page offers no subscription of this kind
  },
  (table) => [
    uniqueIndex('status_subscribers_by_address').on(table.page, table.kind, table.addressHash),
    uniqueIndex('status_subscribers_by_unsubscribe').on(table.unsubscribeHash),
    uniqueIndex('status_subscribers_by_confirm').on(table.confirmHash),
    index('status_subscribers_by_place').on(table.placeHash),
    index('status_subscribers_by_page').on(table.page, table.id),
  ],
)

/** What subscribers of a page are told, until each of them has a message in the outbox; kept for a day to be counted. */
export const statusAnnouncements = pgTable(
  'status_announcements',
  {
    id: text('id').primaryKey(),
    page: text('page').notNull(),
    content: text('content').notNull(),
    createdAt: instant('created_at').notNull(),
    reached: text('reached').notNull().default(''), // the id of the last subscriber who has its message
    doneAt: instant('done_at'),
  },
  (table) => [index('status_announcements_by_page').on(table.page, table.createdAt)],
)
