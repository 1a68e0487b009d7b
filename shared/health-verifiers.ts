import * as z from 'zod/mini'

import type { Family } from './chains.ts'
import { PlainText } from './health.ts'

/**
 * What a verifier is up to, the most telling first: `isolated` by its own account, `ejected` because it contradicts the
 * majority, `stale_view` where it sees an old head of a chain, `silent` for half a minute or since it enrolled.
 */
export type VerifierState = 'isolated' | 'ejected' | 'stale_view' | 'silent' | 'live'

/** A verifier that is in force, as operators see it. Instants in epoch ms. */
export interface VerifierLine {
  readonly id: string
  readonly name: string
  readonly region: string
  readonly version: string
  readonly families: readonly Family[]
  readonly isBuiltIn: boolean
  readonly createdAt: number
  /** Null: it has never reported. */
  readonly lastSeenAt: number | null
  readonly state: VerifierState
  readonly isIsolated: boolean
  readonly isEjected: boolean
  readonly hasStaleView: boolean
}

/** A token with which one verifier can enrol. Shown once. */
export interface EnrolmentToken {
  /** Names the token without being it. */
  readonly id: string
  readonly token: string
  /** Epoch ms. */
  readonly expiresAt: number
}

/** A token that was made and not used yet. */
export type PendingToken = Pick<EnrolmentToken, 'id' | 'expiresAt'> & { readonly label: string }

export const TokenInput = z.strictObject({ label: z._default(PlainText(100), '') })

export const TokenById = z.strictObject({
  id: z.string().check(z.regex(/^[0-9a-f]{16}$/, 'the id of a token that is pending')),
})

export const VerifierById = z.strictObject({ id: z.string().check(z.minLength(1), z.maxLength(64)) })
