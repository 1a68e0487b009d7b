import { families } from '../../shared/chains.ts'
import type { Chain, Family } from '../../shared/chains.ts'
import { familyDefaults } from './family-defaults.ts'
import { identityProblems } from './identity.ts'
import type { ChainEntry, ChainsSection } from '../../shared/chains.ts'

/** A mistake in the `chains:` section: the dotted path of the field (`chains.testnet.family`), and what is allowed. */
export interface ChainIssue {
  readonly path: string
  readonly message: string
}

export type MergedChains =
  | { readonly ok: true; readonly chains: readonly Chain[] }
  | { readonly ok: false; readonly issues: readonly ChainIssue[] }

function newChain(key: string, family: Family): Chain {
  return { key, name: key, family, chainId: null, genesisHash: null, ...familyDefaults[family], anchors: [] }
}

/** Returns the built-in chain without the values that `entry` makes wrong. */
function withoutContradicted(builtIn: Chain, entry: ChainEntry): Chain {
  // Another family has another identity and other rules; only the name and the block time stay.
  if (entry.family !== undefined && entry.family !== builtIn.family) {
    return { ...newChain(builtIn.key, entry.family), name: builtIn.name, blockMs: builtIn.blockMs }
  }
  // Another chain id is another chain: its nodes do not have the genesis block of the built-in one.
  const chainId = entry.chainId ?? builtIn.chainId
  if (chainId !== builtIn.chainId) return { ...builtIn, genesisHash: null }
  return builtIn
}

function withEntry(base: Chain, entry: ChainEntry): Chain {
  return {
    key: base.key,
    name: entry.name ?? base.name,
    family: base.family,
    // Null means "unknown" and removes a built-in value, so `??` would be wrong for these two.
    chainId: entry.chainId === undefined ? base.chainId : entry.chainId,
    genesisHash: entry.genesisHash === undefined ? base.genesisHash : entry.genesisHash,
    blockMs: entry.blockMs ?? base.blockMs,
    futureTolSec: entry.futureTolSec ?? base.futureTolSec,
    headAge: entry.headAge ?? base.headAge,
    finalityDepth: entry.finalityDepth ?? base.finalityDepth,
    anchors: entry.anchors ?? base.anchors,
  }
}

function mergeOne(key: string, builtIn: Chain | undefined, entry: ChainEntry): Chain | ChainIssue[] {
  const family = entry.family ?? builtIn?.family
  if (family === undefined) {
    const message = `a chain that is not built in needs a family, one of ${families.join(', ')}`
    return [{ path: `chains.${key}.family`, message }]
  }
  const base = builtIn === undefined ? newChain(key, family) : withoutContradicted(builtIn, entry)
  const chain = withEntry(base, entry)
  const problems = identityProblems(chain)
  if (problems.length === 0) return chain
  return problems.map(({ field, message }) => ({ path: `chains.${key}.${field}`, message }))
}

/**
 * Merges each entry of the file over the built-in chain of its key, or over the defaults of its family when that key is
 * not built in. Built-in chains keep their order; new ones follow in the order of the file. All mistakes are returned at
 * once, and then nothing is merged.
 */
export function mergeChains(builtIns: readonly Chain[], section: ChainsSection): MergedChains {
  const chains = new Map(builtIns.map((chain) => [chain.key, chain]))
  const issues: ChainIssue[] = []
  for (const [key, entry] of Object.entries(section)) {
    const merged = mergeOne(key, chains.get(key), entry)
    if (Array.isArray(merged)) issues.push(...merged)
    else chains.set(key, merged)
  }
  return issues.length === 0 ? { ok: true, chains: [...chains.values()] } : { ok: false, issues }
}
