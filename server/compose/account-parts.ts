import { type Accounts, type AccountsWorld, createAccounts } from '../accounts/accounts.ts'
import { createSignInAttempts } from '../accounts/sign-in-attempts.ts'
import type { Audit } from '../audit/audit.ts'
import type { Config } from '../config/config.ts'
import { systemClock } from '../platform/clock.ts'
import type { CoreServices } from './core-services.ts'
import type { AccountUse } from '../accounts/account-list.ts'
import type { HeldBy } from '../accounts/suspension.ts'
import { livingGrantIdsOf } from '../agent-access/grant-store.ts'
import { keyIdsOf } from '../keys/key-store.ts'

/** What processes remember of an account: its keys of both kinds, and the grants of its agents. */
const heldByAccount: HeldBy = async (sql, accountId) => [
  { kind: 'api_key', ids: await keyIdsOf(sql, 'api_keys', accountId) },
  { kind: 'query_key', ids: await keyIdsOf(sql, 'query_keys', accountId) },
  { kind: 'agent_grant', ids: await livingGrantIdsOf(sql, accountId) },
]

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
  const ofOthers = { record, attempts, heldBy: heldByAccount, use: () => current }
  const accounts = createAccounts({ ...core, settings, world: { ...world, ...ofOthers } })
  return {
    accounts,
    connectUse(use) {
      current = use
    },
  }
}
