import { sql } from 'drizzle-orm'
import { bigint, boolean, index, pgTable, text } from 'drizzle-orm/pg-core'

import { instant } from '../platform/postgres/columns.ts'

/** Keys for blockchain access. Of a value there is a keyed hash, to find it by, and a sealed copy, to show it again. */
export const queryKeys = pgTable(
  'query_keys',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id').notNull(),
    name: text('name').notNull(),
    type: text('type').notNull(),
    endpoint: text('endpoint').notNull(),
    rateUnits: bigint('rate_units', { mode: 'number' }), // null: no limit
    ratePeriod: text('rate_period'),
    creditsUnits: bigint('credits_units', { mode: 'number' }), // null: no limit
    creditsPeriod: text('credits_period'),
    allowedIps: text('allowed_ips').array().notNull(),
    allowedDomains: text('allowed_domains').array().notNull(),
    allowedMethods: text('allowed_methods').array().notNull().default([]),
    allowedContracts: text('allowed_contracts').array().notNull().default([]),
    moreEndpoints: text('more_endpoints').array().notNull().default([]),
    expiresAt: instant('expires_at'), // null: never
    debugEndsAt: instant('debug_ends_at'), // until then the request log keeps parameters; null: it does not
    isEnabled: boolean('is_enabled').notNull(),
    keyHash: text('key_hash').notNull().unique(),
    keySealed: text('key_sealed').notNull(),
    hint: text('hint').notNull(),
    previousKeyHash: text('previous_key_hash').unique(), // of the value before the last rotation
    previousHint: text('previous_hint'),
    previousEndsAt: instant('previous_ends_at'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    index('query_keys_by_account').on(table.accountId, table.createdAt),
    // In the order in which operators list those of all accounts.
    index('query_keys_by_creation').on(table.createdAt.desc().nullsFirst(), table.id),
    index('query_keys_by_end')
      .on(table.expiresAt)
      .where(sql`expires_at IS NOT NULL`),
  ],
)
