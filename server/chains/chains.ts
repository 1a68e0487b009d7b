/**
 * The chains that this installation knows: their probe family, identity (chain id, genesis hash), block time and
 * finality. Health, endpoints, the registry and verifiers refer to a chain by its canonical key.
 *
 *  1. `chains.json` has the built-in chains.
 *  2. `merge.ts` lays the `chains:` section of the configuration file over them; a chain that is not built in takes the
 *     defaults of its family from `family-defaults.ts`.
 *  3. Chains that operators add lie between the two: `stored-chains.ts` keeps them in memory, `chain-changes.ts` changes
 *     them, and the file, which is applied again then, may change them as it does built-in ones.
 *  4. `identity.ts` rejects identities that nodes of the family cannot report.
 *
 * Failure: mistakes in the section are returned as issues with the path of the field, all at once, so that the caller
 * can name the file and keep the previous set. Nothing here throws for bad input.
 *
 * What the built-in facts mean, and their limitations:
 * - `genesisHash` is null where honest nodes do not agree on it, cannot serve it (Ethermint answers block 0 with its
 *   latest block), or where no two sources confirm it: a wrong hash would call every honest node WRONG_GENESIS.
 * - Networks whose nodes no probe family can read (Flow, Kaspa, Stacks) have family `http`: they are listed, and probed
 *   by a status and body rule.
 * - A beacon chain is a chain of its own (`ethereum-beacon`), because it counts slots where its execution layer counts
 *   blocks. TRON is of family `evm` for its JSON-RPC, and services of family `tron` may be of it too.
 * - `finalityDepth` of a rollup is about an hour of blocks: until its batches are final on layer 1, they may change.
 * - `headAge` is `idle` where a sequencer makes blocks only when there are transactions, so that a head may be minutes old.
 */

import * as z from 'zod/mini'

import { Chain, type ChainsSection, type CustomChain } from '../../shared/chains.ts'
import builtInChains from './chains.json' with { type: 'json' }
import { type ChainIssue, mergeChains } from './merge.ts'

/** A set of chains by their canonical keys. */
export interface Chains {
  get(key: string): Chain | undefined
  all(): readonly Chain[]
}

export type CreatedChains =
  | { readonly ok: true; readonly chains: Chains }
  | { readonly ok: false; readonly issues: readonly ChainIssue[] }

const builtIns: readonly Chain[] = z.array(Chain).parse(builtInChains)

/** Whether a chain is built in. */
export const isBuiltIn = (key: string): boolean => builtIns.some((chain) => chain.key === key)

/** Returns why a chain of an operator is none; empty when it is one. */
export function problemsOfCustom({ key, ...entry }: CustomChain): readonly ChainIssue[] {
  const merged = mergeChains([], { [key]: entry })
  return merged.ok
    ? []
    : merged.issues.map(({ path, message }) => ({ path: path.slice(`chains.${key}.`.length), message }))
}

/**
 * Returns the built-in chains and those of operators, changed and extended by the configuration file's `chains:` section, or
 * its mistakes.
 */
export function createChains(
  section: ChainsSection = {},
  custom: readonly CustomChain[] = [],
): CreatedChains {
  const merged = mergeChains(custom.reduce(withCustom, builtIns), section)
  if (!merged.ok) return merged
  const { chains } = merged
  const byKey = new Map(chains.map((chain) => [chain.key, chain]))
  return { ok: true, chains: { get: (key) => byKey.get(key), all: () => chains } }
}

/** One that was kept by a version with other rules, and is wrong by these, is left out: it must not keep the server from starting. */
function withCustom(chains: readonly Chain[], { key, ...entry }: CustomChain): readonly Chain[] {
  const merged = mergeChains(chains, { [key]: entry })
  return merged.ok ? merged.chains : chains
}
