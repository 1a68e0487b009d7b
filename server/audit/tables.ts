import { bigint, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'

import { instant } from '../platform/postgres/columns.ts'

/**
 * The events of the audit log. A trigger (in a hand-written migration) refuses to change or delete rows. The writer that
 * holds the chain's lock counts `seq`, because an identity column would leave a gap at each rollback.
 */
export const auditEvents = pgTable(
  'audit_events',
  {
    seq: bigint('seq', { mode: 'number' }).primaryKey(),
    at: instant('at').notNull(),
    actor: text('actor').notNull(),
    actorLabel: text('actor_label').notNull(),
    action: text('action').notNull(),
    subjectKind: text('subject_kind').notNull(),
    subjectId: text('subject_id').notNull(),
    before: jsonb('before'),
    after: jsonb('after'),
    ip: text('ip'),
    requestId: text('request_id'),
    previousHash: text('previous_hash').notNull(),
    hash: text('hash').notNull(),
  },
  (table) => [
    index('audit_events_by_actor').on(table.actor, table.seq),
    index('audit_events_by_action').on(table.action, table.seq),
    index('audit_events_by_subject').on(table.subjectKind, table.subjectId, table.seq),
    index('audit_events_by_time').on(table.at),
  ],
)

/** Months of the log that are in files, each with the head of the chain at its end. */
export const auditArchives = pgTable('audit_archives', {
  month: text('month').primaryKey(), // 2026-01
  seq: bigint('seq', { mode: 'number' }).notNull(),
  hash: text('hash').notNull(),
  archivedAt: instant('archived_at').notNull(),
})
