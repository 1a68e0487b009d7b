import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'

import { instant } from '../platform/postgres/columns.ts'

/** Policies of tool calls, one for each account, key or connection that has one. */
export const toolPolicies = pgTable(
  'tool_policies',
  {
    id: text('id').primaryKey(), // its level and whose it is: key:key_1
    accountId: text('account_id').notNull(),
    policy: jsonb('policy').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [index('tool_policies_by_account').on(table.accountId)],
)
