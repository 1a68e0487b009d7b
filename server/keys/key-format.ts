import { tokenPrefixes } from '../platform/token-prefixes.ts'

/**
 * How key values look: a prefix, 32 random characters of base62 (190 bits), and 6 characters that hold the CRC-32 of
 * all before them. A mistyped key and the noise of scanners are told from a key without looking anything up, and
 * secret scanners get a pattern. (The idea is GitHub's, "Behind GitHub's new authentication token formats", 2021.)
 */

/** For keys that administer an account. */
export const apiKeyPrefix = tokenPrefixes.apiKey

/** For keys that give access to blockchains. */
export const queryKeyPrefix = tokenPrefixes.queryKey

export type KeyPrefix = typeof apiKeyPrefix | typeof queryKeyPrefix

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secretChars = 32
const checksumChars = 6
const hintChars = 4

/** Enough that 32 of them are usable in all but one of 10^31 cases. */
export const keyRandomBytes = 64

/** Bytes from here on are passed over: with them the first characters of the alphabet would be more likely. */
const firstBiasedByte = 256 - (256 % alphabet.length)

/** Makes a key out of `keyRandomBytes` random bytes. Throws a `RangeError` when too few of them are usable. */
export function generateKey(prefix: KeyPrefix, randomBytes: Uint8Array): string {
  let text: string = prefix
  for (const byte of randomBytes) {
    if (byte >= firstBiasedByte) continue
    text += alphabet.charAt(byte % alphabet.length)
    if (text.length === prefix.length + secretChars) return text + checksumText(crc32(text, text.length))
  }
  throw new RangeError(`a key needs ${secretChars} random bytes below ${firstBiasedByte}`)
}

/** Whether a text can be a key of this kind at all. */
export function isWellFormedKey(text: string, prefix: KeyPrefix): boolean {
  const checkedChars = prefix.length + secretChars
  if (text.length !== checkedChars + checksumChars || !text.startsWith(prefix)) return false
  let checksum = 0
  for (let place = prefix.length; place < text.length; place++) {
    const digit = digitOf(text.charCodeAt(place))
    if (digit === undefined || digit === notInAlphabet) return false
    if (place >= checkedChars) checksum = checksum * alphabet.length + digit
  }
  return checksum === crc32(text, checkedChars)
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

/** CRC-32 of ISO-HDLC (the one of zip and Ethernet), bit-reversed polynomial. */
const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let entry = byte
  for (let bit = 0; bit < 8; bit++) entry = entry & 1 ? (entry >>> 1) ^ 0xedb88320 : entry >>> 1
  return entry
})

/** Of the first `length` characters of a text of ASCII. */
function crc32(text: string, length: number): number {
  let crc = 0xffffffff
  for (let place = 0; place < length; place++) {
    crc = (crc >>> 8) ^ (crcTable[(crc ^ text.charCodeAt(place)) & 0xff] ?? 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}
