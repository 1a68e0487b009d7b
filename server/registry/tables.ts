import { bigint, customType, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })

/** Imported registries, whole. The newest is in force; the ones before it are kept for a while. */
export const registrySnapshots = pgTable('registry_snapshots', {
  id: bigint('id', { mode: 'number' }).primaryKey(), // the newest has the highest
  version: text('version').notNull(), // SHA-256 of its files
  source: text('source').notNull(), // as it was given
  rows: integer('rows').notNull(),
  content: bytes('content').notNull(), // its files, zipped
  importedAt: timestamp('imported_at', { withTimezone: true, precision: 3 }).notNull(),
})

/** When the file's source is looked at next, by whichever process comes first. */
export const registrySources = pgTable('registry_sources', {
  source: text('source').primaryKey(),
  nextCheckAt: timestamp('next_check_at', { withTimezone: true, precision: 3 }).notNull(),
  etag: text('etag'),
  version: text('version'), // what it held when it was imported last
  problem: text('problem'), // why the latest look failed
})
