/**
 * Returns the height at which the services of a chain are compared: so far below their lower median head that an honest node's
 * block is final there. Null without heads, or where the chain is not that long yet.
 */
export function checkpointHeight(heights: readonly number[], finalityDepth: number): number | null {
  const sorted = heights.toSorted((left, right) => left - right)
  const median = sorted[Math.floor((sorted.length - 1) / 2)]
  if (median === undefined) return null
  const height = median - finalityDepth
  return height >= 0 ? height : null
}

/** The last deep probe of a chain. Instants are milliseconds of one monotonic clock. */
export interface DeepMemory {
  chosenAt: number
  height: number | null
  collectedAt: number
  /** The services that were asked in the last collection, each with its address. */
  asked: ReadonlySet<string>
}

export type DeepStep =
  | { kind: 'none' }
  /** A new height is chosen and every service is asked. */
  | { kind: 'renew' }
  /** Every service is asked again at the same height: a newcomer's hash only means something beside the others'. */
  | { kind: 'repeat'; height: number | null; chosenAt: number }

const shortestRepeatMs = 30_000

/** Decides whether this round includes a deep probe. `answering` holds the services that answered in this round. */
export function deepStep(
  memory: DeepMemory | undefined,
  answering: ReadonlySet<string>,
  deepIntervalMs: number,
  now: number,
): DeepStep {
  if (answering.size === 0) return { kind: 'none' }
  if (!memory || now - memory.chosenAt >= deepIntervalMs) return { kind: 'renew' }
  const hasNewcomer = !answering.isSubsetOf(memory.asked)
  const mayRepeat = now - memory.collectedAt >= shortestRepeatMs
  if (!hasNewcomer || !mayRepeat) return { kind: 'none' }
  return { kind: 'repeat', height: memory.height, chosenAt: memory.chosenAt }
}

/** Returns whether the answered genesis hash contradicts the chain's. A missing hash contradicts nothing. */
export const isWrongGenesis = (answered: string | null, expected: string | null): boolean =>
  answered !== null && expected !== null && answered.toLowerCase() !== expected.toLowerCase()
