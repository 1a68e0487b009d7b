import type { Permission } from '../../shared/api-keys.ts'
import { type CheckableKey, type FoundKey, type KeyCaller, type KeyVerdict, checkKey } from '../keys/check.ts'

/** What decides whether an API key may be used. */
export interface Checkable extends CheckableKey {
  readonly permissions: readonly Permission[]
}

/** One use of a key. */
export interface KeyUse extends KeyCaller {
  readonly needs: Needs
}

/** What a key must be allowed to do: one of the permissions; `valid_key` is any that works at all. */
export type Needs = Permission | readonly Permission[] | 'valid_key'

export type Verdict<Key extends Checkable> =
  | KeyVerdict<Key>
  | { readonly kind: 'permission_missing'; readonly key: Key; readonly permissions: readonly Permission[] }

/** Decides about one use: exists, enabled, not expired, address, domain, permission, in this order. `now` in epoch ms. */
export function check<Key extends Checkable>(
  found: FoundKey<Key> | null,
  use: KeyUse,
  now: number,
): Verdict<Key> {
  const verdict = checkKey(found, use, now)
  const { needs } = use
  if (verdict.kind !== 'allowed' || needs === 'valid_key') return verdict
  const permissions = typeof needs === 'string' ? [needs] : needs
  const isPermitted = permissions.some((permission) => verdict.key.permissions.includes(permission))
  return isPermitted ? verdict : { kind: 'permission_missing', key: verdict.key, permissions }
}
