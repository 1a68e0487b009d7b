import { bigint, index, integer, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core'

import { instant } from '../platform/postgres/columns.ts'

/** Somebody who signs in, or a team. Name and e-mail of a person are there only while they share them. */
export const accounts = pgTable(
  'accounts',
  {
    id: text('id').primaryKey(),
    kind: text('kind').notNull().default('person'), // person | team
    role: text('role').notNull(), // account | operator; the setting GATEHOUSE_OPERATORS can add to it
    // active | pending | disabled | deleted: such a row is all that is left, and refuses what was made for it meanwhile
    state: text('state').notNull().default('active'),
    name: text('name'),
    email: text('email'),
    createdAt: instant('created_at').notNull(),
    plan: text('plan'), // the name of one that the file declares; null: none
    lastSeenAt: instant('last_seen_at'), // in a browser; null: nobody has signed in yet
    // Of the last seven days, to sort by; some minutes behind.
    recentCalls: bigint('recent_calls', { mode: 'number' }).notNull().default(0),
    recentCredits: bigint('recent_credits', { mode: 'number' }).notNull().default(0),
  },
  // The orders in which operators list accounts.
  (table) => [
    index('accounts_by_creation').on(table.createdAt.desc().nullsLast(), table.id),
    index('accounts_by_last_seen').on(table.lastSeenAt.desc().nullsLast(), table.id),
    index('accounts_by_calls').on(table.recentCalls.desc().nullsLast(), table.id),
    index('accounts_by_state').on(table.state), // counted on every page of the list
    index('accounts_by_credits').on(table.recentCredits.desc().nullsLast(), table.id),
  ],
)

/** What proves to be an account: never an e-mail address, which providers let people change. */
export const identities = pgTable(
  'identities',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    kind: text('kind').notNull(), // wallet | github | google | oidc
    subject: text('subject').notNull(),
    label: text('label'),
    linkedAt: instant('linked_at').notNull(),
  },
  (table) => [
    unique('identities_kind_subject').on(table.kind, table.subject),
    index('identities_by_account').on(table.accountId),
  ],
)

/** Browsers that are signed in. The cookie's value itself is stored nowhere. */
export const webSessions = pgTable(
  'web_sessions',
  {
    id: text('id').primaryKey(), // to name it in lists; no secret
    secretHash: text('secret_hash').notNull().unique(),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    createdAt: instant('created_at').notNull(),
    lastSeenAt: instant('last_seen_at').notNull(),
    signedInAt: instant('signed_in_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    browser: text('browser').notNull(), // summary of the user agent
    network: text('network'), // /24 or /48 of the caller: an address is personal, and nobody opted in to that
  },
  (table) => [index('web_sessions_by_account').on(table.accountId)],
)

/** Challenges that wallets have been given and nobody has answered yet. */
export const signInNonces = pgTable('sign_in_nonces', {
  nonceHash: text('nonce_hash').primaryKey(),
  preAuthHash: text('pre_auth_hash').notNull(),
  messageHash: text('message_hash').notNull(),
  purpose: text('purpose').notNull(),
  accountId: text('account_id'), // for `link` and `confirm`: who asked
  expiresAt: instant('expires_at').notNull(),
})

/** Browsers that were sent to a provider and have not come back yet. */
export const oauthStates = pgTable('oauth_states', {
  stateHash: text('state_hash').primaryKey(),
  preAuthHash: text('pre_auth_hash').notNull(),
  provider: text('provider').notNull(),
  codeVerifier: text('code_verifier').notNull(), // sealed
  purpose: text('purpose').notNull(),
  accountId: text('account_id'),
  returnTo: text('return_to').notNull(),
  expiresAt: instant('expires_at').notNull(),
})

/** How often accounts changed something lately; see `mutation-limit.ts`. */
export const accountMutations = pgTable('account_mutations', {
  accountId: text('account_id')
    .primaryKey()
    .references(() => accounts.id, { onDelete: 'cascade' }),
  minuteAt: instant('minute_at').notNull(), // when the window of a minute began
  inMinute: integer('in_minute').notNull(),
  dayAt: instant('day_at').notNull(),
  inDay: integer('in_day').notNull(),
})

/** Links that let one person in each. Those that were used or have ended are removed after a while. */
export const invitations = pgTable(
  'invitations',
  {
    id: text('id').primaryKey(),
    tokenHash: text('token_hash').notNull().unique(),
    note: text('note').notNull(),
    forIdentity: text('for_identity'), // the only one that can use it; null: whoever has the link
    createdAt: instant('created_at').notNull(),
    createdBy: text('created_by').notNull(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
    usedBy: text('used_by'), // id of the account
  },
  (table) => [index('invitations_by_age').on(table.createdAt)],
)

/** Who belongs to which team. */
export const teamMembers = pgTable(
  'team_members',
  {
    teamId: text('team_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    role: text('role').notNull(), // owner | admin | developer | viewer
    joinedAt: instant('joined_at').notNull(),
  },
  (table) => [
    primaryKey({ name: 'team_members_pkey', columns: [table.teamId, table.accountId] }),
    index('team_members_by_account').on(table.accountId),
  ],
)

/** Links by which one person each becomes a member. */
export const teamInvitations = pgTable(
  'team_invitations',
  {
    id: text('id').primaryKey(),
    teamId: text('team_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    role: text('role').notNull(),
    tokenHash: text('token_hash').notNull().unique(),
    note: text('note').notNull(),
    forIdentity: text('for_identity'), // the only one that can use it; null: whoever has the link
    createdAt: instant('created_at').notNull(),
    createdBy: text('created_by').notNull(),
    madeBy: text('made_by'), // id of the account; null: made before these were kept
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
    usedBy: text('used_by'), // id of the account
  },
  (table) => [index('team_invitations_by_team').on(table.teamId, table.createdAt)],
)

/** One-time links that make the first operator. */
export const setupTokens = pgTable('setup_tokens', {
  tokenHash: text('token_hash').primaryKey(),
  expiresAt: instant('expires_at').notNull(),
})
