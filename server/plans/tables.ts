import { jsonb, pgTable, text } from 'drizzle-orm/pg-core'

import { instant } from '../platform/postgres/columns.ts'

/** Plans that operators made. Those of the declarative file are never stored: the file is their store. */
export const plans = pgTable('plans', {
  name: text('name').primaryKey(),
  plan: jsonb('plan').notNull(),
  updatedAt: instant('updated_at').notNull(),
})
