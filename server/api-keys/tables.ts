import { sql } from 'drizzle-orm'
import { boolean, index, pgTable, text } from 'drizzle-orm/pg-core'

import { instant } from '../platform/postgres/columns.ts'

/** Administrative keys. Of a value there is a keyed hash, to find it by, and a sealed copy, to show it again. */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id').notNull(),
    name: text('name').notNull(),
    permissions: text('permissions').array().notNull(),
    allowedIps: text('allowed_ips').array().notNull(),
    allowedDomains: text('allowed_domains').array().notNull(),
    expiresAt: instant('expires_at'), // null: never
    isEnabled: boolean('is_enabled').notNull(),
    keyHash: text('key_hash').notNull().unique(),
    keySealed: text('key_sealed').notNull(),
    hint: text('hint').notNull(),
    previousKeyHash: text('previous_key_hash').unique(), // of the value before the last rotation
    previousHint: text('previous_hint'),
    previousEndsAt: instant('previous_ends_at'),
    createdAt: instant('created_at').notNull(),
    lastUsedAt: instant('last_used_at'),
  },
  (table) => [
    index('api_keys_by_account').on(table.accountId, table.createdAt),
    // In the order in which operators list those of all accounts.
    index('api_keys_by_creation').on(table.createdAt.desc().nullsFirst(), table.id),
    index('api_keys_by_end')
      .on(table.expiresAt)
      .where(sql`expires_at IS NOT NULL`),
  ],
)
