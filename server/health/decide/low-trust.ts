import type { ChainParams, Head, HeadObservation, ReferenceHead } from './reference-head.ts'
import { byHeight, eligibleHeight, highestPerProvider, referenceOfRounds } from './reference-head.ts'
import { voicesOf } from './voices.ts'

/**
 * What can be said of lag where fewer than three providers are watched, from one verifier's rounds. Too little to call
 * a service DOWN, for whoever is ahead may be lying, but enough for LATENCY: nodes of one provider follow one another,
 * and of two providers the one that falls further and further behind is the one that stands still.
 */

/** Two voices of a chain that disagree, and for how long they have drifted apart. */
export interface Gap {
  /** Who is behind: a provider, or a service where there is one provider. */
  readonly lower: string
  readonly since: number
  /** When they were compared last. */
  readonly at: number
  /** The distance in blocks when it was first seen. */
  readonly firstBlocks: number
  readonly blocks: number
  readonly higher: Head
}

/** How long (ms) a gap must grow before the lower one counts as behind. */
const gapHoldMs = 30_000

/** Follows the distance between the only two voices of a chain; null while there are more, fewer, or no distance. */
export function followGap(
  previous: Gap | null,
  heads: readonly HeadObservation[],
  now: number,
  enterBlocks: number,
  params: ChainParams,
): Gap | null {
  const [lowest, higher, ...others] = highestPerProvider(voicesOf(heads)).sort(byHeight)
  if (lowest === undefined || higher === undefined || others.length > 0) return null
  const lower = lowest.provider
  const blocks = higher.height - lowest.height
  const isPlausible = higher.height <= eligibleHeight(lowest, higher.timestamp, higher.at, params)
  if (blocks <= enterBlocks || !isPlausible) return null
  if (previous === null || previous.lower !== lower || blocks < previous.blocks)
    return { lower, since: now, at: now, firstBlocks: blocks, blocks, higher }
  return { ...previous, at: now, blocks, higher }
}

/** Returns whether the gap has grown for long enough to be no chance. */
export const isGrowing = (gap: Gap, now: number): boolean =>
  now - gap.since >= gapHoldMs && gap.blocks > gap.firstBlocks

/** Returns the reference over three or more services of a single provider; null where there are fewer, or several providers. */
export function referenceOfOneProvider(
  heads: readonly HeadObservation[],
  params: ChainParams,
): ReferenceHead | null {
  const voices = voicesOf(heads)
  if (voices === heads) return null
  const reference = referenceOfRounds([voices], params)
  return reference?.isCorroborated ? reference : null
}

/** What the heads of a round with fewer than three providers are compared with besides their age. */
export interface PeerComparison {
  /** The reference over the services of the only provider. */
  readonly reference: ReferenceHead | null
  /** The head of the one ahead, for the one that falls further and further behind. */
  readonly gap: Gap | null
}

/** Returns how many blocks a service is behind its peers. */
export function blocksBehindPeers(
  service: { readonly id: string; readonly provider: string },
  head: Head,
  { reference, gap }: PeerComparison,
): number {
  const ahead = reference?.height ?? (isLower(service, gap) ? gap.higher.height : head.height)
  return Math.max(0, ahead - head.height)
}

/** Returns whether it is this service that is behind. */
export const isLower = (
  { id, provider }: { readonly id: string; readonly provider: string },
  gap: Gap | null,
): gap is Gap => gap !== null && (gap.lower === provider || gap.lower === id)
