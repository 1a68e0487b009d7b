import type { ChainParams, ReferenceHead } from './reference-head.ts'
import { ascending, lowerMedian } from './median.ts'

/** Reference head of one verifier's round; `at` in epoch ms of the server. */
export interface RoundReference {
  readonly verifierId: string
  readonly at: number
  readonly reference: ReferenceHead
}

/** The reference that a verifier's heads are to be measured by. */
export type View =
  | { readonly kind: 'own'; readonly reference: ReferenceHead }
  | { readonly kind: 'stale'; readonly reference: ReferenceHead; readonly behindBlocks: number }

/** The rounds that a view is compared with. */
export interface OtherViews {
  /** Latest round of every verifier; whether `own` is among them makes no difference. */
  readonly rounds: readonly RoundReference[]
  /** Reference over the rounds of all verifiers together, where there is one. */
  readonly global: ReferenceHead | null
}

/**
 * A verifier that sits behind a caching proxy, or is eclipsed, sees every service at the same old head and
 * would call all of them healthy. Its view is stale if its reference is more than `enterBlocks` below the
 * median of all verifiers'. Uncorroborated references are no evidence: they neither count nor are compared.
 */
export function chooseView(
  own: RoundReference,
  others: OtherViews,
  enterBlocks: number,
  params: ChainParams,
): View {
  if (others.global === null || !own.reference.isCorroborated)
    return { kind: 'own', reference: own.reference }

  const heights = [own.reference.height]
  for (const round of others.rounds) {
    if (round.verifierId === own.verifierId || !round.reference.isCorroborated) continue
    heights.push(heightAt(own.at, round, params))
  }
  const behindBlocks = Math.floor(lowerMedian(heights.sort(ascending)) - own.reference.height)
  if (behindBlocks <= enterBlocks) return { kind: 'own', reference: own.reference }
  return { kind: 'stale', reference: others.global, behindBlocks }
}

/**
 * Height that a round would have seen at another instant: rounds are not simultaneous, and fast chains move
 * between.
 */
function heightAt(at: number, round: RoundReference, params: ChainParams): number {
  const movesByItself = params.movesByItself ?? params.headAgeGraceSec !== null
  return round.reference.height + (movesByItself ? (at - round.at) / params.blockMs : 0)
}
