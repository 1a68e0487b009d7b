import { bigint, customType, integer, pgTable, text } from 'drizzle-orm/pg-core'

import { instant } from '../platform/postgres/columns.ts'

const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })

/** Imported registries with their files. The newest is active; the two before it are kept. */
export const registrySnapshots = pgTable('registry_snapshots', {
  id: bigint('id', { mode: 'number' }).primaryKey(), // the newest has the highest
  version: text('version').notNull(), // SHA-256 of its files
  source: text('source').notNull(), // as it was given
  rows: integer('rows').notNull(),
  content: bytes('content').notNull(), // its files, zipped
  importedAt: instant('imported_at').notNull(),
})

/** The next and the latest check of the source that the configuration file names. The first process to claim it checks. */
export const registrySources = pgTable('registry_sources', {
  source: text('source').primaryKey(),
  nextCheckAt: instant('next_check_at').notNull(),
  etag: text('etag'),
  version: text('version'), // what it held when it was imported last
  problem: text('problem'), // why the latest check failed
})
