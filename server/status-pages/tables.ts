import { index, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

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
