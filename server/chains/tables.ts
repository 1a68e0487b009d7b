import { jsonb, pgTable, text } from 'drizzle-orm/pg-core'

import { instant } from '../platform/postgres/columns.ts'

/** Chains that operators added. Those of the declarative file are never stored: the file is their store. */
export const customChains = pgTable('custom_chains', {
  key: text('key').primaryKey(),
  chain: jsonb('chain').notNull(),
  updatedAt: instant('updated_at').notNull(),
})
