import { index, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/** Which process owns a session that moved from the process which opened it. */
export const gatewaySessionOwners = pgTable(
  'gateway_session_owners',
  {
    session: text('session').primaryKey(), // hash of the session id
    owner: text('owner').notNull(), // id of a node
    expiresAt: timestamp('expires_at', { withTimezone: true, precision: 3 }).notNull(),
  },
  (table) => [index('gateway_session_owners_expires_at').on(table.expiresAt)],
)
