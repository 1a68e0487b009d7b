import { type Accounts, type AccountsWorld, createAccounts } from '../accounts/accounts.ts'
import { createSignInAttempts } from '../accounts/sign-in-attempts.ts'
import type { Audit } from '../audit/audit.ts'
import type { Config } from '../config/config.ts'
import { systemClock } from '../platform/clock.ts'
import type { CoreServices } from './core-services.ts'
import type { AccountUse } from '../accounts/account-list.ts'
import type { HeldBy } from '../accounts/suspension.ts'
import type { RemoveHeld } from '../accounts/deletion.ts'
import { livingGrantIdsOf, removeGrantsOf } from '../agent-access/grant-store.ts'
import { removeConnectionsOf } from '../connections/store.ts'
import { keyIdsOf, removeKeysOf } from '../keys/key-store.ts'
import { removePoliciesOf } from '../tool-policies/store.ts'
import { forgetKeyNamesOf } from '../usage/store.ts'
import { removeVirtualServersOf } from '../virtual-servers/store.ts'

/** What processes remember of an account: its keys of both kinds, and the grants of its agents. */
const heldByAccount: HeldBy = async (sql, accountId) => [
  { kind: 'api_key', ids: await keyIdsOf(sql, 'api_keys', accountId) },
  { kind: 'query_key', ids: await keyIdsOf(sql, 'query_keys', accountId) },
  { kind: 'agent_grant', ids: await livingGrantIdsOf(sql, accountId) },
]

/** Deletes what accounts have. Nobody calls by their connections any more once their keys, agents and sessions are refused. */
const removeHeldByAccounts: RemoveHeld = async (sql, accountIds) => {
  const apiKeys = await removeKeysOf(sql, 'api_keys', accountIds)
  const queryKeys = await removeKeysOf(sql, 'query_keys', accountIds)
  const agents = await removeGrantsOf(sql, accountIds)
  const toolPolicies = await removePoliciesOf(sql, accountIds)
  const virtualServers = await removeVirtualServersOf(sql, accountIds)
  for (const tables of ['usage', 'tool_usage'] as const) await forgetKeyNamesOf(sql, tables, accountIds)
  return {
    counts: {
      queryKeys: queryKeys.length,
      apiKeys: apiKeys.length,
      agents: agents.length,
      connections: await removeConnectionsOf(sql, accountIds),
      virtualServers: virtualServers.length,
      toolPolicies: toolPolicies.length,
    },
    remembered: [
      { kind: 'api_key', ids: apiKeys },
      { kind: 'query_key', ids: queryKeys },
      { kind: 'agent_grant', ids: agents },
      { kind: 'tool_policy', ids: toolPolicies },
      { kind: 'virtual_server', ids: [...new Set(virtualServers)] },
    ],
  }
}

/** Nobody has used anything before the sums of usage are there, which exist later than the accounts. */
const noUse: AccountUse = { daysOf: async () => [], sumsSince: async () => [] }

/** Creates the accounts, with what other domains know of what an account has; `connectUse` tells them what it used. */
export function openAccounts(
  settings: Config,
  core: CoreServices,
  { record }: Audit,
  world: Pick<AccountsWorld, 'egress' | 'address' | 'replicas' | 'plans'>,
): { accounts: Accounts; connectUse: (use: AccountUse) => void } {
  let current = noUse
  const attempts = createSignInAttempts(systemClock.monotonic)
  const ofAccounts = { heldBy: heldByAccount, removeHeld: removeHeldByAccounts }
  const ofOthers = { record, attempts, ...ofAccounts, use: () => current }
  const accounts = createAccounts({ ...core, settings, world: { ...world, ...ofOthers } })
  return {
    accounts,
    connectUse(use) {
      current = use
    },
  }
}
