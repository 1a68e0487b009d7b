import { connectionBounds, defaultConnectionUse } from '../../../shared/connections.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Vault } from '../../platform/vault.ts'
import type { Author } from '../../keys/changes.ts'
import { type Fault, fault } from '../../platform/fault.ts'
import { randomId } from '../../platform/ids.ts'
import type { DownstreamService } from '../downstream-service.ts'
import type { ConnectionStore, StoredConnection } from '../store.ts'
import type { Pins } from '../tools/pins.ts'
import { type RecordConnectionAudit, connectionAuditEntry } from './audit-entries.ts'
import { type SavedConnection, noConsent, secretPlace } from './saved-connection.ts'

/** The fields of a new saved connection. */
export interface NewConnection {
  readonly service: DownstreamService
  /** Null: by OAuth, to which its owner is still to agree. */
  readonly secret: string | null
  /** The header that carries the secret; null sends it as a bearer token in `Authorization`. */
  readonly headerName: string | null
  readonly label: string | null
}

export interface SavedConnectionsOptions {
  readonly store: ConnectionStore
  readonly database: Database
  readonly vault: Vault
  readonly record: RecordConnectionAudit
  readonly log: Log
  readonly clock: Clock
  /** The definitions that anybody sees, with which a first list is compared. */
  pinsOf(url: string): Pins | null
}

/** Saves a connection. Fault: `conflict` when the account has too many. */
export const createSaving =
  ({ store, database, vault, record, clock }: SavedConnectionsOptions) =>
  async (author: Author, { secret, ...given }: NewConnection): Promise<SavedConnection> => {
    const { accountId } = author
    const id = randomId('con')
    const connection: StoredConnection = {
      ...unused,
      ...given,
      id,
      accountId,
      createdAt: Math.floor(clock.now()),
      secretSealed: secret === null ? null : vault.seal(secret, secretPlace({ id, accountId })),
      oauth: secret === null ? noConsent : null,
    }
    await database.transaction(async (sql) => {
      await store.lockAccount(sql, accountId) // two at once would both find room for one
      if ((await store.count(sql, accountId)) >= connectionBounds.savedConnections) throw tooMany()
      await store.insert(sql, connection)
      await record(sql, connectionAuditEntry(author, 'connection.create', id, null, connection))
    })
    return connection
  }

/** The state of a connection before its first use. */
const unused = {
  status: 'new',
  pins: null,
  flagged: [],
  use: defaultConnectionUse,
  lastUsedAt: null,
  contentKeptUntil: null,
} as const

const tooMany = (): Fault =>
  fault(
    'conflict',
    `An account has at most ${connectionBounds.savedConnections} saved connections: delete one first`,
  )
