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
  /** Fault: `conflict` where the file has one. */
  set(author: Operator, form: IssuerClientForm): Promise<void>
  /** Faults: `not_found`; `conflict` where the file has it. */
  remove(author: Operator, issuer: string): Promise<void>
}

export function createIssuerClients(
  registrations: Registrations,
  database: Database,
  record: RecordConnectionAudit,
): IssuerClients {
  function assertNotInFile(issuer: string): void {
    if (registrations.isInFile(issuer))
      throw fault('conflict', 'this client id is managed by the file: change it there')
  }

  return {
    list: registrations.list,
    async set(author, form) {
      const { issuer, clientId, clientSecret } = form
      assertNotInFile(issuer)
      await database.transaction(async (sql) => {
        await registrations.set(sql, form)
        const after = { clientId, hasSecret: clientSecret !== null }
        await record(sql, { ...entryOf(author, issuer), action: 'oauth_issuer.set', after })
      })
    },
    async remove(author, issuer) {
      assertNotInFile(issuer)
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
