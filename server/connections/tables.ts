import { boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

import { instant } from '../platform/postgres/columns.ts'

/** Saved connections to tool servers; each belongs to one account. */
export const connections = pgTable(
  'connections',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id').notNull(),
    service: jsonb('service').notNull(), // as the registry had it: the secret is for its provider and origin
    kind: text('kind').notNull().default('secret'), // secret | oauth
    secretSealed: text('secret_sealed'), // null: of kind oauth, whose tokens are in oauth_connections
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

/** What this installation is called at authorization servers of others: one row for each, never used at another. */
export const oauthRegistrations = pgTable('oauth_registrations', {
  issuer: text('issuer').primaryKey(),
  origin: text('origin').notNull(), // operator | document | registered
  clientId: text('client_id').notNull(),
  sealed: text('sealed').notNull(), // the whole of what was given, with its secret where there is one
  createdAt: instant('created_at').notNull(),
})

/** People who were sent away to consent, for minutes. */
export const oauthAway = pgTable('oauth_away', {
  stateHash: text('state_hash').primaryKey(),
  connectionId: text('connection_id')
    .notNull()
    .references(() => connections.id, { onDelete: 'cascade' }),
  accountId: text('account_id').notNull(),
  sessionId: text('session_id').notNull(), // the web session that left, which alone can come back
  sealed: text('sealed').notNull(), // code verifier, client, and what was discovered when they left
  expiresAt: instant('expires_at').notNull(),
})

/** Access of saved connections of kind oauth. */
export const oauthConnections = pgTable('oauth_connections', {
  connectionId: text('connection_id')
    .primaryKey()
    .references(() => connections.id, { onDelete: 'cascade' }),
  accountId: text('account_id').notNull(),
  issuer: text('issuer'), // of the latest consent; null: there was none
  scopes: text('scopes'), // granted, separated by spaces; null: not told
  scopesWanted: text('scopes_wanted'), // that a call lacked
  tokensSealed: text('tokens_sealed'), // tokens, client and addresses of the issuer; null: consent is needed
  expiresAt: instant('expires_at'), // of the access token; null: not told
  consentedAt: instant('consented_at'),
  version: integer('version').notNull().default(0), // counts sets of tokens: who waits for a refresh sees that it is done
  refreshingUntil: instant('refreshing_until'), // a lease, so that no transaction waits for somebody else's server
  stepUps: instant('step_ups').array(), // when calls asked for more scopes, of the last hour
})
