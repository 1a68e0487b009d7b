import { createHmac, randomBytes } from 'node:crypto'

import type { Clock } from '../platform/clock.ts'
import { chooseCredential } from './credentials-precedence.ts'
import type { Credential } from './downstream/credential.ts'
import type { DownstreamService, DownstreamServices } from './downstream-service.ts'
import type { Trouble } from './outcomes.ts'
import type { Route } from './route.ts'
import { isSameParty, originOf } from './saved/saved-connection.ts'
import type { SavedConnections } from './saved/saved-connections.ts'
import type { OfferedCredentials, Scope, Target } from './scope.ts'
import { type SessionConnection, type SessionConnections, publicIdOf } from './session-connections.ts'
import type { StoredConnection } from './store.ts'
import { pinned } from './tools/pins.ts'

export interface RoutesOptions {
  readonly services: DownstreamServices
  readonly saved: SavedConnections
  readonly sessions: SessionConnections
  readonly clock: Pick<Clock, 'now'>
}

type Found = Route | Trouble

/** Without a promise where all is in memory: this stands before every call. */
export type FindRoute = (scope: Scope, target: Target, offered: OfferedCredentials) => Found | Promise<Found>

export const isRoute = (found: Found): found is Route => 'service' in found

/** Whose connections are counted together: an account's, or those of one anonymous session. */
export function principalOf({ accountId, sessionId, address }: Scope): string {
  if (accountId !== null) return `account:${accountId}`
  if (sessionId !== '' || address === undefined) return `session:${sessionId}`
  return address === null ? anybody : `address:${address}`
}

/** Callers that cannot be told apart: what they have under way is not counted together. */
export const anybody = 'anybody'

export const sessionHolder = (sessionId: string): string => `session:${sessionId}`
export const savedHolder = (id: string): string => `saved:${id}`

export function createFindRoute({ services, saved, sessions, clock }: RoutesOptions): FindRoute {
  const versionKey = randomBytes(32) // versions name secrets, and say nothing of them
  const versionOf = (credential: Credential | null): string =>
    credential === null ? '' : createHmac('sha256', versionKey).update(credential.secret).digest('base64url')

  function ofSession(
    scope: Scope,
    connection: SessionConnection,
    offered: OfferedCredentials,
    now = services.find(connection.service.serviceId, connection.service.chain),
  ): Found {
    const { service } = connection
    if (now === null) return { outcome: 'service_gone', serviceId: service.serviceId }
    if (!isSameParty(service, now)) return { outcome: 'origin_changed', serviceId: service.serviceId }
    const credential = chooseCredential(now, null, offered)
    if (credential === null && now.authType !== 'none') return needsCredential(now)
    connection.authSource = credential?.source ?? 'none'
    return {
      connectionId: connection.id,
      kind: connection.kind,
      service: now,
      origin: originOf(now.url),
      authSource: credential?.source ?? 'none',
      credential: () => credential,
      key: {
        principal: principalOf(scope),
        holder: sessionHolder(scope.sessionId),
        url: now.url,
        credentialVersion: versionOf(credential),
      },
      pins: () => connection.pins,
      async pin(seen) {
        connection.pins = pinned(connection.pins, seen)
        return connection.pins
      },
      async note(status) {
        connection.status = status
        connection.lastUsedAt = Math.floor(clock.now())
      },
    }
  }

  function ofSaved(scope: Scope, connection: StoredConnection | null): Found {
    if (connection === null) return { outcome: 'unknown_connection' }
    const { serviceId, chain } = connection.service
    const now = services.find(serviceId, chain)
    if (now === null) {
      void saved.note(connection, 'service_gone')
      return { outcome: 'service_gone', serviceId }
    }
    if (!isSameParty(connection.service, now)) {
      void saved.note(connection, 'origin_changed')
      return { outcome: 'origin_changed', serviceId }
    }
    return {
      connectionId: connection.id,
      kind: 'saved',
      service: now,
      origin: originOf(now.url),
      authSource: 'saved_connection',
      credential: () => saved.credentialOf(connection),
      key: {
        principal: principalOf(scope),
        holder: savedHolder(connection.id),
        url: now.url,
        credentialVersion: connection.id, // its secret is never another one
      },
      pins: () => connection.pins,
      pin: (seen, tools) => saved.pin(connection, seen, tools),
      note: (status) => saved.note(connection, status),
    }
  }

  /** A public one needs no making: whoever names it has it. */
  function ofPublic(scope: Scope, id: string, offered: OfferedCredentials): Found {
    const service = publicServiceOf(services, id)
    if (service === null) return { outcome: 'unknown_connection' }
    const connection = sessions.take(scope, 'public', service)
    return connection === null ? tooMany : ofSession(scope, connection, offered, service)
  }

  return (scope, target, offered) => {
    if (target.kind === 'service') {
      const connection = sessions.take(scope, 'session', target.service)
      return connection === null ? tooMany : ofSession(scope, connection, offered)
    }
    const { connectionId } = target
    const known = sessions.find(scope, connectionId)
    if (known !== null) return ofSession(scope, known, offered)
    if (connectionId.startsWith(publicPrefix)) return ofPublic(scope, connectionId, offered)
    const { accountId } = scope
    if (accountId === null || !connectionId.startsWith('con_')) return { outcome: 'unknown_connection' }
    const remembered = saved.remembered(accountId, connectionId)
    if (remembered !== null) return ofSaved(scope, remembered)
    return saved.find(accountId, connectionId).then((connection) => ofSaved(scope, connection))
  }
}

const publicPrefix = 'public::'
const tooMany: Trouble = { outcome: 'busy', retryAfterSec: 60 }

/** The public tool server that an id such as `public::ethereum::mcpservers:docs` names; null: there is none. */
export function publicServiceOf(services: DownstreamServices, id: string): DownstreamService | null {
  const [, chain, ...rest] = id.split('::')
  if (chain === undefined || rest.length === 0) return null
  const service = services.find(rest.join('::'), chain)
  if (service === null || service.authType !== 'none') return null
  return publicIdOf(service) === id ? service : null
}

const needsCredential = ({ serviceId, credentialKey }: DownstreamService): Trouble => ({
  outcome: 'auth_required',
  serviceId,
  credentialKey,
  authSource: 'none',
})
