import { isDeepStrictEqual } from 'node:util'

import type { Chain } from '../../../shared/chains.ts'
import type { Policy } from '../../../shared/health.ts'
import type { ChainParams } from '../decide/plausible-head.ts'
import { chainParams } from '../decide/plausible-head.ts'
import { findForks } from '../decide/fork.ts'
import type { CheckpointHash } from '../decide/fork.ts'
import { referenceOfRounds, usableHeads } from '../decide/reference-head.ts'
import type { HeadObservation, ReferenceHead } from '../decide/reference-head.ts'
import type { RoundReference, View } from '../decide/stale-view.ts'
import { chooseView } from '../decide/stale-view.ts'
import { followProgress } from '../decide/stall.ts'
import type { ChainProgress } from '../decide/stall.ts'

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
  /** The services that follow a fork, as this verifier sees them. */
  forked(verifierId: string): ReadonlySet<string>
  /** The reference of a verifier's heads by themselves; null where none is usable. Changes nothing. */
  referenceOf(heads: readonly HeadObservation[]): ReferenceHead | null
  forget(verifierId: string): void
}

/** Of the policies of a round's services. */
type Thresholds = Pick<Policy, 'enterBlocks' | 'freshMs'>

interface VerifierRound extends RoundReference {
  /** Usable ones, one for each service. */
  readonly heads: readonly HeadObservation[]
  readonly keptUntil: number
}

export const noForks: ReadonlySet<string> = new Set()

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

  function joinRounds(now: number): void {
    if (reference !== null && now < nextJoinAt) return
    for (const [verifierId, round] of rounds) {
      if (now > round.keptUntil) rounds.delete(verifierId)
    }
    const heads = Array.from(rounds.values(), (round) => round.heads)
    const count = heads.reduce((sum, { length }) => sum + length, 0)
    nextJoinAt = now + Math.max(minJoinGapMs, count * joinGapMsPerHead)
    reference = referenceOfRounds(heads, params)
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
    takeRound(verifierId, at, seen, { enterBlocks, freshMs }) {
      const heads = usableHeads(seen, params)
      const own = referenceOfRounds([heads], params)
      if (own === null) return null
      const round: VerifierRound = { verifierId, at, reference: own, heads, keptUntil: at + freshMs }
      if (at >= (rounds.get(verifierId)?.at ?? at)) rounds.set(verifierId, round)
      joinRounds(at)
      return chooseView(round, { rounds: [...rounds.values()], global: reference }, enterBlocks, params)
    },
    takeCheckpoint(verifierId, hashes) {
      forks.set(verifierId, findForks(hashes).forked)
    },
    forked: (verifierId) => forks.get(verifierId) ?? noForks,
    referenceOf: (heads) => referenceOfRounds([usableHeads(heads, params)], params),
    forget(verifierId) {
      rounds.delete(verifierId)
      forks.delete(verifierId)
    },
  }
}

/** The view of each chain that a verifier has reported on. */
export interface ChainViews {
  /** Returns the view of a chain and creates it at the first report; undefined for a chain that nobody configured. */
  open(chainKey: string): ChainView | undefined
  find(chainKey: string): ChainView | undefined
  all(): IterableIterator<ChainView>
  forget(verifierId: string): void
  /** Discards the views of chains whose settings have changed. */
  chainsChanged(): void
  clear(): void
}

export function createChainViews(findChain: (key: string) => Chain | undefined): ChainViews {
  const views = new Map<string, ChainView>()
  return {
    open(chainKey) {
      const known = views.get(chainKey)
      if (known) return known
      const chain = findChain(chainKey)
      if (!chain) return undefined
      const view = createChainView(chain)
      views.set(chainKey, view)
      return view
    },
    find: (chainKey) => views.get(chainKey),
    all: () => views.values(),
    forget(verifierId) {
      for (const view of views.values()) view.forget(verifierId)
    },
    chainsChanged() {
      for (const [key, { chain }] of views) {
        if (!isDeepStrictEqual(chain, findChain(key))) views.delete(key)
      }
    },
    clear: () => views.clear(),
  }
}
