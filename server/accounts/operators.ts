import { type ProvenIdentity, identityKey } from './identity.ts'
import type { AccountState, Role } from '../../shared/accounts.ts'
import { identityForms, providerIdentities } from '../../shared/identity-names.ts'

/** Identities that the setting GATEHOUSE_OPERATORS makes operators, for as long as it names them. */
export interface ConfiguredOperators {
  readonly areAny: boolean
  /** As `wallet:0x12…` and `github:583231`. */
  readonly identities: readonly string[]
  includes(identity: Pick<ProvenIdentity, 'kind' | 'subject'>): boolean
}

const wallet = /^(?:eip155:[1-9]\d*:)?0x[0-9a-f]{40}$/
const provided = new RegExp(`^(?:${providerIdentities})$`)

/**
 * Reads entries such as `0x12…ef`, `eip155:8453:0x12…ef` (a contract wallet), `github:583231`, `google:1134…`,
 * `oidc:https://id.example.org#248289761001`.
 * @throws TypeError naming the entry that is none of these
 */
export function readOperators(entries: readonly string[]): ConfiguredOperators {
  const keys = new Set(entries.map(keyOfEntry))
  return {
    areAny: keys.size > 0,
    identities: [...keys],
    includes: (identity) => keys.has(identityKey(identity)),
  }
}

/** Returns `wallet:0x12…` or `github:583231` of an entry. Throws TypeError on one that is neither. */
export function keyOfEntry(entry: string): string {
  if (wallet.test(entry.toLowerCase())) return `wallet:${entry.toLowerCase()}`
  if (provided.test(entry)) return entry
  throw new TypeError(`${JSON.stringify(entry)} is not ${identityForms}`)
}

/** What an account may do: what is stored, and what the setting adds to it. Operators wait for nobody. */
export function effectiveStanding(
  { role, state, identities }: StoredStanding,
  operators: ConfiguredOperators,
): Pick<StoredStanding, 'role' | 'state'> {
  const isOperator = role === 'operator' || identities.some(operators.includes)
  return isOperator ? { role: 'operator', state: 'active' } : { role, state }
}

interface StoredStanding {
  readonly role: Role
  readonly state: AccountState
  readonly identities: readonly Pick<ProvenIdentity, 'kind' | 'subject'>[]
}
