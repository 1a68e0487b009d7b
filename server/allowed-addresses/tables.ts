import { pgTable, text } from 'drizzle-orm/pg-core'

import { instant } from '../platform/postgres/columns.ts'

/** Private addresses that operators allowed. Blocks of the environment are never stored. */
export const allowedAddresses = pgTable('allowed_addresses', {
  address: text('address').primaryKey(), // canonical
  name: text('name'), // that resolved to it; null: the address itself was given
  allowedBy: text('allowed_by').notNull(), // what the operator was called
  allowedAt: instant('allowed_at').notNull(),
})
