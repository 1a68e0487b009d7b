import type { ConnectionStatus, ConnectionUse } from '../../../shared/connections.ts'
import type { SealedColumn } from '../../platform/resealing.ts'
import type { DownstreamService } from '../downstream-service.ts'
import type { Pins } from '../tools/pins.ts'

/** A saved connection without its secret. */
export interface SavedConnection {
  readonly id: string
  readonly accountId: string
  /** The service as the registry listed it when the secret was saved. */
  readonly service: DownstreamService
  readonly headerName: string | null
  readonly label: string | null
  readonly status: ConnectionStatus
  readonly pins: Pins | null
  /** Names of the tools in whose definition something was found that steers models. */
  readonly flagged: readonly string[]
  readonly use: ConnectionUse
  readonly createdAt: number
  readonly lastUsedAt: number | null
  /** Until when arguments and results of its calls are kept, in epoch ms; null: they are not. */
  readonly contentKeptUntil: number | null
  /** Null: it has a secret. */
  readonly oauth: OAuthFacts | null
}

/** What is known of the access of a connection by OAuth, without its tokens. */
export interface OAuthFacts {
  readonly issuer: string | null
  /** Granted, and lacked by a call; separated by spaces. */
  readonly scopes: string | null
  readonly scopesWanted: string | null
  readonly consentedAt: number | null
  /** Counts sets of tokens. */
  readonly version: number
  readonly hasTokens: boolean
}

/** The access of a connection for which nobody has agreed yet. */
export const noConsent: OAuthFacts = {
  issuer: null,
  scopes: null,
  scopesWanted: null,
  consentedAt: null,
  version: 0,
  hasTokens: false,
}

/** Returns the vault context of a secret; it can be opened in no other context. */
export const secretPlace = ({ id, accountId }: Pick<SavedConnection, 'id' | 'accountId'>): string =>
  `connections:${id}:${accountId}:secret`

export const sealedSecrets: SealedColumn = {
  table: 'connections',
  column: 'secret_sealed',
  key: 'id',
  owner: 'account_id',
  place: (id, accountId) => secretPlace({ id, accountId }),
}
