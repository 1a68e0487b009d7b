import type { ChainParams, ReferenceHead } from './reference-head.ts'

/** The progress of a chain's reference head. */
export interface ChainProgress {
  readonly highest: number
  /** Epoch ms at which `highest` was first seen. */
  readonly raisedAt: number
  /** Advisory: the chain itself produces no blocks. Its services stay UP, because none of them is behind. */
  readonly isStalled: boolean
}

const stallBlocks = 10
const stallMinMs = 300_000

/**
 * Follows the reference of a chain; `previous` is null at first, `reference` where no head is known. A
 * chain is stalled when its corroborated reference is older than ten blocks (at least 300 s) and has not
 * risen for as long: an old reference that still rises belongs to a chain that catches up. Chains that make
 * blocks on demand never are.
 */
export function followProgress(
  previous: ChainProgress | null,
  reference: ReferenceHead | null,
  now: number,
  params: ChainParams,
): ChainProgress | null {
  if (reference === null || !reference.isCorroborated) {
    return previous === null ? null : { ...previous, isStalled: false }
  }
  const hasRisen = previous === null || reference.height > previous.highest
  const highest = hasRisen ? reference.height : previous.highest
  const raisedAt = hasRisen ? now : previous.raisedAt

  const limitMs = Math.max(stallBlocks * params.blockMs, stallMinMs)
  const isOld = now - reference.timestamp * 1000 > limitMs
  const isMoving = now - raisedAt <= limitMs
  const makesBlocksUnasked = params.movesByItself ?? params.headAgeGraceSec !== null
  return { highest, raisedAt, isStalled: makesBlocksUnasked && isOld && !isMoving }
}
