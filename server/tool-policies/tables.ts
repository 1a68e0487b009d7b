import { index, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/** Policies of tool calls, one for each account, key or connection that has one. */
export const toolPolicies = pgTable(
  'tool_policies',
  {
    id: text('id').primaryKey(), // its level and whose it is: key:key_1
    accountId: text('account_id').notNull(),
    policy: jsonb('policy').notNull(),
    updatedAt: timestamp('updated_at', { withTimezone: true, precision: 3 }).notNull(),
  },
  (table) => [index('tool_policies_by_account').on(table.accountId)],
)
