import { isDeepStrictEqual } from 'node:util'

import type { Chain } from '../../../shared/chains.ts'
import type { Policy } from '../../../shared/health.ts'
import {
  type ChainParams,
  type HeadObservation,
  type ReferenceHead,
  chainParams,
  referenceOfRounds,
  usableHeads,
} from '../decide/reference-head.ts'
import { type CheckpointHash, findForks, noForks } from '../decide/fork.ts'
import {
  type Gap,
  type PeerComparison,
  followGap,
  isGrowing,
  referenceOfOneProvider,
} from '../decide/low-trust.ts'
import { type RoundReference, type View, chooseView } from '../decide/stale-view.ts'
import { type ChainProgress, followProgress } from '../decide/stall.ts'

/** The combined knowledge of all verifiers about one chain. */
export interface ChainView {
  readonly chain: Chain
  readonly params: ChainParams
  /** The reference head over the latest rounds of all verifiers; null before the first round. */
  readonly reference: ReferenceHead | null
  readonly isStalled: boolean
  /** The distance of the only two voices, from the verifier that sees the most of it; null while they are close. */
  readonly gap: Gap | null
  /**
   * Adds a verifier's round and returns the reference to measure its heads by; null without a usable head.
   * A round that began before the verifier's latest one is measured, but does not replace it.
   */
  takeRound(
    verifierId: string,
    at: number,
    heads: readonly HeadObservation[],
    thresholds: Thresholds,
  ): View | null
  /**
   * Returns what the heads of a verifier's round are compared with where no three providers are watched; null where
   * three are, and for a head that is alone.
   */
  comparePeers(
    verifierId: string,
    at: number,
    heads: readonly HeadObservation[],
    thresholds: Thresholds,
  ): PeerComparison | null
  /** Stores the hashes that a verifier saw at one final height. They are valid until its next checkpoint. */
  takeCheckpoint(verifierId: string, hashes: readonly CheckpointHash[]): void
  /** Returns the ids of the services that follow a fork, according to this verifier. */
  forked(verifierId: string): ReadonlySet<string>
  /** Returns the newest head of a service by each verifier that has reported one of late. */
  headsOf(serviceId: string): HeadObservation[]
  /** Returns the reference over these heads alone, and stores nothing; null where none is usable. */
  referenceOf(heads: readonly HeadObservation[]): ReferenceHead | null
  forget(verifierId: string): void
}

/** Thresholds that are derived from the policies of a round's services. */
export type Thresholds = Pick<Policy, 'enterBlocks' | 'freshMs'>

interface VerifierRound extends RoundReference {
  /** The usable heads, one for each service. */
  readonly heads: readonly HeadObservation[]
  readonly keptUntil: number
}

/** Shortest time between two joint references (ms), which grows with the chain: for a large one each costs 1 ms. */
const minJoinGapMs = 1_000
const joinGapMsPerHead = 1

export function createChainView(chain: Chain): ChainView {
  const params = chainParams(chain)
  const rounds = new Map<string, VerifierRound>()
  const forks = new Map<string, ReadonlySet<string>>()
  const gaps = new Map<string, Gap | null>()
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
    get gap() {
      if (reference?.isCorroborated) return null
      const known = Array.from(gaps.values()).filter((gap) => gap !== null)
      return known.toSorted((one, other) => other.blocks - one.blocks)[0] ?? null
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
    comparePeers(verifierId, at, seen, { enterBlocks }) {
      if (reference?.isCorroborated || seen.length < 2) return null
      const heads = usableHeads(seen, params)
      const gap = followGap(gaps.get(verifierId) ?? null, heads, at, enterBlocks, params)
      gaps.set(verifierId, gap)
      const growing = gap !== null && isGrowing(gap, at) ? gap : null
      return { reference: referenceOfOneProvider(heads, params), gap: growing }
    },
    takeCheckpoint(verifierId, hashes) {
      forks.set(verifierId, findForks(hashes).forked)
    },
    forked: (verifierId) => forks.get(verifierId) ?? noForks,
    headsOf: (serviceId) =>
      Array.from(rounds.values(), ({ heads }) => heads.find((head) => head.serviceId === serviceId)).filter(
        (head) => head !== undefined,
      ),
    referenceOf: (heads) => referenceOfRounds([usableHeads(heads, params)], params),
    forget(verifierId) {
      rounds.delete(verifierId)
      forks.delete(verifierId)
      gaps.delete(verifierId)
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
