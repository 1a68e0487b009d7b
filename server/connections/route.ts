import type { AuthSource, ConnectionKind, ConnectionStatus, ConnectionUse } from '../../shared/connections.ts'
import type { BearerAccess, Credential } from './downstream/credential.ts'
import type { DownstreamService } from './downstream-service.ts'
import type { PoolKey } from './pool/pool.ts'
import type { Pins, SeenList } from './tools/pins.ts'
import type { Definition } from './tools/read-tools.ts'

/** The route of one call: the tool server, the owner of the connection, and the credential. */
export interface Route {
  readonly connectionId: string
  readonly kind: ConnectionKind
  readonly service: DownstreamService
  readonly origin: string
  readonly authSource: AuthSource
  /** The page of ours where the owner of a saved connection agrees to its access by OAuth, or saves another secret. */
  connectUrl(): string
  /** Null: there is none, or it is in `credential`. */
  readonly bearer: BearerAccess | null
  /** Decrypts the secret; called only where it is sent. */
  credential(): Credential | null
  readonly key: PoolKey
  /** Until when arguments and results of calls are kept, in epoch ms; null: they are not. */
  readonly contentKeptUntil: number | null
  readonly use: ConnectionUse
  pins(): Pins | null
  pin(seen: SeenList, tools: readonly Definition[]): Promise<Pins>
  /** Stores which tools were pointed out. Never rejects. */
  recordFlagged(flagged: readonly string[]): Promise<void>
  /** Tells the owner that the tool server quoted the secret. Never rejects. */
  recordSecretQuoted(): Promise<void>
  /** Stores the status. The caller need not wait for it, unless it reads the status next. */
  recordStatus(status: ConnectionStatus): Promise<void>
}
