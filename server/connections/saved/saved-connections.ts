import type { ConnectionStatus } from '../../../shared/connections.ts'
import type { TransactionSql } from '../../platform/database.ts'
import { type Fault, fault } from '../../platform/fault.ts'
import type { Author } from '../../keys/changes.ts'
import type { Vault } from '../../platform/vault.ts'
import type { Credential } from '../downstream/credential.ts'
import type { StoredConnection } from '../store.ts'
import { type Pins, type SeenList, accepted, isKnownList, pinned } from '../tools/pins.ts'
import type { Definition } from '../tools/read-tools.ts'
import { seenFingerprint } from '../tools/stored-pins.ts'
import { type SavedConnectionsOptions, createSaving } from './create-connection.ts'
import { savePins } from './accepted-definitions.ts'
import { type ConnectionAuditEntry, connectionAuditEntry } from './audit-entries.ts'
import { createConnectionChanges, existing } from './connection-changes.ts'
import { type SavedConnectionCache, createSavedConnectionCache } from './saved-connection-cache.ts'
import { type OAuthFacts, type SavedConnection, noConsent, secretPlace } from './saved-connection.ts'

type AccessAction = 'connection.consent' | 'connection.consent_lost'
/** Returns the facts that it changed; null: none. */
type AccessWork = (sql: TransactionSql) => Promise<Partial<OAuthFacts> | null>

export type SavedConnections = ReturnType<typeof createSavedConnections>

const noteEveryMs = 60_000

/** The saved connections of all accounts: in the database, with a short-lived cache. */
export function createSavedConnections(options: SavedConnectionsOptions) {
  const { store, database, vault, record, clock, pinsOf } = options
  const cache = createSavedConnectionCache(clock)

  async function find(accountId: string, id: string): Promise<StoredConnection | null> {
    const connection = await store.find(accountId, id)
    if (connection === null) cache.forget(id)
    else cache.store(connection)
    return connection
  }

  /** Changes a connection and writes the audit entry in one transaction. Fault: `not_found`. */
  async function change(
    author: Author,
    id: string,
    action: ConnectionAuditEntry['action'],
    work: (sql: TransactionSql, connection: SavedConnection) => Promise<SavedConnection | null>,
  ): Promise<SavedConnection | null> {
    const changed = await database.transaction(async (sql) => {
      const before = await store.lock(sql, author.accountId, id)
      if (before === null) throw fault('not_found', 'There is no such connection')
      const after = await work(sql, before)
      if (after !== before) await record(sql, connectionAuditEntry(author, action, id, before, after))
      return after
    })
    cache.forget(id)
    return changed
  }

  return {
    list: (accountId: string): Promise<SavedConnection[]> => store.list(accountId),
    remembered: cache.find,
    find,

    create: createSaving(options),

    /** Does work on the access of a connection by OAuth and notes it, in one transaction. Fault: `not_found`. */
    async changeAccess(author: Author, id: string, action: AccessAction, work: AccessWork): Promise<void> {
      await change(author, id, action, async (sql, before) => {
        const changed = await work(sql)
        return changed === null
          ? before
          : { ...before, oauth: { ...(before.oauth ?? noConsent), ...changed } }
      })
    },

    ...createConnectionChanges(change, store, clock),

    /**
     * Accepts the tools as they were seen. Fault: `conflict` when another list was seen since, so that the fingerprint is
     * another one.
     */
    async acceptTools(author: Author, id: string, fingerprint: string): Promise<SavedConnection> {
      const changed = await change(author, id, 'connection.accept_tools', async (sql, before) => {
        if (before.pins === null || seenFingerprint(before.pins) !== fingerprint) throw notTheSame()
        const pins = accepted(before.pins)
        await store.savePins(sql, id, pins)
        return { ...before, pins }
      })
      return existing(changed)
    },

    /** `beforehand` runs in the same transaction, while all of it is still there. */
    async delete(
      author: Author,
      id: string,
      beforehand: (sql: TransactionSql) => Promise<void>,
    ): Promise<void> {
      await change(author, id, 'connection.delete', async (sql) => {
        await beforehand(sql)
        await store.remove(sql, id)
        return null
      })
    },

    /** Compares the list as it is now with the accepted one, and stores it. */
    async pin(connection: StoredConnection, seen: SeenList, tools: readonly Definition[]): Promise<Pins> {
      if (connection.pins !== null && isKnownList(connection.pins, seen)) return connection.pins
      const pins = await database.transaction(async (sql) => {
        const current = await store.lock(sql, connection.accountId, connection.id)
        const next = pinned(current?.pins ?? connection.pins, seen, pinsOf(connection.service.url))
        if (current !== null) await savePins(store, sql, connection.id, next, tools)
        return next
      })
      cache.replace(connection, { ...connection, pins })
      return pins
    },

    /** Null: by OAuth, whose tokens are elsewhere. */
    credentialOf: (connection: StoredConnection): Credential | null => credentialIn(connection, vault),
    ...createUseNotes(options, cache, change),
  }
}

type ChangeConnection = (
  author: Author,
  id: string,
  action: ConnectionAuditEntry['action'],
  work: (sql: TransactionSql, connection: SavedConnection) => Promise<SavedConnection | null>,
) => Promise<SavedConnection | null>

/** Notes what the use of connections has shown. None of them rejects, because a lost note is no loss. */
function createUseNotes(
  { store, log, clock }: SavedConnectionsOptions,
  cache: SavedConnectionCache,
  change: ChangeConnection,
) {
  const unnoted = (error: unknown): void => log.warn('the use of a connection was not noted', { error })

  return {
    /** Stores which tools were pointed out. Never rejects: the next list says so again. */
    async recordFlagged(connection: StoredConnection, flagged: readonly string[]): Promise<void> {
      if (JSON.stringify(connection.flagged) === JSON.stringify(flagged)) return
      await store.saveFlagged(connection.id, flagged).catch(unnoted)
      cache.forget(connection.id)
    },

    /** Notes in the audit log, which its owner reads, that the tool server quoted the secret. Never rejects. */
    async recordSecretQuoted({ id, accountId }: StoredConnection): Promise<void> {
      // Another object: what comes back as it was is noted nowhere.
      const noted = change(gatewayAs(accountId), id, 'connection.secret_quoted', async (_, before) => ({
        ...before,
      }))
      await noted.catch(unnoted)
    },

    /**
     * Stores the status of the latest use, at most once a minute while it does not change. Never rejects,
     * because a lost status is no loss.
     */
    async recordStatus(connection: StoredConnection, status: ConnectionStatus): Promise<void> {
      const now = Math.floor(clock.now())
      const isNoted = connection.lastUsedAt !== null && now - connection.lastUsedAt < noteEveryMs
      if (isNoted && connection.status === status) return
      cache.replace(connection, { ...connection, status, lastUsedAt: now })
      await store.recordStatus(connection.id, status, now).catch(unnoted)
    },
  }
}

const credentialIn = (
  { headerName, secretSealed, ...connection }: StoredConnection,
  vault: Pick<Vault, 'open'>,
): Credential | null =>
  secretSealed === null
    ? null
    : {
        source: 'saved_connection',
        secret: vault.open(secretSealed, secretPlace(connection)),
        headerName,
      }

/** The author of what the gateway notes by itself for an account. */
export const gatewayAs = (accountId: string): Author => ({
  accountId,
  actor: { id: 'gateway', label: 'Gateway' },
  ip: null,
  requestId: null,
})

const notTheSame = (): Fault =>
  fault(
    'conflict',
    'The tools have changed again since they were shown: read them once more, then accept them',
  )
