import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'

import { instant } from '../platform/postgres/columns.ts'

/** Programs that may ask for access. */
export const agentClients = pgTable('agent_clients', {
  id: text('id').primaryKey(), // registered: gcl_ and a hash of its metadata; document: its https address
  kind: text('kind').notNull(), // registered | document
  name: text('name').notNull(),
  redirectUris: text('redirect_uris').array().notNull(),
  proofs: jsonb('proofs').notNull(), // how it proves itself at the token address
  freshUntil: instant('fresh_until'), // documents only: when it is read again
  createdAt: instant('created_at').notNull(),
  usedAt: instant('used_at'),
})

/** What an owner agreed to. */
export const agentGrants = pgTable(
  'agent_grants',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id').notNull(),
    clientId: text('client_id').notNull(),
    clientName: text('client_name').notNull(), // as it was when the owner agreed
    redirectHost: text('redirect_host').notNull(),
    scopes: text('scopes').array().notNull(),
    resource: text('resource').notNull(), // a path: the names of one loopback installation are one resource
    createdAt: instant('created_at').notNull(),
    usedAt: instant('used_at'),
    expiresAt: instant('expires_at').notNull(),
    revokedAt: instant('revoked_at'),
    revokedWhy: text('revoked_why'), // owner | operator | client | code_replayed | refresh_reused
  },
  (table) => [index('agent_grants_by_account').on(table.accountId, table.createdAt)],
)

/** Codes of grants. Of codes and tokens there are keyed hashes only. */
export const agentCodes = pgTable('agent_codes', {
  hash: text('hash').primaryKey(),
  grantId: text('grant_id')
    .notNull()
    .references(() => agentGrants.id, { onDelete: 'cascade' }),
  redirectUri: text('redirect_uri').notNull(),
  challenge: text('challenge').notNull(),
  expiresAt: instant('expires_at').notNull(),
  usedAt: instant('used_at'),
})

export const agentTokens = pgTable(
  'agent_tokens',
  {
    hash: text('hash').primaryKey(),
    grantId: text('grant_id')
      .notNull()
      .references(() => agentGrants.id, { onDelete: 'cascade' }),
    kind: text('kind').notNull(), // access | refresh
    scopes: text('scopes').array().notNull(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'), // refresh tokens only: when it was exchanged
  },
  (table) => [index('agent_tokens_by_grant').on(table.grantId)],
)

/** Assertions that clients have shown, until they are over: none counts twice. */
export const agentAssertions = pgTable('agent_assertions', {
  hash: text('hash').primaryKey(),
  expiresAt: instant('expires_at').notNull(),
})
