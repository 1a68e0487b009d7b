import { isDeepStrictEqual } from 'node:util'

import type { Chain } from '../../shared/chains.ts'
import type { ReportBatch, Round } from '../../shared/verifier-protocol.ts'
import type { SteadyClock } from '../platform/steady-clock.ts'
import type { Board, BoardObservation } from './board.ts'
import type { ChainView } from './chain-views.ts'
import { createChainView, noForks } from './chain-views.ts'
import { ascending, lowerMedian } from './decide/median.ts'
import type { ReferenceHead } from './decide/reference-head.ts'
import type { Recorder } from './history/recorder.ts'
import { headsOf, readCheckpoint, readRound, toBoard } from './rounds.ts'
import type { Instants, ReadObservation } from './rounds.ts'
import type { Catalogue, ListedService } from './services/catalogue.ts'
import { createServiceFinder } from './services/finder.ts'
import type { ListedVerifier } from './verifiers/directory.ts'

/** Turns batches that were let in into observations on the board and into history. */
export interface Ingest {
  accept(verifier: ListedVerifier, batch: ReportBatch, receivedAt: number): void
  view(chain: string): ChainView | undefined
  views(): IterableIterator<ChainView>
  forgetVerifier(verifier: ListedVerifier): void
  /** Chains may have changed: the views of those that did begin anew. */
  chainsChanged(): void
  /** Everything that was seen is forgotten, for instants of before mean nothing any more. */
  clear(): void
}

interface IngestOptions {
  catalogue: Catalogue
  board: Board
  recorder: Pick<Recorder, 'measured'>
  findChain: (key: string) => Chain | undefined
  clock: SteadyClock
  /** A service has a new observation in place of the last one of the same verifier. */
  observed: (listed: ListedService, last: BoardObservation | null, seen: BoardObservation) => void
  /** Many services have lost one. */
  touchedAll: () => void
}

/** What an offline verifier keeps for us, and some time for the way. Older claims are nobody's, and have no partition. */
const oldestMs = 3_600_000 + 300_000

export function createIngest(options: IngestOptions): Ingest {
  const { catalogue, board, recorder, findChain, clock, observed, touchedAll } = options
  const views = new Map<string, ChainView>()
  const finder = createServiceFinder(catalogue)

  function viewOf(chainKey: string): ChainView | undefined {
    const known = views.get(chainKey)
    if (known) return known
    const chain = findChain(chainKey)
    if (!chain) return undefined
    const view = createChainView(chain)
    views.set(chainKey, view)
    return view
  }

  function read(round: Round, { services }: ReportBatch, { verifier }: ListedVerifier, receivedAt: number) {
    const ids = round.obs.map(([index]) => services[index] ?? '')
    return readRound(round, finder.find(round.chain ?? '', ids), verifier.families, receivedAt)
  }

  /** What the chain's verifiers know together, the round among it, and the reference to measure the round by. */
  function follow(view: ChainView, { verifier, round, services, observations, instants }: SeenRound) {
    const { id } = verifier.verifier
    if (round.checkpoint) {
      view.takeCheckpoint(id, readCheckpoint(round.checkpoint, services, catalogue.find, view.chain))
    }
    const startedAt = instants.now - round.ageMs
    const chosen = view.takeRound(
      id,
      startedAt,
      headsOf(observations, id, instants),
      thresholdsOf(observations),
    )
    if (chosen?.kind === 'stale') verifier.staleChains.add(view.chain.key)
    else verifier.staleChains.delete(view.chain.key)
    return chosen?.reference ?? view.reference
  }

  function countRound(round: SeenRound, view: ChainView | null): void {
    const reference = view && follow(view, round)
    const { column } = round.verifier
    measureRound(round, view, reference, (listed, seen) => {
      recorder.measured(listed.service.id, seen)
      const last = board.read(listed.slot, column)
      if (board.write(listed.slot, column, seen)) observed(listed, last, seen)
    })
  }

  /** Too late for any decision, but history all the same; the chain has moved on, so the round measures itself. */
  function recordRound(round: SeenRound, view: ChainView | null): void {
    const { observations, instants, verifier } = round
    const reference = view && view.referenceOf(headsOf(observations, verifier.verifier.id, instants))
    measureRound(round, view, reference, (listed, seen) => recorder.measured(listed.service.id, seen))
  }

  function setIsolated(verifier: ListedVerifier, isIsolated: boolean): void {
    if (isIsolated === verifier.isIsolated) return
    verifier.isIsolated = isIsolated
    if (!isIsolated) return
    board.clearColumn(verifier.column)
    touchedAll()
  }

  return {
    accept(verifier, batch, receivedAt) {
      // Backfill tells how things were: the verifier may have been cut off then, or may be now.
      if (!batch.backfill) setIsolated(verifier, batch.isolated)
      if (batch.isolated) return
      const { services } = batch
      const instants = { now: receivedAt, earliest: clock.earliest(), latest: clock.latest() }
      for (const round of batch.rounds) {
        if (round.ageMs > oldestMs) continue
        const view = round.chain === null ? null : viewOf(round.chain)
        if (view === undefined) continue
        const observations = read(round, batch, verifier, receivedAt)
        if (observations.length === 0) continue
        const seen = { verifier, round, services, observations, instants }
        if (batch.backfill || round.ageMs > thresholdsOf(observations).freshMs) recordRound(seen, view)
        else countRound(seen, view)
      }
    },
    view: (chain) => views.get(chain),
    views: () => views.values(),
    forgetVerifier(verifier) {
      board.clearColumn(verifier.column)
      for (const view of views.values()) view.forget(verifier.verifier.id)
    },
    chainsChanged() {
      for (const [key, { chain }] of views) {
        if (!isDeepStrictEqual(chain, findChain(key))) views.delete(key)
      }
    },
    clear() {
      views.clear()
      for (const { slot } of catalogue.all()) board.clearSlot(slot)
    },
  }
}

/** A round with everything that is needed to measure it. */
interface SeenRound {
  readonly verifier: ListedVerifier
  readonly round: Round
  readonly services: readonly string[]
  readonly observations: readonly ReadObservation[]
  readonly instants: Instants
}

/** Services of one round may have policies of their own: no single one of them may set the measure for the others. */
function thresholdsOf(observations: readonly ReadObservation[]): { enterBlocks: number; freshMs: number } {
  const policies = observations.map(({ listed }) => listed.service.policy)
  return {
    enterBlocks: lowerMedian(policies.map(({ enterBlocks }) => enterBlocks).sort(ascending)),
    freshMs: policies.reduce((longest, { freshMs }) => Math.max(longest, freshMs), 0),
  }
}

function measureRound(
  { observations, verifier, instants }: SeenRound,
  view: ChainView | null,
  reference: ReferenceHead | null,
  visit: (listed: ListedService, seen: BoardObservation) => void,
): void {
  const forked = view?.forked(verifier.verifier.id) ?? noForks
  const params = view?.params ?? null
  for (const observation of observations) {
    const { listed } = observation
    visit(listed, toBoard(observation, forked.has(listed.service.id), reference, params, instants))
  }
}
