import { jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/** Plans that operators made. Those of the declarative file are never stored: the file is their store. */
export const plans = pgTable('plans', {
  name: text('name').primaryKey(),
  plan: jsonb('plan').notNull(),
  updatedAt: timestamp('updated_at', { withTimezone: true, precision: 3 }).notNull(),
})
