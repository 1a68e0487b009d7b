import { type DomainRule, isDomainAllowed } from '../../shared/allowed-domains.ts'
import { type AddressRule, isAddressAllowed } from './addresses.ts'

/** What decides whether any key may be used. */
export interface CheckableKey {
  readonly isEnabled: boolean
  /** Epoch ms; null: never. */
  readonly expiresAt: number | null
  readonly allowedIps: readonly AddressRule[]
  readonly allowedDomains: readonly DomainRule[]
}

/** A key that was found by a value which was shown to us. */
export interface FoundKey<Key extends CheckableKey> {
  readonly key: Key
  /** When this value stops working although the key goes on: it was replaced. Epoch ms; null: it is the newest. */
  readonly replacedAt: number | null
}

/** Who uses a key. */
export interface KeyCaller {
  /** Null when it is not known. */
  readonly address: string | null
  /** `scheme://host[:port]` of the page that called; null when there is none that can be believed. */
  readonly origin: string | null
}

export type KeyVerdict<Key extends CheckableKey> =
  | { readonly kind: 'allowed'; readonly key: Key }
  /** Those that a caller must not be able to tell apart. */
  | InvalidKey
  | { readonly kind: 'ip_not_allowed' | 'domain_not_allowed' }

export interface InvalidKey {
  readonly kind: 'invalid'
  readonly why: InvalidReason
}

export type InvalidReason = 'missing' | 'malformed' | 'unknown' | 'disabled' | 'expired'

/** Decides about one use of any key: exists, enabled, not expired, address, domain, in this order. `now`: epoch ms. */
export function checkKey<Key extends CheckableKey>(
  found: FoundKey<Key> | null,
  caller: KeyCaller,
  now: number,
): KeyVerdict<Key> {
  if (found === null) return { kind: 'invalid', why: 'unknown' }
  const { key, replacedAt } = found
  if (!key.isEnabled) return { kind: 'invalid', why: 'disabled' }
  if (hasPassed(key.expiresAt, now) || hasPassed(replacedAt, now)) return { kind: 'invalid', why: 'expired' }
  // Who calls is worked out when it is asked for, and most keys have no lists.
  if (key.allowedIps.length > 0 && !isAddressAllowed(key.allowedIps, caller.address)) {
    return { kind: 'ip_not_allowed' }
  }
  if (key.allowedDomains.length > 0 && !isDomainAllowed(key.allowedDomains, caller.origin)) {
    return { kind: 'domain_not_allowed' }
  }
  return { kind: 'allowed', key }
}

const hasPassed = (instant: number | null, now: number): boolean => instant !== null && instant <= now
