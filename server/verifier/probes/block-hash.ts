import { createHash } from 'node:crypto'

import * as z from 'zod/mini'

/**
 * Every family's hash as 16 lowercase hex digits. They are only ever compared with those of the same chain, so that
 * any 8 bytes will do which every verifier takes in the same way.
 */

/** A hash in hex, with or without `0x`. */
export const HexHash = z.string().check(z.regex(/^(0x)?[0-9a-fA-F]{16,128}$/))

/** A field element of Starknet: hex without its leading zeros. */
export const Felt = z.string().check(z.regex(/^0x[0-9a-fA-F]{1,64}$/))

/** A hash in Base64. */
export const Base64Hash = z.string().check(z.regex(/^[A-Za-z0-9+/]{22,86}={0,2}$/))

/** A hash in base58 or a CID. */
export const TextHash = z.string().check(z.minLength(8), z.maxLength(200))

const digits = (hash: string): string => hash.toLowerCase().replace(/^0x/, '')

export const hash8OfHex = (hash: string): string => digits(hash).slice(0, 16)

/** Bitcoin shows its hashes back to front: the first bytes shown are the zeros of the proof of work, alike in all. */
export const hash8OfBitcoin = (hash: string): string => digits(hash).slice(-16)

export const hash8OfBase64 = (hash: string): string =>
  Buffer.from(hash, 'base64').subarray(0, 8).toString('hex')

export const hash8OfFelt = (felt: string): string => digits(felt).padStart(64, '0').slice(0, 16)

/** Base58 and CIDs have no hex of their own: the first 8 bytes of the SHA-256 of the text. */
export const hash8OfText = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 16)

/** The element as nodes write it, so that two spellings of one are alike. */
export const canonicalFelt = (felt: string): string => `0x${digits(felt).replace(/^0+(?=.)/, '')}`
