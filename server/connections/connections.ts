import type { ConnectionView } from '../../shared/connections.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import type { EgressFetch } from '../platform/egress.ts'
import type { Author } from '../platform/keys/changes.ts'
import type { Log } from '../platform/log.ts'
import type { Vault } from '../platform/vault.ts'
import { createConnectionCatalogue } from './connection-catalogue.ts'
import { createToolServerCalls } from './tool-server-calls.ts'
import type { DownstreamService, DownstreamServices } from './downstream-service.ts'
import { createDownstreamCalls } from './downstream-calls.ts'
import { createFindRoute } from './find-route.ts'
import type { ToolCallResult, ConnectResult, ToolCall, ToolListResult } from './call-results.ts'
import { createPassThrough } from './pass-through/pass-through.ts'
import { type AcceptedTool, createAcceptedTools } from './saved/accepted-definitions.ts'
import type { RecordConnectionAudit } from './saved/audit-entries.ts'
import { type NewConnection, createSavedConnections } from './saved/saved-connections.ts'
import type { CallLink, OfferedCredentials, Scope, ConnectionTarget } from './scope.ts'
import { createSessionConnections } from './session-connections.ts'
import type { ConnectionSettings } from './settings.ts'
import { createConnectionStore } from './store.ts'

export type { DownstreamService, DownstreamServices } from './downstream-service.ts'
export type {
  ToolCallResult,
  ConnectResult,
  ListedTool,
  ToolCall,
  ToolListResult,
  CallFailure,
} from './call-results.ts'
export type { RecordConnectionAudit } from './saved/audit-entries.ts'
export type { NewConnection } from './saved/saved-connections.ts'
export type { ConnectionSettings } from './settings.ts'
export type { CallLink, OfferedCredentials, CallProgress, Scope, ConnectionTarget } from './scope.ts'

export interface ConnectionsOptions {
  readonly database: Database
  readonly vault: Vault
  readonly clock: Clock
  readonly log: Log
  readonly settings: ConnectionSettings
  readonly world: {
    readonly services: DownstreamServices
    /** The guarded one, whose own limits are wider than those of the settings. */
    readonly fetch: EgressFetch
    readonly record: RecordConnectionAudit
  }
}

/**
 * Tool servers of others, and what is kept of the ways to them. Connections of another scope are as if they did not
 * exist. What asks the database may be refused with `unavailable`.
 */
export interface Connections {
  /** Proves that the tool server answers, and pins its tools. Makes a session connection for a service. */
  connect(
    scope: Scope,
    target: ConnectionTarget,
    offered: OfferedCredentials,
    link: CallLink,
  ): Promise<ConnectResult>
  /** Saved ones of the account, those of the session, and one for each public service that is given. */
  list(scope: Scope, publicServices: readonly DownstreamService[]): Promise<ConnectionView[]>
  /** Null: the scope has no such connection. */
  get(scope: Scope, connectionId: string): Promise<ConnectionView | null>
  /** Fault: `conflict` when the account has too many; `invalid_request` when the service takes no credentials. */
  create(author: Author, connection: NewConnection): Promise<ConnectionView>
  /** Fault: `not_found`. */
  updateLabel(author: Author, connectionId: string, label: string | null): Promise<ConnectionView>
  /** Fault: `not_found`. */
  delete(author: Author, connectionId: string): Promise<void>
  /**
   * Takes the definitions of a saved connection's tools as they were in the list of that fingerprint. Faults: `not_found`;
   * `conflict` when another list was seen since.
   */
  acceptTools(author: Author, connectionId: string, fingerprint: string): Promise<ConnectionView>
  /** Of tools that are not what they were: what was accepted, where it was kept. Fault: `not_found`. */
  acceptedTools(accountId: string, connectionId: string): Promise<AcceptedTool[]>
  listTools(
    scope: Scope,
    target: ConnectionTarget,
    offered: OfferedCredentials,
    link: CallLink,
  ): Promise<ToolListResult>
  callTool(
    scope: Scope,
    target: ConnectionTarget,
    call: ToolCall,
    offered: OfferedCredentials,
    link: CallLink,
  ): Promise<ToolCallResult>
  /** One HTTP request to the tool server of a connection, as its own client would send it. 404: no such connection. */
  passThrough(
    scope: Scope,
    connectionId: string,
    offered: OfferedCredentials,
    request: Request,
  ): Promise<Response>
  /** Forgets the connections of a gateway session and closes what was open for it. */
  endSession(sessionId: string): void
  /** Of this process, for those who run it. */
  counts(): { readonly open: number; readonly underWay: number }
  stop(): void
}

export function createConnections(options: ConnectionsOptions): Connections {
  const { database, vault, clock, log, settings, world } = options
  const { services, fetch, record } = world
  const store = createConnectionStore(database)
  const saved = createSavedConnections({ store, database, vault, record, log, clock })
  const sessions = createSessionConnections(clock.now)
  const findRoute = createFindRoute({ services, saved, sessions, clock })
  const downstreamCalls = createDownstreamCalls({ fetch, clock, log, settings })
  const catalogue = createConnectionCatalogue({
    saved,
    sessions,
    services,
    closeHolder: downstreamCalls.closeHolder,
  })
  const passThrough = createPassThrough({ findRoute, downstreamCalls, fetch, settings, vault })

  return {
    ...catalogue,
    acceptedTools: createAcceptedTools(store),
    ...createToolServerCalls({ findRoute, downstreamCalls, settings, get: catalogue.get }),
    passThrough: passThrough.forward,
    endSession(sessionId) {
      catalogue.endSession(sessionId)
      passThrough.endSession(sessionId)
    },
    counts: () => ({ open: downstreamCalls.openCount(), underWay: downstreamCalls.underWay() }),
    stop() {
      downstreamCalls.stop()
      passThrough.stop()
    },
  }
}
