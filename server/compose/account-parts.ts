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

/** A port for sums of usage, which exist later than the accounts. Until it is connected nobody has used anything. */
export function createAccountUsePort() {
  let source: AccountUse = { daysOf: async () => [], sumsSince: async () => [] }
  return {
    current: (): AccountUse => source,
    connect(next: AccountUse): void {
      source = next
    },
  }
}

/** Creates the accounts, with what other domains know of what an account has. */
export const openAccounts = (
  settings: Config,
  core: CoreServices,
  { record }: Audit,
  world: Pick<AccountsWorld, 'egress' | 'address' | 'replicas' | 'use'>,
): Accounts => {
  const attempts = createSignInAttempts(systemClock.monotonic)
  return createAccounts({ ...core, settings, world: { ...world, record, attempts, heldBy: heldByAccount } })
}
