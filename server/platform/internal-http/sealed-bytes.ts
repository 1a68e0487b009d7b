import { createCipheriv, createDecipheriv } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
export const tagBytes = 16

/** Where a part belongs among those under its key: no two parts under one key may have the same place. */
interface PartPlace {
  readonly index: number
  /** Nothing follows it. Without this mark nobody could tell an end from a connection that was cut. */
  readonly isLast: boolean
}

/** AES-256-GCM with the place as nonce, which is the STREAM construction (Hoang, Reyhanitabar, Rogaway, Vizár 2015). */
export function sealBytes(key: Buffer, place: PartPlace, bytes: Uint8Array): Buffer[] {
  const cipher = createCipheriv(algorithm, key, nonceOf(place))
  return [cipher.update(bytes), cipher.final(), cipher.getAuthTag()]
}

/** Returns null for what was not sealed under this key for this place. */
export function openBytes(key: Buffer, place: PartPlace, sealed: Uint8Array): Uint8Array<ArrayBuffer> | null {
  if (sealed.length < tagBytes) return null
  const decipher = createDecipheriv(algorithm, key, nonceOf(place)).setAuthTag(sealed.subarray(-tagBytes))
  const opened = decipher.update(sealed.subarray(0, -tagBytes))
  try {
    decipher.final()
  } catch (error) {
    if (error instanceof Error) return null
    throw error
  }
  return new Uint8Array(opened.buffer, opened.byteOffset, opened.byteLength)
}

function nonceOf({ index, isLast }: PartPlace): Buffer {
  const nonce = Buffer.alloc(nonceBytes)
  nonce.writeUInt8(isLast ? 1 : 0, 0)
  nonce.writeBigUInt64BE(BigInt(index), nonceBytes - 8)
  return nonce
}
