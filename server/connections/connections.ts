import type { ConnectionView } from '../../shared/connections.ts'
import type { DownstreamService } from './downstream-service.ts'
import type { CallOutcome, ConnectOutcome, ToolCall, ToolsOutcome } from './outcomes.ts'
import type { Author } from '../platform/keys/changes.ts'
import type { CallLink, OfferedCredentials, Scope, Target } from './scope.ts'

export type { DownstreamService, DownstreamServices } from './downstream-service.ts'
export type {
  CallOutcome,
  ConnectOutcome,
  ListedTool,
  ToolCall,
  ToolResult,
  ToolsOutcome,
  ToolWarning,
  TooLarge,
  Trouble,
} from './outcomes.ts'
export type { CallLink, OfferedCredentials, Progress, Scope, Target } from './scope.ts'

/** What a new saved connection is made of. */
export interface NewConnection {
  readonly service: DownstreamService
  readonly secret: string
  /** Null: `Authorization`, as a bearer token. */
  readonly headerName: string | null
  readonly label: string | null
}

/**
 * Tool servers of others, and what is kept of the ways to them. Connections of another scope are as if they did not
 * exist. What asks the database may be refused with `unavailable`.
 */
export interface Connections {
  /** Makes or finds the connection and proves that the tool server answers. Creates a session connection for a service. */
  connect(scope: Scope, target: Target, offered: OfferedCredentials, link: CallLink): Promise<ConnectOutcome>
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
  /** Takes the definitions of its tools as they are now. Of saved connections. Fault: `not_found`. */
  acceptTools(author: Author, connectionId: string): Promise<ConnectionView>
  /** As `acceptTools`, for any connection of a scope; false: there is no such connection. */
  acceptToolsOf(scope: Scope, connectionId: string): Promise<boolean>
  listTools(scope: Scope, target: Target, offered: OfferedCredentials, link: CallLink): Promise<ToolsOutcome>
  callTool(
    scope: Scope,
    target: Target,
    call: ToolCall,
    offered: OfferedCredentials,
    link: CallLink,
  ): Promise<CallOutcome>
  /** One HTTP request to the tool server of a connection, as its own client would send it; 404: no such connection. */
  passThrough(
    scope: Scope,
    connectionId: string,
    offered: OfferedCredentials,
    request: Request,
  ): Promise<Response>
  /** Forgets the connections of a gateway session and closes what was open for it. */
  endSession(sessionId: string): void
  stop(): Promise<void>
}
