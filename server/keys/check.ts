import { type DomainRule, isDomainAllowed } from '../../shared/allowed-domains.ts'
import { type AddressRule, isAddressAllowed } from './addresses.ts'

/** The fields that decide whether a key may be used. */
export interface CheckableKey {
  readonly isEnabled: boolean
  /** Whether its account is disabled. */
  readonly isSuspended: boolean
  /** Epoch ms; null for a key that does not expire. */
  readonly expiresAt: number | null
  readonly allowedIps: readonly AddressRule[]
  readonly allowedDomains: readonly DomainRule[]
}

/** A key that was found by a value that a caller sent. */
export interface FoundKey<Key extends CheckableKey> {
  readonly key: Key
  /** Epoch ms when this value stops working because the key was rotated; null for the current value. */
  readonly replacedAt: number | null
}

/** The caller that uses a key. */
export interface KeyCaller {
  /** Null when it is not known. */
  readonly address: string | null
  /** `scheme://host[:port]` of the page that called; null when there is no trustworthy one. */
  readonly origin: string | null
}

export type KeyVerdict<Key extends CheckableKey> =
  | { readonly kind: 'allowed'; readonly key: Key }
  /** Reasons that a caller must not be able to tell apart. */
  | InvalidKey
  | { readonly kind: 'ip_not_allowed' | 'domain_not_allowed'; readonly key: Key }

export interface InvalidKey {
  readonly kind: 'invalid'
  readonly why: InvalidReason
}

export type InvalidReason = 'missing' | 'malformed' | 'unknown' | 'disabled' | 'expired'

/** Decides about one use of a key, in this order: exists, enabled, not expired, address, domain. `now` in epoch ms. */
export function checkKey<Key extends CheckableKey>(
  found: FoundKey<Key> | null,
  caller: KeyCaller,
  now: number,
): KeyVerdict<Key> {
  if (found === null) return { kind: 'invalid', why: 'unknown' }
  const { key, replacedAt } = found
  if (!key.isEnabled || key.isSuspended) return { kind: 'invalid', why: 'disabled' }
  if (hasPassed(key.expiresAt, now) || hasPassed(replacedAt, now)) return { kind: 'invalid', why: 'expired' }
  // The caller's address and origin are computed on access, and most keys have no lists.
  if (key.allowedIps.length > 0 && !isAddressAllowed(key.allowedIps, caller.address)) {
    return { kind: 'ip_not_allowed', key }
  }
  if (key.allowedDomains.length > 0 && !isDomainAllowed(key.allowedDomains, caller.origin)) {
    return { kind: 'domain_not_allowed', key }
  }
  return { kind: 'allowed', key }
}

const hasPassed = (instant: number | null, now: number): boolean => instant !== null && instant <= now
