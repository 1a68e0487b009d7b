import type { Chain } from '../../../shared/chains.ts'

/** `WRONG_CHAIN` when the node names another chain than the one it is listed under; null where that has no name. */
export function compareChain(named: string, chain: Chain | null): 'WRONG_CHAIN' | null {
  const expected = chain?.chainId ?? null
  return expected === null || String(expected) === named ? null : 'WRONG_CHAIN'
}
