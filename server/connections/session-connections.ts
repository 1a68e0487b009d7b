import type { AuthSource, ConnectionStatus } from '../../shared/connections.ts'
import type { DownstreamService } from './downstream-service.ts'
import type { Scope } from './scope.ts'
import type { Pins } from './tools/pins.ts'

/** A connection that lives as long as its gateway session. */
export interface SessionConnection {
  readonly id: string
  readonly kind: 'session' | 'public'
  readonly service: DownstreamService
  readonly createdAt: number
  status: ConnectionStatus
  /** The source of the credential that was last used. */
  authSource: AuthSource
  lastUsedAt: number | null
  pins: Pins | null
  flagged: readonly string[]
}

/**
 * The connections of gateway sessions. They are found by account, session and id together, because ids are easy
 * to guess.
 */
export interface SessionConnections {
  list(scope: Scope): SessionConnection[]
  find(scope: Scope, id: string): SessionConnection | null
  /**
   * Returns the connection to this service, and makes it if necessary; null when the session has too many.
   * Without a session it is a new one each time.
   */
  take(scope: Scope, kind: SessionConnection['kind'], service: DownstreamService): SessionConnection | null
  end(sessionId: string): void
}

const perSession = 100

export const sessionIdOf = ({ serviceId }: DownstreamService): string => `agent::${serviceId}`
export const publicIdOf = ({ serviceId, chain }: DownstreamService): string =>
  `public::${chain}::${serviceId}`

const keyOf = ({ accountId, sessionId }: Scope): string => JSON.stringify([sessionId, accountId])

export function createSessionConnections(now: () => number): SessionConnections {
  const sessions = new Map<string, Map<string, SessionConnection>>()

  /**
   * Returns the id of a connection. A service may exist on several chains at different addresses; the second
   * address has its chain in the id.
   */
  function idFor(ofSession: ReadonlyMap<string, SessionConnection>, service: DownstreamService): string {
    const id = sessionIdOf(service)
    const known = ofSession.get(id)
    const isTaken =
      known !== undefined && known.service.url !== service.url && known.service.chain !== service.chain
    return isTaken ? `${id}@${service.chain}` : id
  }

  return {
    list: (scope) => [...(sessions.get(keyOf(scope))?.values() ?? [])],
    find: (scope, id) => sessions.get(keyOf(scope))?.get(id) ?? null,
    take(scope, kind, service) {
      const key = keyOf(scope)
      const ofSession = sessions.get(key) ?? new Map<string, SessionConnection>()
      const id = kind === 'public' ? publicIdOf(service) : idFor(ofSession, service)
      const known = ofSession.get(id)
      if (known !== undefined && known.service.url === service.url) return known
      if (ofSession.size >= perSession) return null
      const connection: SessionConnection = {
        id,
        kind,
        service,
        createdAt: Math.floor(now()),
        status: 'new',
        authSource: 'none',
        lastUsedAt: null,
        pins: null,
        flagged: [],
      }
      if (scope.sessionId === '') return connection
      ofSession.set(id, connection)
      sessions.set(key, ofSession)
      return connection
    },
    end(sessionId) {
      const prefix = `[${JSON.stringify(sessionId)},`
      for (const key of sessions.keys()) if (key.startsWith(prefix)) sessions.delete(key)
    },
  }
}
