import {
  type AuthSource,
  type ConnectionStatus,
  type ConnectionView,
  type OAuthAccessView,
  defaultConnectionUse,
} from '../../shared/connections.ts'
import type { DownstreamService, DownstreamServices } from './downstream-service.ts'
import { isSameProvider } from './find-route.ts'
import type { OAuthFacts, SavedConnection } from './saved/saved-connection.ts'
import { scopeNamesIn } from './oauth/issuer.ts'
import { type SessionConnection, publicIdOf } from './session-connections.ts'
import { changedNames, removedNames } from './tools/pins.ts'

export interface ChangedConnection {
  readonly id: string
  readonly name: string
  readonly tools: readonly string[]
}

/** Returns which tools of a connection are new, changed or gone since they were accepted. */
export const changedConnection = ({ id, label, service, pins }: SavedConnection): ChangedConnection => ({
  id,
  name: label ?? service.name,
  tools: pins === null ? [] : [...changedNames(pins), ...removedNames(pins)],
})

/** Returns a saved connection as its owner sees it, with what the registry says about its service now. */
export function savedConnectionView(
  connection: SavedConnection,
  services: DownstreamServices,
): ConnectionView {
  const { id, service, label, headerName, createdAt, lastUsedAt, contentKeptUntil } = connection
  const { pins, flagged, use, oauth } = connection
  const now = services.find(service.serviceId, service.chain)
  return {
    ...serviceFields(now !== null && isSameProvider(service, now) ? now : service),
    id,
    kind: 'saved',
    authSource: 'saved_connection',
    status: statusOf(connection, now),
    label,
    headerName,
    createdAt,
    lastUsedAt,
    contentKeptUntil,
    changedTools: pins === null ? [] : changedNames(pins),
    flaggedTools: [...flagged],
    use,
    oauth: oauth === null ? null : accessView(oauth),
  }
}

const accessView = ({ issuer, scopes, scopesWanted, consentedAt }: OAuthFacts): OAuthAccessView => ({
  issuerHost: issuer === null ? null : new URL(issuer).host,
  scopes: scopeNamesIn(scopes),
  lackedScopes: scopeNamesIn(scopesWanted),
  consentedAt,
})

/** Returns the status. What the registry says now takes precedence over what the last use showed. */
function statusOf(
  { service, status, oauth }: SavedConnection,
  now: DownstreamService | null,
): ConnectionStatus {
  if (now === null) return 'service_gone'
  if (!isSameProvider(service, now)) return 'origin_changed'
  if (oauth?.hasTokens === false) return 'consent_needed'
  return status === 'service_gone' || status === 'origin_changed' ? 'new' : status
}

export function sessionConnectionView(connection: SessionConnection, authSource: AuthSource): ConnectionView {
  const { id, kind, service, status, createdAt, lastUsedAt, pins } = connection
  return {
    ...serviceFields(service),
    id,
    kind,
    authSource,
    status,
    label: null,
    headerName: null,
    createdAt: kind === 'public' ? null : createdAt,
    lastUsedAt,
    contentKeptUntil: null,
    changedTools: pins === null ? [] : changedNames(pins),
    flaggedTools: [...connection.flagged],
    use: defaultConnectionUse,
    oauth: null,
  }
}

/** Returns a public tool server that this session has not used yet. */
export const publicConnectionView = (service: DownstreamService): ConnectionView => ({
  ...serviceFields(service),
  id: publicIdOf(service),
  kind: 'public',
  authSource: 'none',
  status: 'new',
  label: null,
  headerName: null,
  createdAt: null,
  lastUsedAt: null,
  contentKeptUntil: null,
  changedTools: [],
  flaggedTools: [],
  use: defaultConnectionUse,
  oauth: null,
})

const serviceFields = ({
  serviceId,
  chain,
  category,
  provider,
  name,
  url,
  transport,
  authType,
}: DownstreamService) => ({ serviceId, chain, category, provider, name, endpoint: url, transport, authType })
