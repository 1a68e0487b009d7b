import { keccak256 } from 'ox/Hash'

/** The types of EIP-2718 whose hash is that of the bytes: access lists, fee market, blobs, and code of accounts. */
const hashedTypes = new Set([1, 2, 3, 4])
const blobType = 3
const listOffset = 0xc0
const longListOffset = 0xf7

/**
 * Returns the hash of a signed transaction, in hexadecimal; null for bytes that are none, and for types of single chains,
 * whose hash may be made otherwise.
 */
export function transactionHash(raw: string): `0x${string}` | null {
  if (!/^0x(?:[0-9a-f]{2})+$/i.test(raw)) return null
  const bytes = Buffer.from(raw.slice(2), 'hex')
  const type = bytes[0] ?? 0
  if (type >= listOffset) return isWholeList(bytes, 0) ? keccak256(bytes, { as: 'Hex' }) : null
  if (!hashedTypes.has(type) || !isWholeList(bytes, 1)) return null
  return keccak256(type === blobType ? withoutBlobs(bytes) : bytes, { as: 'Hex' })
}

interface RlpList {
  readonly contentAt: number
  readonly end: number
}

/** Reads the length of the RLP list that begins at `at`; null when there is none. */
function readList(bytes: Uint8Array, at: number): RlpList | null {
  const first = bytes[at] ?? 0
  if (first < listOffset) return null
  if (first <= longListOffset) return { contentAt: at + 1, end: at + 1 + first - listOffset }
  const lengthBytes = first - longListOffset
  let length = 0
  for (let index = 1; index <= lengthBytes; index++) length = length * 256 + (bytes[at + index] ?? 0)
  const contentAt = at + 1 + lengthBytes
  return { contentAt, end: contentAt + length }
}

const isWholeList = (bytes: Uint8Array, at: number): boolean => readList(bytes, at)?.end === bytes.length

/** Blobs are sent beside the transaction, as `type || [transaction, blobs, …]`, and are no part of its hash (EIP-4844). */
function withoutBlobs(bytes: Uint8Array): Uint8Array {
  const contentAt = readList(bytes, 1)?.contentAt ?? 1
  const transaction = readList(bytes, contentAt)
  if (transaction === null) return bytes
  return Buffer.concat([bytes.subarray(0, 1), bytes.subarray(contentAt, transaction.end)])
}
