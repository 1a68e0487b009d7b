import { createHmac, randomBytes } from 'node:crypto'

import { defaultConnectionUse } from '../../shared/connections.ts'
import type { Credential } from './downstream/credential.ts'
import type { DownstreamService, DownstreamServices } from './downstream-service.ts'
import type { OfferedCredentials, Scope, ConnectionTarget } from './scope.ts'
import type { Clock } from '../platform/clock.ts'
import { remembered as memoised } from '../platform/remembered.ts'
import type { CallFailure } from './call-results.ts'
import type { BearerAccesses } from './oauth/bearer-accesses.ts'
import type { Route } from './route.ts'
import type { KnownServers } from './known-servers.ts'
import type { SavedConnections } from './saved/saved-connections.ts'
import { type SessionConnection, type SessionConnections, publicIdOf } from './session-connections.ts'
import type { StoredConnection } from './store.ts'
import { pinned } from './tools/pins.ts'

export interface FindRouteOptions {
  readonly services: DownstreamServices
  readonly saved: SavedConnections
  readonly sessions: SessionConnections
  readonly clock: Pick<Clock, 'now'>
  readonly known: Pick<KnownServers, 'challenged' | 'pin'>
  readonly oauth: BearerAccesses
}

type Found = Route | CallFailure

/** Finds the route of a call. Synchronous where everything is in memory, because it precedes every call. */
export type FindRoute = (
  scope: Scope,
  target: ConnectionTarget,
  offered: OfferedCredentials,
) => Found | Promise<Found>

export const isRoute = (found: Found): found is Route => 'service' in found

/**
 * Returns the key by which calls and connections are limited: the account, the anonymous session, or the
 * address.
 */
export function principalOf({ accountId, sessionId, address }: Scope): string {
  if (accountId !== null) return `account:${accountId}`
  if (sessionId !== '' || address === undefined) return `session:${sessionId}`
  return address === null ? unidentifiedCallers : `address:${address}`
}

export const isAccount = (principal: string): boolean => principal.startsWith('account:')

/** The key of callers that cannot be told apart; their calls are not limited together. */
export const unidentifiedCallers = 'anybody'

export const sessionHolder = (sessionId: string): string => `session:${sessionId}`
export const savedHolder = (id: string): string => `saved:${id}`

export function createFindRoute(options: FindRouteOptions): FindRoute {
  const { services, saved, sessions, clock, known, oauth } = options
  const versionOf = createVersions()

  function routeOfSession(
    scope: Scope,
    connection: SessionConnection,
    offered: OfferedCredentials,
    now = services.find(connection.service.serviceId, connection.service.chain),
  ): Found {
    const { service } = connection
    if (now === null) return { outcome: 'service_gone', serviceId: service.serviceId }
    if (!isSameProvider(service, now)) return { outcome: 'origin_changed', serviceId: service.serviceId }
    const takesCredential = now.authType !== 'none' || known.challenged.urls.has(now.url)
    const credential = takesCredential ? chooseCredential(now, null, offered) : null
    if (credential === null && now.authType !== 'none') return needsCredential(now, scope)
    connection.authSource = credential?.source ?? 'none'
    return {
      connectionId: connection.id,
      kind: connection.kind,
      service: now,
      origin: originOf(now.url),
      authSource: credential?.source ?? 'none',
      connectUrl: () => '',
      bearer: null,
      credential: () => credential,
      key: {
        principal: principalOf(scope),
        holder: sessionHolder(scope.sessionId),
        url: now.url,
        credentialVersion: versionOf(credential),
      },
      contentKeptUntil: null,
      use: defaultConnectionUse,
      pins: () => connection.pins,
      async pin(seen, tools) {
        // What anybody sees is compared with what anybody saw, in this session or before it.
        connection.pins =
          credential === null ? await known.pin(now, seen, tools) : pinned(connection.pins, seen)
        return connection.pins
      },
      async recordFlagged(flagged) {
        connection.flagged = flagged
      },
      recordSecretQuoted: async () => undefined, // the secret is forgotten with the session
      async recordStatus(status) {
        connection.status = status
        connection.lastUsedAt = Math.floor(clock.now())
      },
    }
  }

  function routeOfSaved(scope: Scope, connection: StoredConnection | null): Found {
    if (connection === null) return { outcome: 'unknown_connection' }
    const { serviceId, chain } = connection.service
    const now = services.find(serviceId, chain)
    if (now === null) {
      void saved.recordStatus(connection, 'service_gone')
      return { outcome: 'service_gone', serviceId }
    }
    if (!isSameProvider(connection.service, now)) {
      void saved.recordStatus(connection, 'origin_changed')
      return { outcome: 'origin_changed', serviceId }
    }
    let { pins } = connection
    if (connection.oauth?.hasTokens === false) return needsConsent(connection, oauth.connectUrl)
    return {
      connectionId: connection.id,
      kind: 'saved',
      service: now,
      origin: originOf(now.url),
      authSource: 'saved_connection',
      connectUrl: () => oauth.connectUrl(connection),
      bearer: oauth.bearerOf(connection),
      credential: () => saved.credentialOf(connection),
      key: {
        principal: principalOf(scope),
        holder: savedHolder(connection.id),
        url: now.url,
        credentialVersion: versionOfSaved(connection),
      },
      contentKeptUntil: connection.contentKeptUntil,
      use: connection.use,
      pins: () => pins,
      async pin(seen, tools) {
        pins = await saved.pin(connection, seen, tools)
        return pins
      },
      recordFlagged: (flagged) => saved.recordFlagged(connection, flagged),
      recordSecretQuoted: () => saved.recordSecretQuoted(connection),
      recordStatus: (status) => saved.recordStatus(connection, status),
    }
  }

  /** Finds the route of a public connection, which exists implicitly. */
  function routeOfPublic(scope: Scope, id: string, offered: OfferedCredentials): Found {
    const service = publicServiceOf(services, id)
    if (service === null) return { outcome: 'unknown_connection' }
    const connection = sessions.take(scope, 'public', service)
    return connection === null ? tooMany : routeOfSession(scope, connection, offered, service)
  }

  return (scope, target, offered) => {
    if (target.kind === 'service') {
      const connection = sessions.take(scope, 'session', target.service)
      return connection === null ? tooMany : routeOfSession(scope, connection, offered)
    }
    const { connectionId } = target
    const ofSession = sessions.find(scope, connectionId)
    if (ofSession !== null) return routeOfSession(scope, ofSession, offered)
    if (connectionId.startsWith(publicPrefix)) return routeOfPublic(scope, connectionId, offered)
    const { accountId } = scope
    if (accountId === null || !connectionId.startsWith('con_')) return { outcome: 'unknown_connection' }
    const remembered = saved.remembered(accountId, connectionId)
    // Its owner may have agreed since, in another process.
    if (remembered !== null && remembered.oauth?.hasTokens !== false) return routeOfSaved(scope, remembered)
    return saved.find(accountId, connectionId).then((connection) => routeOfSaved(scope, connection))
  }
}

/**
 * Returns true when the registry's entry is still the one for which the secret was saved. A secret belongs to a
 * provider and an origin; an entry that names another one does not get it.
 */
export function isSameProvider(given: DownstreamService, now: DownstreamService): boolean {
  if (given === now) return true
  return (
    given.provider === now.provider &&
    given.credentialKey === now.credentialKey &&
    originOf(given.url) === originOf(now.url)
  )
}

/**
 * Its secret is never another one, but a new consent may be that of somebody else; whether a secret is shown is decided
 * where a connection is opened.
 */
function versionOfSaved({ id, oauth, use }: StoredConnection): string {
  const version = oauth === null ? id : `${id} ${oauth.consentedAt}`
  return use.showsSecrets ? `${version} shown` : version
}

/** Returns the origin of a URL, memoised because every call asks for it. */
const originOf = memoised((url: string): string => new URL(url).origin)

const publicPrefix = 'public::'
const tooMany: CallFailure = { outcome: 'busy', retryAfterSec: 60 }

/** Returns the public tool server of an id such as `public::ethereum::mcpservers:docs`, or null. */
export function publicServiceOf(services: DownstreamServices, id: string): DownstreamService | null {
  const [, chain, ...rest] = id.split('::')
  if (chain === undefined || rest.length === 0) return null
  const service = services.find(rest.join('::'), chain)
  if (service === null || service.authType !== 'none') return null
  return publicIdOf(service) === id ? service : null
}

/** Returns what names secrets and says nothing of them. */
function createVersions(): (credential: Credential | null) => string {
  const key = randomBytes(32)
  return (credential) =>
    credential === null ? '' : createHmac('sha256', key).update(credential.secret).digest('base64url')
}

const needsConsent = (
  connection: StoredConnection,
  connectUrl: BearerAccesses['connectUrl'],
): CallFailure => ({
  outcome: 'consent_needed',
  serviceId: connection.service.serviceId,
  connectionId: connection.id,
  why: 'consent_needed',
  url: connectUrl(connection),
})

const needsCredential = (
  { serviceId, credentialKey, authType }: DownstreamService,
  { accountId }: Scope,
): CallFailure => ({
  outcome: 'auth_required',
  serviceId,
  credentialKey,
  authSource: 'none',
  ...(authType === 'oauth' && accountId !== null && { byOAuth: true }),
})

/**
 * Selects the credential for a tool server. The order is: the saved connection's own secret, the session's bag,
 * the header of this request, a bound token.
 */
function chooseCredential(
  service: Pick<DownstreamService, 'credentialKey'>,
  saved: Credential | null,
  /** The offered credentials; their headers are parsed on access. */
  offers: OfferedCredentials,
): Credential | null {
  if (saved !== null) return saved
  const { credentialKey: provider } = service
  if (provider === null) return null
  return (
    credentialFrom('session_bag', offers.bag, provider) ??
    credentialFrom('request_header', offers.headers, provider) ??
    credentialFrom('bound_token', offers.tokens, provider)
  )
}

/**
 * Finds a secret by provider. Names of offered credentials are in lower case, whatever the registry writes.
 */
function credentialFrom(
  source: Credential['source'],
  secrets: ReadonlyMap<string, string>,
  provider: string,
): Credential | null {
  const secret = secrets.get(provider) ?? secrets.get(provider.toLowerCase())
  return secret === undefined ? null : { source, secret, headerName: null }
}
