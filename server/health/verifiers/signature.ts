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

/** What verifiers sign, in words for those who write one from the API's description. Nothing comes after the last part. */
export const signedForms = {
  enrolment: 'verifier-enroll-v1, a line feed, the token, a line feed, and publicKey as it is sent',
  assignments: 'health-assignments-v1, a line feed, verifier-id, a line feed, and verifier-time',
  report:
    'health-report-v1, a line feed, and the SHA-256 in lowercase hexadecimal of the body, byte for byte and before it is compressed',
} as const

const signatureHeader = /^v1,([A-Za-z0-9+/]{86}==)$/

/** Returns what is wrong with a `verifier-signature` header (`v1,<base64>`) as this key's signature over a text; null if nothing. */
export function signatureProblem(
  header: string | null,
  text: string,
  key: KeyObject,
  form: string,
): string | null {
  const signature = signatureHeader.exec(header ?? '')?.[1]
  if (signature === undefined) return 'expected v1, and the 64 bytes of an Ed25519 signature in Base64'
  if (verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'))) return null
  return `not the signature of this verifier's key over ${form}`
}

/** Returns whether the enrolling verifier holds the private key of the public key that it sends. */
export const proofIsGood = (proof: string, token: string, publicKey: string, key: KeyObject): boolean =>
  verify(null, Buffer.from(enrolmentText(token, publicKey)), key, Buffer.from(proof, 'base64'))
