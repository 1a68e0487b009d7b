import type { GatewaySessionView } from '../../shared/gateway.ts'
import type { GatewaySessionList } from '../../shared/session-lists.ts'
import type { Connections } from '../connections/connections.ts'
import { createAddressLimit } from '../http/address-limit.ts'
import type { AddressLimit } from '../http/address-limit.ts'
import type { PublicAddress } from '../http/public-address.ts'
import { type RequestFacts, requestIdOf } from '../http/request-facts.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { Vault } from '../platform/vault.ts'
import type { RegistryQueries } from '../registry/registry.ts'
import { createAnswerMemory } from './answer-memory.ts'
import { createServerFor } from './mcp-server.ts'
import { type GatewayKeys, type Principal, createPrincipals } from './principal.ts'
import { randomHex } from '../platform/ids.ts'
import { type SharedStore, createReplicas } from './replicas/replicas.ts'
import { createCallsElsewhere } from './replicas/calls-elsewhere.ts'
import { nowhere } from './replicas/elsewhere.ts'
import { type NamedSession, createSealedNames, homeBytes, plainNames } from './sessions/session-names.ts'
import { createRunTool } from './run-tool.ts'
import { sessionView } from './sessions/session-view.ts'
import { createSessions } from './sessions/sessions.ts'
import { type GatewaySettings, gatewaySettings } from './settings.ts'
import { createStateSeal } from './state-seal.ts'
import { createDoors } from './transports/door.ts'
import { createModernEra } from './transports/modern-era.ts'
import { createPassThrough } from './transports/pass-through.ts'
import { createSessionEra } from './transports/session-era.ts'
import { createSseEra } from './transports/sse-era.ts'
import { createWriteResult } from './written-result.ts'

export interface GatewayOptions {
  readonly registry: RegistryQueries
  readonly connections: Connections
  readonly keys: GatewayKeys
  /** Of requests with a wrong key, by address. */
  readonly wrongKeys: AddressLimit
  readonly vault: Vault
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  /** Of this installation. */
  readonly version: string
  readonly address: () => PublicAddress
  readonly settings?: Partial<GatewaySettings>
  /** Null: this is the only process. */
  readonly store: SharedStore | null
}

export type Gateway = ReturnType<typeof createGateway>

/** Agents find services and use tool servers of others, by MCP over Streamable HTTP and over HTTP with SSE. */
export function createGateway(options: GatewayOptions) {
  const { registry, connections, vault, clock, log, metrics, address, version, store } = options
  const settings = { ...gatewaySettings, ...options.settings }
  const self = randomHex(homeBytes)
  const names = store === null ? plainNames : createSealedNames(store.secret, self)
  const sessions = createSessions({ clock, settings, names, onEnd: connections.endSession })
  const { sessionLifeMs } = settings
  const around = { self, clock, log, metrics, sessions, sessionLifeMs, rebuild, serve, listHere }
  const replicas = store === null ? null : createReplicas({ store, ...around })
  const elsewhere = replicas?.elsewhere ?? nowhere
  const reaches = createAddressLimit(settings.anonymousReachesPerMinute, clock.monotonic)
  const identity = { name: 'gatehouse', title: 'Gatehouse', version }
  const seal = createStateSeal(vault, clock)
  const answers = createAnswerMemory(clock)
  const run = createRunTool(
    { registry, connections, sessions, answers, seal, countReach: reaches.count },
    log,
  )
  const runAnywhere = createCallsElsewhere(run, { sessions, elsewhere, seal })
  const serverFor = createServerFor({ identity, seal, run: runAnywhere, requestIdOf })
  const modern = createModernEra({ serverFor, run, write: createWriteResult(identity) }, settings, (error) =>
    log.debug('a call to the gateway was refused', { reason: error.message }),
  )
  const session = createSessionEra(serverFor, sessions, settings, elsewhere)
  const sse = createSseEra(serverFor, sessions, settings, elsewhere)
  const doors = createDoors({
    principals: createPrincipals(options.keys, options.wrongKeys),
    eras: { modern, session, sse },
    passThrough: createPassThrough(connections, {
      sessions,
      elsewhere,
      bodyBytes: settings.bodyBytes,
      countReach: reaches.count,
    }),
    sessions,
    elsewhere,
    address,
    settings,
    log,
  })
  const stopListening = options.keys.onChange((keyId) => {
    sessions.recheck(keyId).catch((error: unknown) => log.warn('sessions could not be checked', { error }))
  })
  metrics.observedGauge('gateway_sessions', 'Open gateway sessions of this process', sessions.count)

  /** `owner`: the id of an account; null: everybody. */
  function listHere(owner: string | null): GatewaySessionView[] {
    const views = sessions.list().map(sessionView)
    return owner === null ? views : views.filter(({ accountId }) => accountId === owner)
  }

  async function list(owner: string | null): Promise<GatewaySessionList> {
    return replicas?.list(owner) ?? { sessions: listHere(owner), processes: 1, silent: 0 }
  }

  function serve(request: Request, facts: RequestFacts): Promise<Response> {
    return doors.answerForwarded(request, facts)
  }

  async function rebuild(principal: Principal, sessionId: string, named: NamedSession): Promise<void> {
    if (named.kind === 'streamable') await session.rebuild(principal, sessionId, named)
    else sessions.rebuild(principal, sessionId, named, () => undefined)
  }

  return {
    routes: doors.routes,
    start: sessions.start,
    /** Never with their ids, which would open them. */
    sessionsOf: (accountId: string): Promise<GatewaySessionList> => list(accountId),
    /** For whoever runs the installation. */
    allSessions: (): Promise<GatewaySessionList> => list(null),
    /** Ends every stream, so that the server can stop; sessions are served until it has. */
    hangUp(): void {
      sse.closeStreams()
      session.closeStreams()
      replicas?.closeStreams()
    },
    async stop(): Promise<void> {
      stopListening()
      await replicas?.stop()
      sessions.stop()
      await modern.close()
    },
  }
}
