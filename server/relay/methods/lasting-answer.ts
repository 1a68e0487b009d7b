import type { Family } from '../../../shared/chains.ts'

/**
 * Whose answers stay as they are: `constant` for the chain's whole life; `by-hash`, what a hash names, once the block it
 * is in is final.
 */
export type Lasting = 'constant' | 'by-hash'

const evmMethods: ReadonlyMap<string, Lasting> = new Map([
  ['eth_chainId', 'constant'],
  ['net_version', 'constant'],
  ['eth_getBlockByHash', 'by-hash'],
  ['eth_getTransactionByHash', 'by-hash'],
  ['eth_getTransactionReceipt', 'by-hash'],
])

export const lastingKind = (family: Family, method: string): Lasting | null =>
  family === 'evm' ? (evmMethods.get(method) ?? null) : null

const heights = /"(?:blockNumber|number)"\s*:\s*"0x([0-9a-f]{1,13})"/gi

/** The height of the block that a result is about, as the result says; null where it names none, or several. */
export function heightOf(result: string): number | null {
  let height: number | null = null
  for (const [, digits = ''] of result.matchAll(heights)) {
    const next = Number.parseInt(digits, 16)
    if (height !== null && next !== height) return null
    height = next
  }
  return height
}

/** A JSON text that is a quantity such as `"0x1b4"`; null for anything else. */
export function quantityOf(json: string): number | null {
  const digits = /^"0x([0-9a-f]{1,13})"$/i.exec(json)?.[1]
  return digits === undefined ? null : Number.parseInt(digits, 16)
}
