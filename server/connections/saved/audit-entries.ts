import type { TransactionSql } from '../../platform/database.ts'
import type { Author } from '../../keys/changes.ts'
import { changedNames, toolNamesIn } from '../tools/pins.ts'
import type { SavedConnection } from './saved-connection.ts'

/** An entry of the audit log about a connection. It holds no secret. */
export interface ConnectionAuditEntry {
  readonly actor: Author['actor']
  readonly action:
    | `connection.${'create' | 'update' | 'accept_tools' | 'secret_quoted' | 'consent' | 'consent_lost' | 'delete'}`
    | 'tool_server.accept_tools'
    | `oauth_issuer.${'set' | 'remove'}`
  readonly subject: { readonly kind: 'connection' | 'tool_server' | 'oauth_issuer'; readonly id: string }
  readonly before?: Readonly<Record<string, unknown>>
  readonly after?: Readonly<Record<string, unknown>>
  readonly ip: string | null
  readonly requestId: string | null
}

/** Writes an entry to the audit log, in the transaction of the change. */
export type RecordConnectionAudit = (sql: TransactionSql, event: ConnectionAuditEntry) => Promise<void>

export function connectionAuditEntry(
  { accountId, actor, ip, requestId }: Author,
  action: ConnectionAuditEntry['action'],
  id: string,
  before: SavedConnection | null,
  after: SavedConnection | null,
): ConnectionAuditEntry {
  return {
    actor,
    action,
    subject: { kind: 'connection', id },
    ...(before === null ? {} : { before: factsOf(accountId, before) }),
    ...(after === null ? {} : { after: factsOf(accountId, after) }),
    ip,
    requestId,
  }
}

const factsOf = (
  accountId: string,
  { service, label, headerName, pins, contentKeptUntil, use, oauth }: SavedConnection,
) => ({
  accountId,
  name: label ?? service.name,
  serviceId: service.serviceId,
  chain: service.chain,
  origin: new URL(service.url).origin,
  label,
  headerName,
  tools: pins === null ? null : toolNamesIn(pins.accepted).length,
  contentKeptUntil: contentKeptUntil === null ? null : new Date(contentKeptUntil).toISOString(),
  changedTools: pins === null ? 0 : changedNames(pins).length,
  ...use,
  ...(oauth !== null && { issuer: oauth.issuer, scopes: oauth.scopes, consented: oauth.hasTokens }),
})
