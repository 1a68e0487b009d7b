import * as z from 'zod/mini'

import type { Family } from './chains.ts'
import { idText, matching, remark } from './text.ts'

/** An active verifier, as operators see it. Instants are epoch ms. */
export interface VerifierSummary {
  readonly id: string
  readonly name: string
  readonly region: string
  readonly version: string
  readonly families: readonly Family[]
  readonly isBuiltIn: boolean
  readonly createdAt: number
  /** Null: it has never reported. */
  readonly lastSeenAt: number | null
  /** From then on it is silent unless it reports before. Null: it has never reported, or has no service to probe. */
  readonly silentAt: number | null
  /** Silent for three days: it counts for no quorum until it reports again. */
  readonly isSetAside: boolean
  /** By its own account cut off from the network. */
  readonly isIsolated: boolean
  /** It contradicts the others too often to be counted. */
  readonly isEjected: boolean
  /** Of some chain it sees an old head. */
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

export const TokenInput = z.strictObject({ label: z._default(remark(100), '') })

export const TokenById = z.strictObject({
  id: matching(/^[0-9a-f]{16}$/, 'the id of a token that is pending'),
})

export const VerifierById = z.strictObject({ id: idText(64) })
