import { parseDomainRule } from '../../shared/allowed-domains.ts'
import type { Permission } from '../../shared/api-keys.ts'
import { parseAddressRule } from './addresses.ts'
import type { ApiKey, PreviousValue } from './api-key.ts'

export interface ApiKeyRow {
  id: string
  account_id: string
  name: string
  permissions: Permission[]
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
  last_used_at: Date | null
}

export type RowReader = (row: ApiKeyRow) => ApiKey

export function createRowReader(): RowReader {
  const addressRule = shared(parseAddressRule)
  const domainRule = shared(parseDomainRule)
  return (row) => ({
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    permissions: row.permissions,
    allowedIps: row.allowed_ips.map(addressRule),
    allowedDomains: row.allowed_domains.map(domainRule),
    expiresAt: row.expires_at?.getTime() ?? null,
    isEnabled: row.is_enabled,
    keyHash: row.key_hash,
    hint: row.hint,
    previous: previousOf(row),
    createdAt: row.created_at.getTime(),
    lastUsedAt: row.last_used_at?.getTime() ?? null,
  })
}

function previousOf(row: ApiKeyRow): PreviousValue | null {
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
