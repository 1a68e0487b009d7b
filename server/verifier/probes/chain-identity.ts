import type { Chain } from '../../../shared/chains.ts'
import type { OtherChain } from '../../../shared/service-facts.ts'

/** Whether a node is of the chain that it is listed under; `otherChain`: what it names in place of it. */
export type ChainFinding =
  | { readonly error: null }
  | { readonly error: 'WRONG_CHAIN'; readonly otherChain: OtherChain }

/** `WRONG_CHAIN` when the node names another chain than the one it is listed under; null where that has no name. */
export function compareChain(named: string, chain: Chain | null): ChainFinding {
  const expected = chain?.chainId ?? null
  if (expected === null || String(expected) === named) return { error: null }
  return {
    error: 'WRONG_CHAIN',
    otherChain: { named: printable(named), expected: printable(String(expected)) },
  }
}

/** A node may name itself anything. */
const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '').slice(0, 100) || 'nothing'
