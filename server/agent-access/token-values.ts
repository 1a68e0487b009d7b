import { createHash, createHmac, randomBytes } from 'node:crypto'

import { createKeyHash, generateKey, isWellFormedKey, keyRandomBytes } from '../keys/key-value.ts'
import { tokenPrefixes } from '../platform/token-prefixes.ts'

export const codePrefix = tokenPrefixes.agentCode
export const accessPrefix = tokenPrefixes.agentAccess
export const refreshPrefix = tokenPrefixes.agentRefresh

type ValuePrefix = typeof codePrefix | typeof accessPrefix | typeof refreshPrefix

const mint = (prefix: ValuePrefix): string => generateKey(prefix, randomBytes(keyRandomBytes))

export type TokenValues = ReturnType<typeof createTokenValues>

/** Codes and tokens have the form of keys, and are stored as keyed hashes as keys are. */
export function createTokenValues(secret: Uint8Array) {
  const hashOf = createKeyHash(secret)

  return {
    hashOf,
    mint,
    /** Returns the hash of a value that can be of this kind; null for anything else, which costs no look-up. */
    hashIf: (value: string | null, prefix: ValuePrefix): string | null =>
      value !== null && isWellFormedKey(value, prefix) ? hashOf(value) : null,
    /**
     * The one refresh token that follows another: who asks twice gets the same, although nothing readable is stored.
     * SHA-512 gives the 64 bytes that a value is made of.
     */
    successor: (refreshToken: string): string =>
      generateKey(refreshPrefix, createHmac('sha512', secret).update(`successor\0${refreshToken}`).digest()),
  }
}

/** S256 of RFC 7636. */
export const challengeOf = (verifier: string): string =>
  createHash('sha256').update(verifier).digest('base64url')
