import type { KeyObject } from 'node:crypto'
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { reportText, signatureHeader } from '../../../shared/verifier-protocol.ts'
import { writeWholeFile } from '../../platform/whole-file.ts'

/** A verifier's Ed25519 key pair. Its private half can sign, but cannot be read. */
export interface VerifierIdentity {
  /** The raw 32-byte public key in base64. */
  readonly publicKey: string
  /** Returns the signature over the text's UTF-8 bytes, in base64. */
  sign(text: string): string
}

/** An identity that has not been written to disk yet. */
export interface NewVerifierIdentity extends VerifierIdentity {
  /** Writes the private key into the folder (mode 0600) and replaces any earlier one. */
  saveIn(folder: string): Promise<void>
}

const keyFile = (folder: string): string => join(folder, 'verifier-key.pem')

function identityOf(privateKey: KeyObject): VerifierIdentity {
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' })
  if (typeof x !== 'string') throw new TypeError('not an Ed25519 key')
  return {
    publicKey: Buffer.from(x, 'base64url').toString('base64'),
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString('base64'),
  }
}

/** Generates a key pair in memory. */
export function createVerifierIdentity(): NewVerifierIdentity {
  const { privateKey } = generateKeyPairSync('ed25519')
  return {
    ...identityOf(privateKey),
    saveIn: (folder) =>
      writeWholeFile(keyFile(folder), privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
  }
}

/** Reads the identity stored in the folder; null where there is none. Throws when the file holds no Ed25519 key. */
export async function readVerifierIdentity(folder: string): Promise<VerifierIdentity | null> {
  let pem: string
  try {
    pem = await readFile(keyFile(folder), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  return identityOf(createPrivateKey(pem))
}

/** Reads the folder's identity, or generates and stores one. The built-in verifier uses it, which needs no token. */
export async function ensureVerifierIdentity(folder: string): Promise<VerifierIdentity> {
  const stored = await readVerifierIdentity(folder)
  if (stored) return stored
  const made = createVerifierIdentity()
  await made.saveIn(folder)
  return made
}

/** Returns the `verifier-signature` header of a report with these uncompressed JSON bytes. */
export function signReport(identity: Pick<VerifierIdentity, 'sign'>, body: Uint8Array): string {
  const bodyHash = createHash('sha256').update(body).digest('hex')
  return signatureHeader(identity.sign(reportText(bodyHash)))
}
