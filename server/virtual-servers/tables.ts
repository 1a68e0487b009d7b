import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

import { instant } from '../platform/postgres/columns.ts'

/** Virtual servers of accounts. Those of the declarative file are never stored: the file is their store. */
export const virtualServers = pgTable(
  'virtual_servers',
  {
    accountId: text('account_id').notNull(),
    name: text('name').notNull(),
    spec: text('spec').notNull(), // JSON as text: jsonb takes no NUL, which arguments may hold
    revision: text('revision').notNull(), // another one with each change
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [primaryKey({ name: 'virtual_servers_pkey', columns: [table.accountId, table.name] })],
)
