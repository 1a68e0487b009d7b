import { type DomainRule, isDomainAllowed } from '../../shared/allowed-domains.ts'
import type { Permission } from '../../shared/api-keys.ts'
import { type AddressRule, isAddressAllowed } from './addresses.ts'

/** What decides whether a key may be used. */
export interface Checkable {
  readonly isEnabled: boolean
  /** Epoch ms; null: never. */
  readonly expiresAt: number | null
  readonly allowedIps: readonly AddressRule[]
  readonly allowedDomains: readonly DomainRule[]
  readonly permissions: readonly Permission[]
}

/** A key that was found by a value which was shown to us. */
export interface Found<Key extends Checkable> {
  readonly key: Key
  /** When this value stops working although the key goes on: it was replaced. Epoch ms; null: it is the newest. */
  readonly replacedAt: number | null
}

/** One use of a key. */
export interface KeyUse {
  /** Epoch ms. */
  readonly now: number
  /** Of the caller; null when it is not known. */
  readonly address: string | null
  /** `scheme://host[:port]` of the page that called; null when there is none that can be believed. */
  readonly origin: string | null
  readonly needs: Needs
}

/** What a key must be allowed to do; `valid_key` is any that works at all. */
export type Needs = Permission | 'valid_key'

export type Verdict<Key extends Checkable> =
  | { readonly kind: 'allowed'; readonly key: Key }
  /** The five that a caller must not be able to tell apart. */
  | { readonly kind: 'invalid'; readonly why: InvalidReason }
  | { readonly kind: 'ip_not_allowed' | 'domain_not_allowed' }
  | { readonly kind: 'permission_missing'; readonly permission: Permission }

export type InvalidReason = 'missing' | 'malformed' | 'unknown' | 'disabled' | 'expired'

/** Decides about one use: exists, enabled, not expired, address, domain, permission, in this order. */
export function check<Key extends Checkable>(found: Found<Key> | null, use: KeyUse): Verdict<Key> {
  if (found === null) return { kind: 'invalid', why: 'unknown' }
  const { key, replacedAt } = found
  if (!key.isEnabled) return { kind: 'invalid', why: 'disabled' }
  if (hasPassed(key.expiresAt, use.now) || hasPassed(replacedAt, use.now)) {
    return { kind: 'invalid', why: 'expired' }
  }
  if (!isAddressAllowed(key.allowedIps, use.address)) return { kind: 'ip_not_allowed' }
  if (!isDomainAllowed(key.allowedDomains, use.origin)) return { kind: 'domain_not_allowed' }
  const { needs } = use
  if (needs !== 'valid_key' && !key.permissions.includes(needs)) {
    return { kind: 'permission_missing', permission: needs }
  }
  return { kind: 'allowed', key }
}

const hasPassed = (instant: number | null, now: number): boolean => instant !== null && instant <= now
