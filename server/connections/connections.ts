/**
 * Connections to tool servers (MCP servers) of others: which ones an account or session has, whose credential goes where,
 * and every call to them.
 *
 * A call takes these steps:
 * 1. `tool-server-calls.ts` asks `find-route.ts` for the route: the connection (`saved/`, `session-connections.ts`, or a
 *    public one), the registry's current address, and the credential.
 * 2. `downstream-calls.ts` limits the calls in progress, skips servers that keep failing, takes an open connection from
 *    `pool/`, and reopens it once when its session is lost.
 * 3. `tools/call-tool.ts` (or `tools/list-tools.ts`) sends the request over `downstream/`, which keeps the limits on
 *    time, size, depth and number of events.
 * 4. The result passes unchanged. `tools/pins.ts` compares tool definitions with the accepted ones, so that a server
 *    cannot change what a tool does without its owner noticing. `tools/scan-definition.ts` looks through definitions for
 *    what speaks to the model; agents are told the kinds of findings, owners their words.
 * What the owner of a saved connection decided about its use comes with the route: `tools/accepted-only.ts` holds calls of
 * changed tools back where they are blocked, `tools/call-tool.ts` measures results.
 * `oauth/connection-oauth.ts` is for tool servers with an authorization server of their own: its tokens take the place of a
 * secret, and are renewed while a connection stays open.
 * Every call of a tool, whichever door it came through, passes `tool-call.ts`, where the composition root has it admitted
 * and hears what became of it; `unrouted-calls.ts` tells of those that found no way to their tool server. `pass-through/` proxies single HTTP requests; `connection-catalogue.ts` lists and changes connections.
 *
 * Tool servers before protocol 2026-07-28 ask their client in the middle of a call (`elicitation/create`,
 * `sampling/createMessage`, `roots/list`). Who can be asked then has a connection of its own, on which the server knows that
 * from the beginning; its questions go to the caller (`downstream/exchanges.ts`).
 *
 * Failures are values (`call-results.ts`). A failure on the way is told apart only for addresses that may be reached, so
 * that a caller cannot map the network; texts of a tool server are marked as untrusted. A secret is sent only to the provider and
 * origin for which it was saved, and an open connection is never shared between credentials. Where the tool server
 * quotes it, `downstream/quoted-secret.ts` hides it; the pass-through of single requests does not look into bodies.
 *
 * Known limitations: a call that was sent is never repeated, so a lost answer leaves its effect unknown; a deletion by
 * another process takes effect after up to two seconds; a question does not say which call it belongs to, so with two
 * callers at once on one connection it is refused; clients of protocol 2026-07-28 cannot be asked by older servers; session connections end with their process.
 */
import type { ConnectionUseChange, ConnectionView, IssuerClientForm } from '../../shared/connections.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import type { EgressFetch } from '../platform/egress.ts'
import type { Author } from '../keys/changes.ts'
import type { PublicAddress } from '../platform/http/public-address.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { Vault } from '../platform/vault.ts'
import { type Deleted, createConnectionCatalogue } from './connection-catalogue.ts'
import { type ConnectionOAuth, createConnectionOAuth } from './oauth/connection-oauth.ts'
import { createToolServerCalls } from './tool-server-calls.ts'
import type { DownstreamService, DownstreamServices } from './downstream-service.ts'
import { createDownstreamCalls } from './downstream-calls.ts'
import { createFindRoute, savedHolder } from './find-route.ts'
import type {
  ConnectResult,
  ListedTool,
  NamedToolCall,
  ToolCallResult,
  ToolListResult,
  ToolSource,
} from './call-results.ts'
import { type PassedRequest, createPassThrough } from './pass-through/pass-through.ts'
import { type AcceptedTool, createAcceptedTools } from './saved/accepted-definitions.ts'
import type { RecordConnectionAudit } from './saved/audit-entries.ts'
import type { NewConnection } from './saved/create-connection.ts'
import { createSavedConnections } from './saved/saved-connections.ts'
import type { CallLink, OfferedCredentials, Scope, ConnectionTarget } from './scope.ts'
import { createCheckAccepted } from './tools/accepted-only.ts'
import { type KnownServers, createKnownServers } from './known-servers.ts'
import { createSessionConnections } from './session-connections.ts'
import type { ConnectionSettings } from './settings.ts'
import { type ToolCallHooks, createBeginToolCall } from './tool-call.ts'
import { createHeaderTools } from './tools/call-tool.ts'
import { createReadOnlyTools } from './tools/read-only-tools.ts'
import { createUnroutedCalls } from './unrouted-calls.ts'
import { createConnectionStore } from './store.ts'
import { type ChangedConnection, changedConnection } from './views.ts'

export type { DownstreamService, DownstreamServices } from './downstream-service.ts'
export type {
  ToolCallResult,
  ConnectResult,
  ListedTool,
  NamedToolCall,
  ToolListResult,
  ToolSource,
  CallFailure,
  NetworkFailure,
} from './call-results.ts'
export type { PassedRequest } from './pass-through/pass-through.ts'
export type { RecordConnectionAudit } from './saved/audit-entries.ts'
export type { NewConnection } from './saved/create-connection.ts'
export type { FinishedToolCall, ToolCall, ToolCallDecision, ToolCallHooks } from './tool-call.ts'
export type { ConnectionSettings } from './settings.ts'
export type { CallLink, OfferedCredentials, CallProgress, Scope, ConnectionTarget } from './scope.ts'

export interface ConnectionsOptions {
  readonly database: Database
  readonly vault: Vault
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  readonly settings: ConnectionSettings
  readonly world: {
    /** Is asked before each tool call, and told what became of it. */
    readonly toolCalls: ToolCallHooks
    readonly services: DownstreamServices
    /** The guarded fetch. Its own limits are wider than those of the settings. */
    readonly fetch: EgressFetch
    readonly record: RecordConnectionAudit
    readonly address: () => PublicAddress
    /** Client ids at authorization servers that the installation's file gives. */
    readonly fileIssuers: () => readonly IssuerClientForm[]
  }
}

/**
 * The use cases of this room. A connection of another scope is treated like one that does not exist. Whatever
 * queries the database may throw the fault `unavailable`.
 */
export interface Connections {
  /**
   * Verifies that the tool server answers, and pins its tool definitions. Makes a session connection for a
   * service.
   */
  connect(
    scope: Scope,
    target: ConnectionTarget,
    offered: OfferedCredentials,
    link: CallLink,
  ): Promise<ConnectResult>
  /**
   * Returns the account's saved connections, the session's connections, and one for each given public service.
   */
  list(scope: Scope, publicServices: readonly DownstreamService[]): Promise<ConnectionView[]>
  /** Returns the account's saved connections to a service. Never rejects: without the database there are none. */
  savedFor(scope: Scope, serviceId: string): Promise<ConnectionView[]>
  /** Returns null when the scope has no such connection. */
  get(scope: Scope, connectionId: string): Promise<ConnectionView | null>
  /**
   * Saves a connection, also for a service that is listed as open: it may want credentials all the same. Fault:
   * `conflict` when the account has too many.
   */
  create(author: Author, connection: NewConnection): Promise<ConnectionView>
  /** Changes the label. Fault: `not_found`. */
  updateLabel(author: Author, connectionId: string, label: string | null): Promise<ConnectionView>
  /** Has arguments and results of its calls kept for so many hours; 0: no more. Fault: `not_found`. */
  keepContent(author: Author, connectionId: string, hours: number): Promise<ConnectionView>
  /** Changes what its owner decides about the use of a saved connection. Fault: `not_found`. */
  updateUse(author: Author, change: ConnectionUseChange): Promise<ConnectionView>
  /** Deletes a saved connection, and then ends its access by OAuth there. Fault: `not_found`. */
  delete(author: Author, connectionId: string): Promise<Deleted>
  /**
   * Accepts the tool definitions of a saved connection as they were seen with this fingerprint. Faults:
   * `not_found`; `conflict` when another list was seen since.
   */
  acceptTools(author: Author, connectionId: string, fingerprint: string): Promise<ConnectionView>
  /**
   * Returns the accepted definitions of tools that have changed since, where they were stored. Fault:
   * `not_found`.
   */
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
    call: NamedToolCall,
    offered: OfferedCredentials,
    link: CallLink,
  ): Promise<ToolCallResult>
  /**
   * Sends one HTTP request to the tool server of a connection, as a direct client would. Answers 404 when
   * there is no such connection.
   */
  passThrough(
    scope: Scope,
    connectionId: string,
    offered: OfferedCredentials,
    request: PassedRequest,
  ): Promise<Response>
  /** Says why calls of a listed tool would be refused as the rules are now; null where they would not. */
  refusalOf(scope: Pick<Scope, 'accountId' | 'keyId'>, source: ToolSource, tool: ListedTool): string | null
  /** Deletes the connections of a gateway session and closes what is open for it. */
  endSession(sessionId: string): void
  /** Access by OAuth to tool servers with an authorization server of their own. */
  readonly oauth: Pick<ConnectionOAuth, 'begin' | 'finish' | 'document' | 'issuers'>
  /**
   * Waits until the owner of a connection has agreed to its access by OAuth. Resolves to false after two minutes, and when the
   * signal aborts.
   */
  awaitConsent(scope: Scope, connectionId: string, signal: AbortSignal): Promise<boolean>
  /** Returns the number of open connections, and of calls, messages and streams in progress, in this process. */
  counts(): { readonly open: number; readonly underWay: number }
  /** What the installation knows of tool servers, for operators. */
  readonly toolServers: Pick<KnownServers, 'list' | 'changes' | 'accept'>
  /** Saved connections of all accounts whose tools are not those that were accepted, with the names of these; at most 200. */
  changedConnections(): Promise<ChangedConnection[]>
  stop(): void
}

const mostChanged = 200

export function createConnections(options: ConnectionsOptions): Connections {
  const { database, vault, clock, log, metrics, settings, world } = options
  const { services, fetch, record, address, toolCalls, fileIssuers } = world
  const store = createConnectionStore(database)
  const known = createKnownServers({ database, clock, log, record })
  const common = { database, vault, clock, log }
  const saved = createSavedConnections({ ...common, store, record, pinsOf: known.pinsOf })
  const sessions = createSessionConnections(clock.now)
  const ofOAuth = { metrics, saved, services, fetch, record, address, fileIssuers }
  const oauth = createConnectionOAuth({ ...common, ...ofOAuth })
  const findRoute = createFindRoute({ services, saved, sessions, clock, known, oauth })
  const downstreamCalls = createDownstreamCalls({ fetch, clock, log, settings, challenged: known.challenged })
  const catalogue = createConnectionCatalogue({
    saved,
    sessions,
    services,
    oauth,
    closeHolder,
  })
  const begin = createBeginToolCall(toolCalls, clock)
  const headerTools = createHeaderTools()
  const limits = settings.downstream
  const isReadOnlyTool = createReadOnlyTools({ downstreamCalls, headerTools, limits, clock })
  const checkAccepted = createCheckAccepted({ downstreamCalls, limits, clock })
  const unrouted = createUnroutedCalls(toolCalls, { sessions, saved })
  const calls = { findRoute, downstreamCalls, settings, begin, isReadOnlyTool, checkAccepted, unrouted }
  const passThrough = createPassThrough({ ...calls, fetch, vault, store, log })

  function closeHolder(holder: string): void {
    downstreamCalls.closeHolder(holder)
    passThrough.closeHolder(holder)
  }

  const { otherServers, ...ofCatalogue } = catalogue
  return {
    ...ofCatalogue,
    acceptedTools: createAcceptedTools(store),
    ...createToolServerCalls({
      ...calls,
      headerTools,
      refusalOf: toolCalls.refusalOf,
      get: catalogue.get,
      otherServers,
    }),
    passThrough: passThrough.forward,
    endSession(sessionId) {
      catalogue.endSession(sessionId)
      passThrough.endSession(sessionId)
    },
    counts: () => ({ open: downstreamCalls.openCount(), underWay: downstreamCalls.underWay() }),
    toolServers: known,
    changedConnections: async () => (await store.listChanged(mostChanged)).map(changedConnection),
    async awaitConsent({ accountId }, connectionId, signal) {
      const isOwn = accountId !== null && (await saved.find(accountId, connectionId)) !== null
      if (!isOwn || !(await oauth.untilAgreed(connectionId, signal))) return false
      await saved.find(accountId, connectionId) // what is remembered of it is older
      return true
    },
    oauth: {
      ...oauth,
      async finish(owner, query) {
        const end = await oauth.finish(owner, query)
        // What is open may be in the name of somebody else: whoever agreed before.
        if (end.outcome === 'connected') closeHolder(savedHolder(end.connectionId ?? ''))
        return end
      },
    },
    stop() {
      known.stop()
      downstreamCalls.stop()
      passThrough.stop()
      void oauth.stop()
    },
  }
}
