import type { AgentGrantView, ReusedTokenView } from '../../shared/agents.ts'
import type { AuditActor } from '../../shared/audit.ts'
import type { Audit } from '../audit/audit.ts'
import type { Author } from '../keys/changes.ts'
import type { KeyReplicas } from '../keys/key-replicas.ts'
import type { Database } from '../platform/database.ts'
import { type Fault, fault } from '../platform/fault.ts'
import { randomId } from '../platform/ids.ts'
import { goesOnSec } from './access-tokens.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import { documentHost, isDocumentAddress } from './clients/client.ts'
import type { GrantStore, NewGrant, RevokedWhy, StoredGrant } from './grant-store.ts'
import { redirectPlace } from './redirects.ts'
import { type TokenValues, codePrefix } from './token-values.ts'

interface GrantsOptions {
  readonly database: Database
  readonly store: GrantStore
  readonly values: TokenValues
  readonly replicas: KeyReplicas
  readonly record: Audit['recordAll']
}

/** Whose grants end, which of them, and why. Null stands for every account, or every grant of the account. */
interface Ending {
  readonly accountId: string | null
  readonly id: string | null
  readonly why: RevokedWhy
}

/** Who ended it; null: the agent itself. */
type EndedBy = Omit<Author, 'accountId'> | null

const maxGrants = 50

/** What owners agreed to. A grant ends in all processes before the call that ends it returns, or the call says that it has not. */
export function createGrants({ database, store, values, replicas, record }: GrantsOptions) {
  /** Fault: `unavailable`; the grants may have ended then. */
  async function end(ending: Ending, by: EndedBy): Promise<{ count: number; propagated: boolean }> {
    const { result: ids, propagated } = await replicas.change(
      'agent_grant',
      async (sql) => {
        const ended = await store.revoke(sql, ending)
        const entries = ended.map((grant) => disconnectEntry(grant, ending.why, by))
        if (entries.length > 0) await record(sql, entries) // last: the audit log has a lock of its own
        const endedIds = ended.map(({ id }) => id)
        return { ids: endedIds, result: endedIds }
      },
      goesOnSec + 10, // A process that lost the database goes by its memory for a while; clocks may differ in their pace.
    )
    return { count: ids.length, propagated }
  }

  return {
    /** Makes a grant and its code. Fault: `conflict` when the account has as many as it may have. */
    async create({ accountId, ...by }: Author, request: AuthorizationRequest): Promise<{ code: string }> {
      const code = values.mint(codePrefix)
      const { client, redirectUri, challenge, scopes, resource } = request
      const grant: NewGrant = {
        id: randomId('gra'),
        accountId,
        clientId: client.id,
        clientName: client.name,
        redirectHost: redirectPlace(redirectUri).host,
        scopes,
        resource,
        codeHash: values.hashOf(code),
        redirectUri,
        challenge,
      }
      await database.transaction(async (sql) => {
        await store.lockAccount(sql, accountId) // two at once would both find room for one
        if ((await store.countAlive(sql, accountId)) >= maxGrants) throw tooMany()
        await store.insert(sql, grant)
        const subject = { kind: 'agent', id: grant.id } as const
        await record(sql, [{ ...by, action: 'agent.connect', subject, after: grantFacts(grant) }])
      })
      return { code }
    },

    end,

    /** Whether the account may let in one more, as far as is known before it agrees. */
    hasRoom: async (accountId: string): Promise<boolean> =>
      (await database.run((sql) => store.countAlive(sql, accountId))) < maxGrants,

    /** Agents that are out because a refresh token was used twice. */
    async reused(accountId: string): Promise<ReusedTokenView[]> {
      return (await store.listReused(accountId)).map(({ endedAt, ...grant }) => {
        const { id, clientName, verifiedHost, redirectHost } = grantView(grant)
        return { id, clientName, verifiedHost, redirectHost, endedAt }
      })
    },

    /** For records of what agents did, which outlast their access. */
    names: store.names,

    /** Null: of every account. */
    async list(accountId: string | null): Promise<AgentGrantView[]> {
      return (await store.list(accountId)).map(grantView)
    },
  }
}

export const tooManyText = `An account may have at most ${maxGrants} agents: revoke one that is no longer used`
const tooMany = (): Fault => fault('conflict', tooManyText)

type GrantFacts = Pick<
  StoredGrant,
  'accountId' | 'clientId' | 'clientName' | 'redirectHost' | 'scopes' | 'resource'
>

const grantFacts = ({ accountId, clientId, clientName, redirectHost, scopes, resource }: GrantFacts) => ({
  accountId,
  client: clientId,
  name: clientName,
  sendsTo: redirectHost,
  scopes: [...scopes],
  resource,
})

function disconnectEntry(grant: StoredGrant, why: RevokedWhy, by: EndedBy) {
  const itself: AuditActor = { id: grant.id, label: `Agent ${grant.clientName}` }
  return {
    ...(by ?? { actor: itself, ip: null, requestId: null }),
    action: 'agent.disconnect' as const,
    subject: { kind: 'agent' as const, id: grant.id },
    before: { ...grantFacts(grant), why },
  }
}

const grantView = (grant: StoredGrant): AgentGrantView => ({
  id: grant.id,
  accountId: grant.accountId,
  clientId: grant.clientId,
  clientName: grant.clientName,
  verifiedHost: isDocumentAddress(grant.clientId) ? documentHost(grant.clientId) : null,
  redirectHost: grant.redirectHost,
  scopes: grant.scopes,
  resource: grant.resource,
  createdAt: grant.createdAt,
  usedAt: grant.usedAt,
  expiresAt: grant.expiresAt,
})
