import type { KeyObject } from 'node:crypto'
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { writeWholeFile } from '../platform/whole-file.ts'

/** A verifier's Ed25519 key pair. The private half can be used, not read. */
export interface Identity {
  /** Raw 32 bytes in base64. */
  readonly publicKey: string
  /** Signature over the text's UTF-8 bytes, in base64. */
  sign(text: string): string
}

/** An identity that is not on disk yet. */
export interface NewIdentity extends Identity {
  /** Writes the private key into the folder (mode 0600), in place of any earlier one. */
  keepIn(folder: string): Promise<void>
}

const keyFile = (folder: string): string => join(folder, 'verifier-key.pem')

function identityOf(privateKey: KeyObject): Identity {
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' })
  if (typeof x !== 'string') throw new TypeError('not an Ed25519 key')
  return {
    publicKey: Buffer.from(x, 'base64url').toString('base64'),
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString('base64'),
  }
}

/** Makes a key pair in memory. */
export function createIdentity(): NewIdentity {
  const { privateKey } = generateKeyPairSync('ed25519')
  return {
    ...identityOf(privateKey),
    keepIn: (folder) =>
      writeWholeFile(keyFile(folder), privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
  }
}

/** Reads the identity that lives in the folder; null where there is none. Throws when the file holds no Ed25519 key. */
export async function readIdentity(folder: string): Promise<Identity | null> {
  let pem: string
  try {
    pem = await readFile(keyFile(folder), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  return identityOf(createPrivateKey(pem))
}

/** Reads the folder's identity, or makes one and keeps it there. For a verifier whose owner enrols it by hand. */
export async function ensureIdentity(folder: string): Promise<Identity> {
  const kept = await readIdentity(folder)
  if (kept) return kept
  const made = createIdentity()
  await made.keepIn(folder)
  return made
}
