import { parseDomainRule } from '../../shared/allowed-domains.ts'
import { parseAddressRule } from './addresses.ts'
import { type PreviousValue, type StoredKey, restrictionTexts } from './stored-key.ts'

/** The columns that the tables of all keys have, but for the sealed value, which is only read to be shown. */
export interface StoredKeyRow {
  id: string
  account_id: string
  name: string
  allowed_ips: string[]
  allowed_domains: string[]
  expires_at: Date | null
  is_enabled: boolean
  key_hash: string
  hint: string
  previous_key_hash: string | null
  previous_hint: string | null
  previous_ends_at: Date | null
  created_at: Date
}

/** What is read beside the columns of a key's own table. */
export interface KeyOwnerRow {
  /** Null where the account is not known. */
  is_suspended: boolean | null
  /** The name of its plan; null: it has none. */
  owner_plan: string | null
}

export const storedKeyColumns = [
  'id',
  'account_id',
  'name',
  'allowed_ips',
  'allowed_domains',
  'expires_at',
  'is_enabled',
  'key_hash',
  'hint',
  'previous_key_hash',
  'previous_hint',
  'previous_ends_at',
  'created_at',
] as const satisfies (keyof StoredKeyRow)[]

export type StoredKeyReader = (row: StoredKeyRow & KeyOwnerRow) => StoredKey

export function createStoredKeyReader(): StoredKeyReader {
  const addressRule = shared(parseAddressRule)
  const domainRule = shared(parseDomainRule)
  return (row) => ({
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    allowedIps: row.allowed_ips.map(addressRule),
    allowedDomains: row.allowed_domains.map(domainRule),
    expiresAt: row.expires_at?.getTime() ?? null,
    isEnabled: row.is_enabled,
    isSuspended: row.is_suspended === true,
    keyHash: row.key_hash,
    hint: row.hint,
    previous: previousOf(row),
    createdAt: row.created_at.getTime(),
  })
}

export function storedKeyRow(key: StoredKey): StoredKeyRow {
  const { allowedIps, allowedDomains } = restrictionTexts(key)
  return {
    id: key.id,
    account_id: key.accountId,
    name: key.name,
    allowed_ips: allowedIps,
    allowed_domains: allowedDomains,
    expires_at: instant(key.expiresAt),
    is_enabled: key.isEnabled,
    key_hash: key.keyHash,
    hint: key.hint,
    previous_key_hash: key.previous?.hash ?? null,
    previous_hint: key.previous?.hint ?? null,
    previous_ends_at: instant(key.previous?.endsAt ?? null),
    created_at: new Date(key.createdAt),
  }
}

const instant = (at: number | null): Date | null => (at === null ? null : new Date(at))

function previousOf(row: StoredKeyRow): PreviousValue | null {
  const { previous_key_hash: hash, previous_hint: hint, previous_ends_at: endsAt } = row
  return hash === null || hint === null || endsAt === null ? null : { hash, hint, endsAt: endsAt.getTime() }
}

type Reading<Rule> =
  | { readonly kind: 'rule'; readonly rule: Rule }
  | { readonly kind: 'refused'; readonly why: string }

const maxShared = 10_000

/**
 * The keys of an account mostly have the same restrictions: one rule in memory for equal texts saves most of it, and
 * stays in the processor's cache. A rule that cannot be read any more must not be left out, as without it the key
 * would work from more places.
 */
function shared<Rule>(parse: (text: string) => Reading<Rule>): (text: string) => Rule {
  const rules = new Map<string, Rule>()
  return (text) => {
    const known = rules.get(text)
    if (known !== undefined) return known
    const reading = parse(text)
    if (reading.kind === 'refused')
      throw new Error(`the stored restriction ${text} cannot be read: ${reading.why}`)
    if (rules.size >= maxShared) rules.clear()
    rules.set(text, reading.rule)
    return reading.rule
  }
}
