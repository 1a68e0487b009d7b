import { createHash, createHmac } from 'node:crypto'
import { crc32 } from 'node:zlib'

import { type TokenPrefix, tokenPrefixes } from '../platform/token-prefixes.ts'

/**
 * How key values look: a prefix, 32 random characters of base62 (190 bits), and 6 characters that hold the CRC-32 of
 * all before them. A mistyped key and the noise of scanners are told from a key without looking anything up, and
 * secret scanners get a pattern. (The idea is GitHub's, "Behind GitHub's new authentication token formats", 2021.)
 */

/** For keys that administer an account. */
export const apiKeyPrefix = tokenPrefixes.apiKey

/** For keys that give access to blockchains. */
export const queryKeyPrefix = tokenPrefixes.queryKey

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secretChars = 32
const checksumChars = 6
const hintChars = 4

/** Enough that 32 of them are usable in all but one of 10^31 cases. */
export const keyRandomBytes = 64

/** Bytes from here on are passed over: with them the first characters of the alphabet would be more likely. */
const firstBiasedByte = 256 - (256 % alphabet.length)

/** Makes a key out of `keyRandomBytes` random bytes. Throws a `RangeError` when too few of them are usable. */
export function generateKey(prefix: TokenPrefix, randomBytes: Uint8Array): string {
  let text: string = prefix
  for (const byte of randomBytes) {
    if (byte >= firstBiasedByte) continue
    text += alphabet.charAt(byte % alphabet.length)
    if (text.length === prefix.length + secretChars) return text + checksumText(crc32(text))
  }
  throw new RangeError(`a key needs ${secretChars} random bytes below ${firstBiasedByte}`)
}

/** Whether a text can be a key of this kind at all. */
export function isWellFormedKey(text: string, prefix: TokenPrefix): boolean {
  const checkedChars = prefix.length + secretChars
  if (text.length !== checkedChars + checksumChars || !text.startsWith(prefix)) return false
  let checksum = 0
  for (let place = prefix.length; place < text.length; place++) {
    const digit = digitOf(text.charCodeAt(place))
    if (digit === undefined || digit === notInAlphabet) return false
    if (place >= checkedChars) checksum = checksum * alphabet.length + digit
  }
  return checksum === crc32(text.slice(0, checkedChars))
}

/** What may be shown of a key: its prefix and its last four characters. */
export const keyHint = (key: string): string =>
  `${key.slice(0, key.indexOf('_') + 1)}…${key.slice(-hintChars)}`

function checksumText(checksum: number): string {
  let text = ''
  for (let rest = checksum; text.length < checksumChars; rest = Math.floor(rest / alphabet.length)) {
    text = alphabet.charAt(rest % alphabet.length) + text
  }
  return text
}

const notInAlphabet = 255

const digits = new Uint8Array(128).fill(notInAlphabet)
for (let digit = 0; digit < alphabet.length; digit++) digits[alphabet.charCodeAt(digit)] = digit

const digitOf = (charCode: number): number | undefined => digits[charCode]

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
 * HMAC as RFC 2104 defines it, of two plain hashes: 0.34 µs of CPU where `createHmac`, which makes an object for each
 * call, takes 0.57 µs (Bun 1.4), and a check of a key takes little more than its hash.
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
