import {
  bigint,
  bigserial,
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  text,
} from 'drizzle-orm/pg-core'

import { instant } from '../platform/postgres/columns.ts'

/*
 * The tables of the health domain that drizzle-kit can describe. The three rollup tables are partitioned by time,
 * which it cannot: they stand in a hand-written migration.
 */

/** Services registered by an operator. Those of the declarative file are never stored: the file is their store. */
export const services = pgTable('services', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  family: text('family').notNull(),
  chain: text('chain'),
  provider: text('provider').notNull(),
  access: text('access').notNull(), // sealed {endpoint, headers}: an address may hold a credential
  rule: jsonb('rule'),
  policy: jsonb('policy').notNull(),
  labels: jsonb('labels').notNull().default([]),
  objective: doublePrecision('objective'), // in percent; null: the usual one
  capabilities: jsonb('capabilities'), // what the operator declares of it; null: nothing
  createdAt: instant('created_at').notNull().defaultNow(),
})

/** Announced work on a service: its decisions go on, but they open no incident and do not count in the uptime. */
export const maintenanceWindows = pgTable(
  'maintenance_windows',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    serviceId: text('service_id').notNull(),
    startsAt: instant('starts_at').notNull(),
    endsAt: instant('ends_at'), // null: until it is ended
    note: text('note').notNull().default(''),
  },
  (table) => [index('maintenance_windows_by_service').on(table.serviceId, table.startsAt)],
)

export const verifiers = pgTable('verifiers', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  region: text('region').notNull(),
  publicKey: text('public_key').notNull().unique(),
  families: jsonb('families').notNull(),
  version: text('version').notNull(),
  isBuiltIn: boolean('is_built_in').notNull().default(false),
  isRevoked: boolean('is_revoked').notNull().default(false),
  lastSeq: bigint('last_seq', { mode: 'number' }).notNull().default(0),
  lastSeenAt: instant('last_seen_at'),
  createdAt: instant('created_at').notNull().defaultNow(),
})

/** One-time enrolment tokens; only a hash is stored, and using one deletes it. */
export const verifierTokens = pgTable('verifier_tokens', {
  tokenHash: text('token_hash').primaryKey(),
  label: text('label').notNull(),
  expiresAt: instant('expires_at').notNull(),
})

/** What was published last, so that a restarted server goes on with it. */
export const serviceHealth = pgTable('service_health', {
  serviceId: text('service_id').primaryKey(),
  published: text('published').notNull(),
  state: jsonb('state').notNull(),
  liveVerifiers: integer('live_verifiers').notNull(),
  avgBlocksLatency: bigint('avg_blocks_latency', { mode: 'number' }).notNull(),
  avgTimeLatency: bigint('avg_time_latency', { mode: 'number' }).notNull(),
  evaluatedAt: instant('evaluated_at').notNull(),
  quorumExpiresAt: instant('quorum_expires_at').notNull(),
  cause: jsonb('cause'), // why it is LATENCY or DOWN, and how often that changed
})

/** What verifiers found out about a service beside its head, so that a restarted server has it with its age. */
export const serviceFacts = pgTable('service_facts', {
  serviceId: text('service_id').primaryKey(),
  facts: jsonb('facts').notNull(),
  verifierIds: text('verifier_ids').array().notNull(), // those who said so, for one may be revoked
  reportedAt: instant('reported_at').notNull(),
})

/**
 * Every change of a decision, with the votes that led to it as evidence (at most 31 rows of them). A row whose decision
 * stays the same records that its reason changed.
 */
export const healthTransitions = pgTable(
  'health_transitions',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    serviceId: text('service_id').notNull(),
    at: instant('at').notNull(),
    from: text('from').notNull(),
    to: text('to').notNull(),
    reason: text('reason').notNull(),
    votes: jsonb('votes').notNull(),
  },
  (table) => [index('health_transitions_by_service').on(table.serviceId, table.at)],
)

/** Batches of history that were stored: after a commit whose answer was lost, the batch is sent again. */
export const historyBatches = pgTable('history_batches', {
  id: text('id').primaryKey(),
  storedAt: instant('stored_at').notNull().defaultNow(),
})
