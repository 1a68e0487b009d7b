import { boolean, index, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** Saved connections to tool servers; each belongs to one account. */
export const connections = pgTable(
  'connections',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id').notNull(),
    service: jsonb('service').notNull(), // as the registry had it: the secret is for its provider and origin
    secretSealed: text('secret_sealed').notNull(),
    headerName: text('header_name'), // null: Authorization
    label: text('label'),
    status: text('status').notNull(),
    toolsAccepted: jsonb('tools_accepted'), // fingerprints by name; null: never listed
    toolsSeen: jsonb('tools_seen'),
    toolsFlagged: jsonb('tools_flagged').notNull().default([]), // names, of the list last seen
    onChange: text('on_change').notNull().default('warn'),
    resultBytes: integer('result_bytes').notNull().default(1_048_576),
    showsSecrets: boolean('shows_secrets').notNull().default(false),
    createdAt: instant('created_at').notNull(),
    lastUsedAt: instant('last_used_at'),
    contentKeptUntil: instant('content_kept_until'), // arguments and results of its calls; null: they are not
  },
  (table) => [index('connections_by_account').on(table.accountId, table.createdAt)],
)

/** Definitions of their tools, accepted or last seen, with which changes are compared. */
export const connectionTools = pgTable(
  'connection_tools',
  {
    connectionId: text('connection_id')
      .notNull()
      .references(() => connections.id, { onDelete: 'cascade' }),
    fingerprint: text('fingerprint').notNull(),
    definition: text('definition').notNull(), // JSON as text: jsonb takes no NUL
  },
  (table) => [
    primaryKey({ name: 'connection_tools_pkey', columns: [table.connectionId, table.fingerprint] }),
  ],
)

/** What this installation knows of tool servers, whoever asked them; definitions were read without credentials. */
export const toolServers = pgTable('tool_servers', {
  url: text('url').primaryKey(),
  serviceId: text('service_id').notNull(),
  name: text('name').notNull(),
  challengedAt: instant('challenged_at'), // listed as open, and asked for credentials
  changedAt: instant('changed_at'),
  toolsAccepted: jsonb('tools_accepted'), // fingerprints by name; null: never listed
  toolsSeen: jsonb('tools_seen'),
  definitions: text('definitions').notNull().default('{}'), // JSON by fingerprint, as text: jsonb takes no NUL
})
