/**
 * A slot of the mapped file: what one key called of one method in one minute. 136 bytes: four u32 (place of the key's
 * name, place of the method's name, minute, check) · six u32 (counts of calls, and how often the histogram was halved)
 * · four f64 (credits and bytes) · 64 u8 (the histogram of latencies).
 */
export const slotBytes = 136

export const slotWords = slotBytes / 4
export const slotNumbers = slotBytes / 8

/** Indexes of u32 values in a slot. */
export const word = {
  keyName: 0,
  methodName: 1,
  minute: 2,
  check: 3,
  requests: 4,
  ok: 5,
  errors: 6,
  rateLimited: 7,
  creditLimited: 8,
  halvings: 9,
} as const

/** Indexes of f64 values in a slot. */
export const number = { credits: 5, creditsBack: 6, bytesIn: 7, bytesOut: 8 } as const

/** The place of the histogram's first byte in a slot. */
export const histogramByte = 72

/**
 * Returns a check value, which distinguishes a slot from the remains of one after a power cut. It is never 0, and
 * depends on the names and the minute.
 */
export function checkOf(keyName: number, methodName: number, minute: number): number {
  let mixed = Math.imul(keyName ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(methodName ^ 0xc2b2ae35, 0x27d4eb2f)
  mixed = Math.imul(mixed ^ (mixed >>> 15) ^ minute, 0x2c1b3c6d)
  return ((mixed ^ (mixed >>> 13)) | 1) >>> 0
}
