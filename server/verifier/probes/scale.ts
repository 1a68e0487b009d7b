/** Reads a SCALE `u64` (8 bytes, little-endian) from `0x` hex; null where it is none or exceeds 2^53 - 1. */
export function readScaleU64(hex: string): number | null {
  const bytes = /^0x([0-9a-fA-F]{2}){8}$/.test(hex) ? hex.slice(2).match(/../g) : null
  if (!bytes) return null
  const value = Number(`0x${bytes.toReversed().join('')}`)
  return Number.isSafeInteger(value) ? value : null
}
