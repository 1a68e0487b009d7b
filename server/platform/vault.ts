import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

/**
 * Seals values that must be readable again (addresses with credentials, keys to show) under a key that is not in the
 * database. Envelope: `v1.<key id>.<base64url nonce + ciphertext + tag>`. `place` (table, row, column) is
 * authenticated, so that a sealed value cannot be moved to another row.
 */
export interface Vault {
  /** The beginning of every envelope that is sealed under the first key. */
  readonly newestPrefix: string
  /** Of each key, the first one first. An id tells nothing of its key. */
  readonly keyIds: readonly [string, ...string[]]
  seal(plaintext: string, place: string): string
  /** Throws when the envelope was altered, moved, or sealed under a key that this vault does not hold. */
  open(envelope: string, place: string): string
}

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** Tells keys apart, and nothing of them. */
export const keyId = (key: Buffer): string =>
  createHash('sha256').update('vault-key-id').update(key).digest('hex').slice(0, 8)

/** The first key seals; every key opens, so that keys can be rotated. Keys are 32 bytes. */
export function createVault(keys: readonly [Buffer, ...Buffer[]]): Vault {
  for (const key of keys) if (key.length !== 32) throw new RangeError('a vault key has 32 bytes')
  const byId = new Map(keys.map((key) => [keyId(key), key]))
  const [sealingKey] = keys
  const [sealingId, ...otherIds] = [keyId(sealingKey), ...keys.slice(1).map(keyId)] as const
  const newestPrefix = `v1.${sealingId}.`

  return {
    newestPrefix,
    keyIds: [sealingId, ...otherIds],
    seal(plaintext, place) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, sealingKey, nonce).setAAD(Buffer.from(place))
      const sealed = Buffer.concat([
        nonce,
        cipher.update(plaintext, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ])
      return newestPrefix + sealed.toString('base64url')
    },
    open(envelope, place) {
      const [version, id, body] = envelope.split('.')
      const key = byId.get(id ?? '')
      if (version !== 'v1' || !body) throw new Error('not a sealed value')
      if (!key) {
        throw new Error(
          'stored secrets were sealed under another master key: set GATEHOUSE_MASTER_KEY, or restore private/master-key',
        )
      }
      const sealed = Buffer.from(body, 'base64url')
      if (sealed.length < nonceBytes + tagBytes) throw new Error('the sealed value is too short')
      const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceBytes))
        .setAAD(Buffer.from(place))
        .setAuthTag(sealed.subarray(-tagBytes))
      const opened = Buffer.concat([
        decipher.update(sealed.subarray(nonceBytes, -tagBytes)),
        decipher.final(),
      ])
      return opened.toString('utf8')
    },
  }
}
