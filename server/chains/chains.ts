import * as z from 'zod/mini'

import { Chain } from '../../shared/chains.ts'
import builtInChains from './chains.json' with { type: 'json' }
import type { ChainIssue } from './merge.ts'
import { mergeChains } from './merge.ts'
import type { ChainsSection } from '../../shared/chains.ts'

/** The chains that this installation knows. */
export interface Chains {
  get(key: string): Chain | undefined
  all(): readonly Chain[]
}

export type CreatedChains =
  | { readonly ok: true; readonly chains: Chains }
  | { readonly ok: false; readonly issues: readonly ChainIssue[] }

/**
 * The built-in chains (`chains.json`), changed and extended by the file's `chains:` section. Mistakes that need the
 * built-in chains to be seen come back as issues, so that the caller can name the file and keep its last good set.
 *
 * What the built-in facts mean:
 * - `genesisHash` is null where honest nodes do not agree on it, cannot serve it (Ethermint answers block 0 with its
 *   latest block), or where no two sources confirm it: a wrong hash would call every honest node WRONG_GENESIS.
 * - Networks whose nodes no probe family can read (Algorand, Aptos, Cardano, Flow, Kaspa, Stacks, Stellar, Sui, Tezos,
 *   TON, XRP Ledger) have family `http`: they are listed, and watched by a status and body rule.
 * - `finalityDepth` of a rollup is about an hour of blocks: until its batches are final on layer 1, they may change.
 * - `headAge` is `none` where blocks are made only when there are transactions, so that an old head proves nothing.
 */
export function createChains(section: ChainsSection = {}): CreatedChains {
  const merged = mergeChains(z.array(Chain).parse(builtInChains), section)
  if (!merged.ok) return merged
  const { chains } = merged
  const byKey = new Map(chains.map((chain) => [chain.key, chain]))
  return { ok: true, chains: { get: (key) => byKey.get(key), all: () => chains } }
}
