/**
 * The MCP gateway. Agents speak MCP to this installation; with five tools they search the registry and use tool servers
 * of others, over Streamable HTTP (`/mcp`), HTTP with SSE (`/sse`, `/messages`), as a proxy of one tool server
 * (`/mcp/c/<connection_id>`), or as a set of tools that somebody chose (`/mcp/v/<name>`).
 *
 * A request takes these steps:
 * 1. `transports/routes.ts` selects the protocol version and reads the body.
 * 2. `transports/authenticate.ts` refuses pages of other sites, then `authentication.ts` resolves the
 *    API key. Requests without a key are anonymous.
 * 3. `transports/modern-era.ts` serves protocol 2026-07-28 (most calls without the SDK),
 *    `transports/session-era.ts` the versions before it, and `transports/sse-era.ts` the first one.
 * 4. `run-tool.ts` runs one of the five tools in `tools/`; `tools/execute.ts` selects an operation in `operations/`.
 * At the address of a virtual server the tools are others (`tool-set.ts`): `virtual-servers/` runs those of the domain
 * `virtual-servers` over the same transports.
 * 5. Operations on tool servers call the domain `connections`; `tool-result.ts` turns the result into the response. A tool
 *    server's result is passed on as it came; `readable-result.ts` mends what clients could not read.
 *
 * Sessions (`sessions/`) hold bound credentials in memory. With several processes, `session-routing/` forwards a request
 * to the process that owns its session, and rebuilds sessions of processes that are gone.
 *
 * Failures: a tool never throws to its client. Faults and failed calls become results that name an error code and the
 * next actions (`operations/failure-refusals.ts`); at a virtual server they name the code in their text and metadata
 * (`virtual-servers/plain-result.ts`). Where a tool server wants a page to be opened first, they name it; clients that open
 * pages by themselves get the tool server's error at a virtual server. Requests that are refused before a tool runs get an
 * HTTP status and a JSON-RPC error (`transports/refusals.ts`).
 *
 * Known limitations: a rebuilt session has lost its credentials and connections; SSE sessions end with their process;
 * a forwarded call reports no progress; the SDK refuses an odd result of a tool that wants arguments as headers; whole numbers
 * beyond 2^53 - 1 in arguments and results are rounded, as by every JSON reader in JavaScript (not at `/mcp/c/…`).
 */
import type { GatewaySessionView } from '../../shared/gateway.ts'
import { type ListedSession, createGatewaySessions } from './sessions/sessions.ts'
import type { GatewaySessionList } from '../../shared/session-lists.ts'
import type { Connections } from '../connections/connections.ts'
import { createAddressLimit, type AddressLimit } from '../platform/http/address-limit.ts'
import type { PublicAddress } from '../platform/http/public-address.ts'
import { type RequestFacts, requestIdOf } from '../platform/http/request-facts.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { Vault } from '../platform/vault.ts'
import type { RegistryQueries } from '../registry/registry.ts'
import { createSearchCache } from './search-cache.ts'
import { createServerFor } from './mcp-server.ts'
import { type GatewayApiKeys, type GatewayCaller, createAuthentication } from './authentication.ts'
import { type SessionFleet, createSessionRouting } from './session-routing/session-routing.ts'
import { createRouteToolCall } from './session-routing/route-tool-call.ts'
import { singleProcessRouter } from './session-routing/session-router.ts'
import { type SessionFacts, createSealedIds, randomIds } from './sessions/session-ids.ts'
import { createFiveTools, createRunTool, createToolsOf } from './run-tool.ts'
import { createVirtualToolSets } from './virtual-servers/virtual-tool-sets.ts'
import type { ServedVirtualServers } from './virtual-servers/virtual-tool-set.ts'
import { type GatewaySettings, gatewaySettings } from './settings.ts'
import { type StateSeal, createStateSeal } from './state-seal.ts'
import type { ToolSet, ToolsOf } from './tool-set.ts'
import { createGatewayRoutes } from './transports/routes.ts'
import { createKeepAlive } from './transports/keep-alive.ts'
import { createModernEra } from './transports/modern-era.ts'
import { createPassThroughRoute } from './transports/pass-through.ts'
import { createSessionEra } from './transports/session-era.ts'
import { createSseEra } from './transports/sse-era.ts'
import { type StandingStreams, createStandingStreams } from './transports/standing-streams.ts'
import { createWriteResult } from './tool-result.ts'

export interface GatewayOptions {
  readonly registry: RegistryQueries
  readonly connections: Connections
  readonly virtualServers: ServedVirtualServers
  readonly keys: GatewayApiKeys
  /** Counts requests with a wrong key by address. */
  readonly wrongKeys: AddressLimit
  readonly vault: Vault
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  /** The version of this installation, as clients see it. */
  readonly version: string
  readonly address: () => PublicAddress
  readonly settings?: Partial<GatewaySettings>
  /** What the processes share; null when this is the only process. */
  readonly fleet: SessionFleet | null
}

export type Gateway = ReturnType<typeof createGateway>

/** Makes the gateway. Its routes are mounted by the HTTP application. */
export function createGateway(options: GatewayOptions) {
  const { registry, connections, vault, clock, log, metrics, address, version, fleet } = options
  const settings = { ...gatewaySettings, ...options.settings }
  const ids = fleet === null ? randomIds : createSealedIds(fleet.secret, fleet.internal.nodeId)
  const sessions = createGatewaySessions({ clock, settings, ids, onEnd: connections.endSession })
  const { sessionLifeMs, anonymousDownstreamCallsPerMinute: perMinute } = settings
  const around = { clock, log, metrics, sessions, sessionLifeMs, rebuild, serve, listHere }
  const routing = fleet === null ? null : createSessionRouting({ fleet, ...around })
  const sessionRouter = routing?.router ?? singleProcessRouter
  const { count: countDownstreamCall } = createAddressLimit(perMinute, clock.monotonic)
  const identity = { name: 'gatehouse', title: 'Gatehouse', version }
  const seal = createStateSeal(vault, clock)
  const searchCache = createSearchCache(clock)
  const services = { registry, connections, sessions, searchCache, seal, countDownstreamCall }
  const fiveTools = createFiveTools(createRunTool(services, log, address))
  const toolsOf = toolsAtAddresses(options, fiveTools, seal)
  const routeCall = createRouteToolCall({ sessions, sessionRouter, seal })
  const serverFor = createServerFor({ identity, seal, toolsOf, routeCall, requestIdOf })
  const standingStreams = createStandingStreams()
  const modern = createModernEra(
    { serverFor, toolsOf, write: createWriteResult(identity), standingStreams },
    settings,
    (error) => log.debug('a call to the gateway was refused', { reason: error.message }),
  )
  const session = createSessionEra(serverFor, sessions, settings, sessionRouter)
  const sse = createSseEra(serverFor, sessions, settings, sessionRouter)
  const serving = { sessions, sessionRouter, standingStreams, keepAlive: createKeepAlive(settings, log) }
  const ofPassThrough = { ...serving, bodyBytes: settings.bodyBytes, countDownstreamCall }
  const gatewayRoutes = createGatewayRoutes({
    authentication: createAuthentication(options.keys, options.wrongKeys),
    eras: { modern, session, sse },
    passThrough: createPassThroughRoute(connections, ofPassThrough),
    toolsOf,
    findVirtualServer: options.virtualServers.find,
    ...serving,
    address,
    settings,
    log,
  })
  const stopRechecking = startRechecking(options, settings, [sessions, standingStreams])
  metrics.observedGauge('gateway_sessions', 'Open gateway sessions of this process', sessions.count)

  /** Returns the sessions of this process that belong to an account, or all of them when `owner` is null. */
  function listHere(owner: string | null): GatewaySessionView[] {
    const views = sessions.list().map(gatewaySessionView)
    return owner === null ? views : views.filter(({ accountId }) => accountId === owner)
  }

  async function list(owner: string | null): Promise<GatewaySessionList> {
    return routing?.list(owner) ?? { sessions: listHere(owner), processes: 1, silent: 0 }
  }

  function serve(request: Request, facts: RequestFacts): Promise<Response> {
    return gatewayRoutes.answerForwarded(request, facts)
  }

  async function rebuild(caller: GatewayCaller, sessionId: string, named: SessionFacts): Promise<void> {
    if (named.kind === 'streamable') await session.rebuild(caller, sessionId, named)
    else sessions.rebuild(caller, sessionId, named, () => undefined)
  }

  return {
    routes: gatewayRoutes.routes,
    start: sessions.start,
    /** Lists an account's sessions, never with their ids: an id is enough to use a session. */
    sessionsOf: (accountId: string): Promise<GatewaySessionList> => list(accountId),
    /** Lists every session of the installation, for operators. */
    allSessions: (): Promise<GatewaySessionList> => list(null),
    /** Ends every stream so that the HTTP server can stop. Sessions are served until it has. */
    hangUp(): void {
      sse.closeStreams()
      standingStreams.endAll()
    },
    async stop(): Promise<void> {
      stopRechecking()
      await routing?.stop()
      sessions.stop()
      await modern.close()
    },
  }
}

/**
 * Has what is open checked when an API key or an agent changes, and now and then: that a key ends, or its former value, comes
 * with time alone. Returns what stops this.
 */
function startRechecking(
  { keys, log }: Pick<GatewayOptions, 'keys' | 'log'>,
  { recheckMs }: Pick<GatewaySettings, 'recheckMs'>,
  open: readonly Pick<StandingStreams, 'recheck'>[],
): () => void {
  function recheck(keyId: string | null): void {
    Promise.all(open.map((part) => part.recheck(keyId))).catch((error: unknown) =>
      log.debug('what is open could not be checked', { error }),
    )
  }
  const stopListening = keys.onChange(recheck)
  const timer = setInterval(recheck, recheckMs, null)
  timer.unref()
  return () => {
    stopListening()
    clearInterval(timer)
  }
}

const toolsAtAddresses = (
  { virtualServers, log, address }: GatewayOptions,
  fiveTools: ToolSet,
  seal: StateSeal,
): ToolsOf => {
  const origin = (): string => address().origin
  return createToolsOf(fiveTools, createVirtualToolSets({ virtualServers, fiveTools, seal, log, origin }))
}

/**
 * Returns what people may see of a session: which providers have bound credentials, never the credentials.
 */
export const gatewaySessionView = ({ session, usedAt, isOpen }: ListedSession): GatewaySessionView => ({
  id: session.label,
  accountId: session.accountId,
  keyId: session.accountId === null ? null : session.callerName,
  kind: session.kind,
  openedAt: session.openedAt,
  lastUsedAt: usedAt,
  expiresAt: session.expiresAt,
  isOpen,
  chain: session.chain,
  boundProviders: [...new Set([...session.bag.keys(), ...session.tokens.keys()])].toSorted(),
})
