import type { ConsolePage } from '../../shared/console-pages.ts'
import type { ListedAuditEntry } from './audit-words.ts'

export interface SubjectPage {
  readonly name: ConsolePage
  readonly params?: Readonly<Record<string, string>>
}

const endings = new Set([
  'service.remove',
  'verifier.revoke',
  'api_key.delete',
  'query_key.delete',
  'endpoint.remove',
  'connection.delete',
  'virtual_server.delete',
  'status_page.delete',
  'agent.disconnect',
])

/** Where the thing that an entry is about can be seen; null where it is gone, or belongs to somebody else. */
export function subjectPage(entry: ListedAuditEntry, reader: string): SubjectPage | null {
  if (endings.has(entry.action)) return null
  switch (entry.subjectKind) {
    case 'service':
      return { name: 'service', params: { serviceId: entry.subjectId } }
    case 'verifier':
      return { name: 'verifiers' }
    case 'api_key':
      return entry.actor === reader ? { name: 'apiKeys' } : null
    case 'query_key':
      return entry.actor === reader ? { name: 'queryKeys' } : null
    case 'status_page':
      return { name: 'statusPages' }
    case 'endpoint':
      return { name: 'endpoints' }
    case 'account':
      return entry.subjectId === reader ? { name: 'settings' } : null
    default:
      return null
  }
}
