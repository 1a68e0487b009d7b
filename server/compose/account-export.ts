import type { AccountExport } from '../../shared/account-export.ts'
import type { AuditEvent, AuditQuery } from '../../shared/audit.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { AgentAccess } from '../agent-access/agent-access.ts'
import type { ApiKeys } from '../api-keys/api-keys.ts'
import type { Audit } from '../audit/audit.ts'
import type { Connections } from '../connections/connections.ts'
import { systemClock } from '../platform/clock.ts'
import type { QueryKeys } from '../query-keys/query-keys.ts'
import type { ToolPolicies } from '../tool-policies/tool-policies.ts'
import type { Usage } from '../usage/usage.ts'
import type { VirtualServers } from '../virtual-servers/virtual-servers.ts'

interface ExportedDomains {
  readonly accounts: Accounts
  readonly queryKeys: QueryKeys
  readonly apiKeys: ApiKeys
  readonly agentAccess: AgentAccess
  readonly toolPolicies: ToolPolicies
  readonly usage: Usage
  readonly audit: Audit
  readonly agents: { readonly connections: Connections; readonly virtualServers: VirtualServers }
}

/** Of each kind of events: what it did, and what was done to it. */
const mostPages = 100

/** Returns what gathers everything that is stored of an account, named by its id. Fault: `not_found`. */
export const createAccountExport =
  ({ agents: { connections, virtualServers }, ...domains }: ExportedDomains) =>
  async (accountId: string): Promise<AccountExport> => {
    const { accounts, queryKeys, apiKeys, agentAccess, toolPolicies, usage, audit } = domains
    const account = await accounts.find(accountId)
    const [sessions, teams, ofQueryKeys, ofApiKeys, grants, saved, days, did, suffered] = await Promise.all([
      accounts.sessionsOf(accountId),
      accounts.teams.listOf(accountId),
      queryKeys.list(accountId),
      apiKeys.list(accountId),
      agentAccess.list(accountId),
      connections.list({ accountId, sessionId: '' }, []),
      usage.accountSums.daysOf([accountId], 0),
      eventsOf(audit, { actor: accountId }),
      eventsOf(audit, { subjectKind: 'account', subjectId: accountId }),
    ])
    const events = new Map([...did.events, ...suffered.events].map((event) => [event.seq, event]))
    return {
      format: 'gatehouse-account-1',
      exportedAt: systemClock.now(),
      account,
      sessions,
      teams,
      queryKeys: ofQueryKeys,
      apiKeys: ofApiKeys,
      agents: grants,
      connections: saved,
      virtualServers: virtualServers.list(accountId).filter(({ managedBy }) => managedBy === 'account'),
      toolPolicies: toolPolicies.list(accountId),
      usage: days
        .toSorted((one, other) => one.day - other.day)
        .map(({ day, calls, credits }) => ({
          day: new Date(day).toISOString().slice(0, 10),
          calls,
          credits,
        })),
      audit: [...events.values()]
        .toSorted((one, other) => one.seq - other.seq)
        .map((event) => (event.actor === accountId ? event : { ...event, ip: null })),
      isAuditComplete: did.isComplete && suffered.isComplete,
    }
  }

async function eventsOf(
  audit: Audit,
  which: Partial<AuditQuery>,
): Promise<{ events: AuditEvent[]; isComplete: boolean }> {
  const events: AuditEvent[] = []
  let cursor: number | null = null
  for (let page = 0; page < mostPages; page++) {
    const found = await audit.list({ ...which, limit: 100, ...(cursor !== null && { cursor }) })
    events.push(...found.events)
    cursor = found.nextCursor
    if (cursor === null) return { events, isComplete: true }
  }
  return { events, isComplete: false }
}
