import { createHash, createHmac } from 'node:crypto'

/**
 * What keys are found by: HMAC-SHA-256 under a secret that is not in the database, so that a stolen database does not
 * even tell whether a guessed key exists. The look-up by it needs no comparison in constant time: nobody without the
 * secret can choose how the hash of a guess begins.
 */
export function createKeyHash(secret: Uint8Array): (value: string) => string {
  if (secret.length < 32) throw new RangeError('the secret of the key hash has at least 32 bytes')
  const quickHash = createQuickHash(secret)
  return (value) =>
    value.length <= quickChars
      ? quickHash(value)
      : createHmac('sha256', secret).update(value).digest('base64url')
}

/** A key has 42. */
const quickChars = 128
const blockBytes = 64
const digestBytes = 32

/**
 * HMAC as RFC 2104 defines it, of two plain hashes: a third of the time of `createHmac`, which makes an object for each
 * call, and calls with a key come by the ten thousand in a second.
 */
function createQuickHash(secret: Uint8Array): (value: string) => string {
  const key = Buffer.alloc(blockBytes)
  key.set(secret.length > blockBytes ? createHash('sha256').update(secret).digest() : secret)
  const inner = new Uint8Array(blockBytes + quickChars * 3) // of UTF-8, a UTF-16 unit has three bytes at most
  const outer = new Uint8Array(blockBytes + digestBytes)
  for (const [place, byte] of key.entries()) {
    inner[place] = byte ^ 0x36
    outer[place] = byte ^ 0x5c
  }
  const message = inner.subarray(blockBytes)
  const innerDigest = outer.subarray(blockBytes)
  const digest = Buffer.alloc(digestBytes)
  const utf8 = new TextEncoder()

  // Keys are of one length, and to make a view takes a tenth of the time of all the rest.
  let used = inner
  return (value) => {
    const { written } = utf8.encodeInto(value, message)
    if (used.length !== blockBytes + written) used = inner.subarray(0, blockBytes + written)
    Bun.SHA256.hash(used, innerDigest)
    Bun.SHA256.hash(outer, digest)
    return digest.toString('base64url')
  }
}
