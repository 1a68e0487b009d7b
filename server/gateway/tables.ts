import { index, pgTable, text } from 'drizzle-orm/pg-core'

import { instant } from '../platform/postgres/columns.ts'

/** Which process owns a session that moved from the process which opened it. */
export const gatewaySessionOwners = pgTable(
  'gateway_session_owners',
  {
    session: text('session').primaryKey(), // hash of the session id
    owner: text('owner').notNull(), // id of a node
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [index('gateway_session_owners_expires_at').on(table.expiresAt)],
)
