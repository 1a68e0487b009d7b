import { bigint, boolean, index, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

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
  (table) => [index('api_keys_by_account').on(table.accountId, table.createdAt)],
)

/** Which key changed, in the order of the commits. Every process reads on from the version it has applied. */
export const apiKeyChanges = pgTable('api_key_changes', {
  version: bigint('version', { mode: 'number' }).primaryKey(),
  apiKeyId: text('api_key_id').notNull(),
})

/** Processes of the installation with their heartbeat, and how far each has applied the changes of the keys. */
export const nodes = pgTable('nodes', {
  id: text('id').primaryKey(),
  seenAt: instant('seen_at').notNull(),
  apiKeysVersion: bigint('api_keys_version', { mode: 'number' }).notNull(),
})
