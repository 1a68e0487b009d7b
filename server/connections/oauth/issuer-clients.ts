import type { IssuerClientForm, IssuerClientView } from '../../../shared/connections.ts'
import type { Author } from '../../keys/changes.ts'
import type { Database } from '../../platform/database.ts'
import { fault } from '../../platform/fault.ts'
import type { ConnectionAuditEntry, RecordConnectionAudit } from '../saved/audit-entries.ts'
import type { Registrations } from './registrations.ts'

type Operator = Omit<Author, 'accountId'>

/** What operators see and set of our client ids. Secrets can be written and never read. */
export interface IssuerClients {
  list(): Promise<IssuerClientView[]>
  set(author: Operator, form: IssuerClientForm): Promise<void>
  /** Fault: `not_found`. */
  remove(author: Operator, issuer: string): Promise<void>
}

export function createIssuerClients(
  registrations: Registrations,
  database: Database,
  record: RecordConnectionAudit,
): IssuerClients {
  return {
    list: registrations.list,
    async set(author, { issuer, clientId, clientSecret }) {
      const secret = clientSecret === null ? {} : { client_secret: clientSecret }
      await database.transaction(async (sql) => {
        await registrations.set(sql, issuer, { client_id: clientId, ...secret, issuer })
        const after = { clientId, hasSecret: clientSecret !== null }
        await record(sql, { ...entryOf(author, issuer), action: 'oauth_issuer.set', after })
      })
    },
    async remove(author, issuer) {
      await database.transaction(async (sql) => {
        if (!(await registrations.remove(sql, issuer)))
          throw fault('not_found', 'There is no client id for this issuer')
        await record(sql, { ...entryOf(author, issuer), action: 'oauth_issuer.remove' })
      })
    },
  }
}

const entryOf = (
  { actor, ip, requestId }: Operator,
  issuer: string,
): Omit<ConnectionAuditEntry, 'action'> => ({
  actor,
  subject: { kind: 'oauth_issuer', id: issuer },
  ip,
  requestId,
})
