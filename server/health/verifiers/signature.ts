import { type KeyObject, createPublicKey, verify } from 'node:crypto'

import { enrolmentText } from '../../../shared/verifier-protocol.ts'

/** DER prefix of an Ed25519 SubjectPublicKeyInfo (RFC 8410); the raw 32-byte key follows. */
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex')

/**
 * Returns a key object for a raw key in base64; null when it is not 32 bytes. Only the canonical encoding is accepted, or
 * one key could be enrolled, and vote, several times.
 */
export function readPublicKey(base64: string): KeyObject | null {
  const raw = Buffer.from(base64, 'base64')
  if (raw.length !== 32 || raw.toString('base64') !== base64) return null
  return createPublicKey({ key: Buffer.concat([spkiPrefix, raw]), format: 'der', type: 'spki' })
}

const signatureHeader = /^v1,([A-Za-z0-9+/]{86}==)$/

/** Returns whether a `verifier-signature` header (`v1,<base64>`) is this key's signature over a text. */
export function headerSigns(header: string | null, text: string, key: KeyObject): boolean {
  const signature = signatureHeader.exec(header ?? '')?.[1]
  return signature !== undefined && verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'))
}

/** Returns whether the enrolling verifier holds the private key of the public key that it sends. */
export const proofIsGood = (proof: string, token: string, publicKey: string, key: KeyObject): boolean =>
  verify(null, Buffer.from(enrolmentText(token, publicKey)), key, Buffer.from(proof, 'base64'))
