import { bigint, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

import { instant } from './postgres/columns.ts'

/** Secrets that all processes of an installation share, sealed under the master key. */
export const sharedSecrets = pgTable('shared_secrets', {
  name: text('name').primaryKey(),
  sealed: text('sealed').notNull(),
})

/** Master keys, by their ids, under which something in the database may be sealed. */
export const usedMasterKeys = pgTable('master_keys', {
  id: text('id').primaryKey(),
  usedAt: instant('used_at').notNull(), // the latest start of a process that seals under it
})

/** Which keys changed, in the order of the commits. Every process reads on from the version it has applied. */
export const keyChanges = pgTable('key_changes', {
  version: bigint('version', { mode: 'number' }).primaryKey(),
  kind: text('kind').notNull(),
  keyIds: text('key_ids').array().notNull(),
})

/** Processes of the installation with their heartbeat, how far each has applied the changes of the keys, and where it listens. */
export const nodes = pgTable('nodes', {
  id: text('id').primaryKey(),
  seenAt: instant('seen_at').notNull(),
  keysVersion: bigint('keys_version', { mode: 'number' }).notNull().default(-1), // -1: nothing applied yet
  url: text('url'), // null: other processes cannot ask it
  version: text('version'),
  startedAt: instant('started_at'),
  masterKeys: text('master_keys').array(), // ids; it seals under the first, and opens with all
})

/** Who does work that one process does for all. A higher epoch ends every lower one. */
export const leases = pgTable(
  'leases',
  {
    name: text('name').notNull(),
    shard: integer('shard').notNull(),
    holder: text('holder').notNull(),
    epoch: bigint('epoch', { mode: 'number' }).notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [primaryKey({ name: 'leases_pkey', columns: [table.name, table.shard] })],
)

/** Answers to requests that may be repeated: with an Idempotency-Key, for a day. Some hold values of keys, so they are sealed. */
export const repeatableAnswers = pgTable(
  'query_key_answers', // of the requests that were the first ones to be repeatable
  {
    id: text('id').primaryKey(), // keyed hash of the account and its Idempotency-Key
    requestHash: text('request_hash').notNull(),
    answerSealed: text('answer_sealed').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [index('query_key_answers_by_age').on(table.createdAt)],
)
