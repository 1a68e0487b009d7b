import { bigserial, boolean, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { sql } from 'drizzle-orm'

import { instant } from '../platform/postgres/columns.ts'

/** Channels of operators. Those of the declarative file are never stored: the file is their store. */
export const alertChannels = pgTable('alert_channels', {
  name: text('name').primaryKey(),
  spec: text('spec').notNull(), // JSON, sealed as a whole: addresses and tokens are secrets
  updatedAt: instant('updated_at').notNull(),
})

/** Rules of operators, and changed ones of those that are there from the start. */
export const alertRules = pgTable('alert_rules', {
  name: text('name').primaryKey(),
  rule: jsonb('rule').notNull(),
  updatedAt: instant('updated_at').notNull(),
})

export const alertSilences = pgTable('alert_silences', {
  id: text('id').primaryKey(),
  silence: jsonb('silence').notNull(),
  endsAt: instant('ends_at').notNull(),
})

/** Work that operators plan, once or again and again; what they announce of one service at once is in `maintenance_windows`. */
export const plannedMaintenance = pgTable('planned_maintenance', {
  name: text('name').primaryKey(),
  plan: jsonb('plan').notNull(),
  updatedAt: instant('updated_at').notNull(),
})

/** Changes of decisions that were stored, and not looked at for alerts yet. */
export const alertEvents = pgTable('alert_events', {
  seq: bigserial('seq', { mode: 'number' }).primaryKey(),
  serviceId: text('service_id').notNull(),
  at: instant('at').notNull(),
  from: text('from').notNull(),
  to: text('to').notNull(),
  reason: text('reason').notNull(),
})

/** Alerts that are firing, and those that were resolved of late. */
export const alerts = pgTable(
  'alerts',
  {
    id: text('id').primaryKey(),
    rule: text('rule').notNull(),
    alert: jsonb('alert').notNull(),
    firedAt: instant('fired_at').notNull(),
    resolvedAt: instant('resolved_at'), // null: it lasts
  },
  (table) => [
    index('alerts_lasting')
      .on(table.firedAt)
      .where(sql`resolved_at IS NULL`),
    index('alerts_resolved').on(table.resolvedAt),
  ],
)

/** The outbox: messages that are to be sent, with what became of them. Receivers see `id`. */
export const deliveries = pgTable(
  'deliveries',
  {
    id: text('id').primaryKey(),
    seq: bigserial('seq', { mode: 'number' }).notNull(),
    channel: text('channel').notNull(), // '' for a webhook of another domain
    target: text('target'), // sealed JSON: message and address of another domain, until it is sent
    subjects: text('subjects').array().notNull(), // what it is about, with the channel: of two about the same, the older goes first
    content: jsonb('content').notNull(),
    title: text('title').notNull(),
    events: integer('events').notNull(),
    state: text('state').notNull(), // gathering, waiting, sent, dead
    nextAt: instant('next_at').notNull(), // when to send it, or until when it gathers
    attempts: integer('attempts').notNull().default(0),
    createdAt: instant('created_at').notNull(),
    giveUpAt: instant('give_up_at').notNull(),
    doneAt: instant('done_at'),
    answer: text('answer'),
  },
  (table) => [
    index('deliveries_due')
      .on(table.nextAt)
      .where(sql`state IN ('waiting', 'gathering')`),
    // What is about the same: without a list of pending entries, which every look would have to read.
    index('deliveries_ahead')
      .using('gin', table.subjects)
      .with({ fastupdate: false })
      .where(sql`state IN ('waiting', 'gathering')`),
    index('deliveries_by_seq').on(table.seq),
    index('deliveries_by_channel').on(table.channel, table.seq),
    index('deliveries_done').on(table.doneAt),
  ],
)

export const deliveryAttempts = pgTable(
  'delivery_attempts',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    deliveryId: text('delivery_id')
      .notNull()
      .references(() => deliveries.id, { onDelete: 'cascade' }),
    at: instant('at').notNull(),
    ok: boolean('ok').notNull(),
    answer: text('answer').notNull(),
    tookMs: integer('took_ms').notNull(),
  },
  (table) => [index('delivery_attempts_by_delivery').on(table.deliveryId)],
)
