import { type ApiKeyView, type Permission, apiKeyState, isNotPast } from '../../shared/api-keys.ts'
import type { Checkable } from './check.ts'

/** An administrative key, without its value. Instants are epoch ms. */
export interface ApiKey extends Checkable {
  readonly id: string
  readonly accountId: string
  readonly name: string
  readonly keyHash: string
  readonly hint: string
  readonly previous: PreviousValue | null
  readonly createdAt: number
  /** To the minute. Moved on in place by this process: a use must not cost a look-up of its own. */
  lastUsedAt: number | null
}

/** The value before the last rotation. */
export interface PreviousValue {
  readonly hash: string
  readonly hint: string
  readonly endsAt: number
}

/** The restrictions as texts, as they are stored, shown and recorded. */
export const textsOf = ({ allowedIps, allowedDomains }: ApiKey) => ({
  allowedIps: allowedIps.map(({ text }) => text),
  allowedDomains: allowedDomains.map(({ text }) => text),
})

/** What the owner sees at an instant (epoch ms). */
export function viewOf(key: ApiKey, now: number): ApiKeyView {
  const { id, name, createdAt, expiresAt, isEnabled, hint, lastUsedAt, previous } = key
  return {
    id,
    name,
    permissions: [...key.permissions],
    ...textsOf(key),
    createdAt,
    expiresAt,
    isEnabled,
    state: apiKeyState(key, now),
    hint,
    lastUsedAt,
    previous:
      previous !== null && isNotPast(previous.endsAt, now)
        ? { hint: previous.hint, endsAt: previous.endsAt }
        : null,
  }
}

/** What the audit log holds of a key before and after a change. */
export interface ApiKeyFacts {
  readonly name: string
  readonly permissions: readonly Permission[]
  readonly allowedIps: readonly string[]
  readonly allowedDomains: readonly string[]
  readonly expiresAt: number | null
  readonly isEnabled: boolean
  readonly hint: string
  /** When the value before the last rotation stops working. */
  readonly previousEndsAt: number | null
}

export const factsOf = (key: ApiKey): ApiKeyFacts => ({
  name: key.name,
  permissions: key.permissions,
  ...textsOf(key),
  expiresAt: key.expiresAt,
  isEnabled: key.isEnabled,
  hint: key.hint,
  previousEndsAt: key.previous?.endsAt ?? null,
})
