import { jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/** Chains that operators added. Those of the declarative file are never stored: the file is their store. */
export const customChains = pgTable('custom_chains', {
  key: text('key').primaryKey(),
  chain: jsonb('chain').notNull(),
  updatedAt: timestamp('updated_at', { withTimezone: true, precision: 3 }).notNull(),
})
