import type { Chain } from '../../shared/chains.ts'
import type { Policy } from '../../shared/health.ts'
import type { ChainParams } from './decide/chain-params.ts'
import { chainParams } from './decide/chain-params.ts'
import { findForks } from './decide/fork.ts'
import type { CheckpointHash } from './decide/fork.ts'
import { referenceHead } from './decide/reference-head.ts'
import type { HeadObservation, ReferenceHead } from './decide/reference-head.ts'
import type { RoundReference, View } from './decide/stale-view.ts'
import { chooseView } from './decide/stale-view.ts'
import { followProgress } from './decide/stall.ts'
import type { ChainProgress } from './decide/stall.ts'

/** What all verifiers together know about one chain. */
export interface ChainView {
  readonly chain: Chain
  readonly params: ChainParams
  /** Reference over the latest rounds of all verifiers; null before the first. */
  readonly reference: ReferenceHead | null
  readonly isStalled: boolean
  /**
   * Takes a verifier's round and tells by which reference its heads are to be measured; null without a usable head.
   * A round that began before the one it is known by is measured, but does not take its place.
   */
  takeRound(
    verifierId: string,
    at: number,
    heads: readonly HeadObservation[],
    thresholds: Thresholds,
  ): View | null
  /** Takes the hashes that a verifier saw at one final height. They hold until its next checkpoint. */
  takeCheckpoint(verifierId: string, hashes: readonly CheckpointHash[]): void
  isForked(verifierId: string, serviceId: string): boolean
  /** The reference of some heads by themselves; null where none is usable. Changes nothing. */
  referenceOf(heads: readonly HeadObservation[]): ReferenceHead | null
  forget(verifierId: string): void
}

/** Of the policies of a round's services. */
type Thresholds = Pick<Policy, 'enterBlocks' | 'freshMs'>

interface VerifierRound extends RoundReference {
  readonly heads: readonly HeadObservation[]
  readonly keptUntil: number
}

const noForks: ReadonlySet<string> = new Set()

/** The joint reference of a large chain costs a millisecond, and verifiers report many times a second: it waits longer. */
const minJoinGapMs = 1_000
const joinGapMsPerHead = 1

export function createChainView(chain: Chain): ChainView {
  const params = chainParams(chain)
  const rounds = new Map<string, VerifierRound>()
  const forks = new Map<string, ReadonlySet<string>>()
  let reference: ReferenceHead | null = null
  let progress: ChainProgress | null = null
  let nextJoinAt = Number.NEGATIVE_INFINITY

  /** Rounds are kept no longer than they count, so the window has no bounds. */
  const referenceOf = (heads: readonly HeadObservation[]): ReferenceHead | null =>
    referenceHead(heads, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, params)

  function joinRounds(now: number): void {
    if (reference !== null && now < nextJoinAt) return
    const heads: HeadObservation[] = []
    for (const [verifierId, round] of rounds) {
      if (now > round.keptUntil) rounds.delete(verifierId)
      else heads.push(...round.heads)
    }
    nextJoinAt = now + Math.max(minJoinGapMs, heads.length * joinGapMsPerHead)
    reference = referenceOf(heads)
    progress = followProgress(progress, reference, now, params)
  }

  return {
    chain,
    params,
    get reference() {
      return reference
    },
    get isStalled() {
      return progress?.isStalled ?? false
    },
    takeRound(verifierId, at, heads, { enterBlocks, freshMs }) {
      const own = referenceOf(heads)
      if (own === null) return null
      const round: VerifierRound = { verifierId, at, reference: own, heads, keptUntil: at + freshMs }
      if (at >= (rounds.get(verifierId)?.at ?? at)) rounds.set(verifierId, round)
      joinRounds(at)
      return chooseView(round, { rounds: [...rounds.values()], global: reference }, enterBlocks, params)
    },
    takeCheckpoint(verifierId, hashes) {
      forks.set(verifierId, findForks(hashes).forked)
    },
    isForked: (verifierId, serviceId) => (forks.get(verifierId) ?? noForks).has(serviceId),
    referenceOf,
    forget(verifierId) {
      rounds.delete(verifierId)
      forks.delete(verifierId)
    },
  }
}
