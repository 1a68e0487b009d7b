import type { Family } from '../../../shared/chains.ts'

/** An enrolled verifier as it is stored. Instants in epoch ms. */
export interface Verifier {
  readonly id: string
  readonly name: string
  readonly region: string
  /** The raw Ed25519 public key in base64. */
  readonly publicKey: string
  readonly families: readonly Family[]
  readonly version: string
  readonly isBuiltIn: boolean
  readonly isRevoked: boolean
  readonly createdAt: number
  lastSeq: number
  lastSeenAt: number | null
}
