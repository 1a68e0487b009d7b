import { pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/** Private addresses that operators allowed. Blocks of the environment are never stored. */
export const allowedAddresses = pgTable('allowed_addresses', {
  address: text('address').primaryKey(), // canonical
  name: text('name'), // that resolved to it; null: the address itself was given
  allowedBy: text('allowed_by').notNull(), // what the operator was called
  allowedAt: timestamp('allowed_at', { withTimezone: true, precision: 3 }).notNull(),
})
