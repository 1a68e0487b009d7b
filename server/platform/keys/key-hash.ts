import { createHmac } from 'node:crypto'

/**
 * What keys are found by: HMAC-SHA-256 under a secret that is not in the database, so that a stolen database does not
 * even tell whether a guessed key exists. The look-up by it needs no comparison in constant time: nobody without the
 * secret can choose how the hash of a guess begins.
 */
export function createKeyHash(secret: Uint8Array): (value: string) => string {
  if (secret.length < 32) throw new RangeError('the secret of the key hash has at least 32 bytes')
  return (value) => createHmac('sha256', secret).update(value).digest('base64url')
}
