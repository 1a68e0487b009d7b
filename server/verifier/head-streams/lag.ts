/** The newest head that a node has pushed. */
export interface PushedHead {
  readonly provider: string
  readonly height: number
}

/** With so many providers, one of them alone lifts nothing. */
const enoughProviders = 3

/**
 * Returns the height that nodes of one chain should have reached: the second-highest over providers where there are
 * enough of them, and else the highest. Null where nothing was pushed.
 */
export function expectedHeight(heads: readonly PushedHead[]): number | null {
  const byProvider = new Map<string, number>()
  for (const { provider, height } of heads)
    byProvider.set(provider, Math.max(height, byProvider.get(provider) ?? 0))
  const heights = [...byProvider.values()].toSorted((one, other) => other - one)
  return heights[heights.length >= enoughProviders ? 1 : 0] ?? null
}

/** How far apart (ms) good nodes push the same block. */
const usualDelayMs = 2_000

/** Returns by how many blocks a head may be behind before that is worth a probe. */
export const tolerableLag = (enterBlocks: number, blockMs: number): number =>
  Math.max(enterBlocks, Math.ceil(usualDelayMs / blockMs))

/** Returns after how many ms without a new head a node may have stopped; null where its chain may just be idle. */
export const longestSilenceMs = (
  enterSec: number,
  { blockMs, headAge }: { readonly blockMs: number; readonly headAge: string },
): number | null => (headAge === 'slot' ? Math.max(5 * blockMs, enterSec * 1_000) : null)
