import { pgTable, text } from 'drizzle-orm/pg-core'

/** Secrets that all processes of an installation share, sealed under the master key. */
export const sharedSecrets = pgTable('shared_secrets', {
  name: text('name').primaryKey(),
  sealed: text('sealed').notNull(),
})
