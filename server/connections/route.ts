import type { AuthSource, ConnectionKind, ConnectionStatus } from '../../shared/connections.ts'
import type { Credential } from './downstream/credential.ts'
import type { DownstreamService } from './downstream-service.ts'
import type { PoolKey } from './pool/pool.ts'
import type { Fingerprints, Pins } from './tools/pins.ts'
import type { Definition } from './tools/read-tools.ts'

/** The way of one request to a tool server: where to, whose, and with what. */
export interface Route {
  readonly connectionId: string
  readonly kind: ConnectionKind
  readonly service: DownstreamService
  readonly origin: string
  readonly authSource: AuthSource
  /** Opens the secret: where it is needed, and not before. */
  credential(): Credential | null
  readonly key: PoolKey
  pins(): Pins | null
  pin(seen: Fingerprints, tools: readonly Definition[]): Promise<Pins>
  /** Need not be waited for, unless what was noted is read next. */
  recordStatus(status: ConnectionStatus): Promise<void>
}
