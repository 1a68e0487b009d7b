import type { Chain } from '../../shared/chains.ts'
import type { ReportBatch, Round } from '../../shared/verifier-protocol.ts'
import type { SteadyClock } from '../platform/steady-clock.ts'
import type { Board, BoardObservation } from './board.ts'
import type { ChainView } from './chain-views.ts'
import { createChainView } from './chain-views.ts'
import type { Recorder } from './history/recorder.ts'
import { headsOf, readCheckpoint, readRound, toBoard } from './rounds.ts'
import type { Instants, ReadObservation } from './rounds.ts'
import type { Catalogue } from './services/catalogue.ts'
import type { ListedVerifier } from './verifiers/directory.ts'

/** Turns batches that were let in into observations on the board and into history. */
export interface Ingest {
  accept(verifier: ListedVerifier, batch: ReportBatch, receivedAt: number): void
  view(chain: string): ChainView | undefined
  views(): IterableIterator<ChainView>
  forgetVerifier(verifier: ListedVerifier): void
  /** Chains were added or changed: their views begin anew. */
  resetViews(): void
}

interface IngestOptions {
  catalogue: Catalogue
  board: Board
  recorder: Pick<Recorder, 'measured'>
  findChain: (key: string) => Chain | undefined
  clock: SteadyClock
  /** A service has a new observation. */
  touched: (slot: number) => void
}

export function createIngest(options: IngestOptions): Ingest {
  const { catalogue, board, recorder, findChain, clock, touched } = options
  const views = new Map<string, ChainView>()

  function viewOf(chainKey: string): ChainView | undefined {
    const known = views.get(chainKey)
    if (known) return known
    const chain = findChain(chainKey)
    if (!chain) return undefined
    const view = createChainView(chain)
    views.set(chainKey, view)
    return view
  }

  function acceptRound(verifier: ListedVerifier, round: Round, services: string[], instants: Instants): void {
    const observations = readRound(round, services, catalogue.find, instants.now)
    const first = observations[0]
    if (!first) return
    if (round.chain === null) {
      for (const observation of observations)
        put(verifier, observation, toBoard(observation, false, null, null, instants))
      return
    }
    const view = viewOf(round.chain)
    if (!view) return
    const verifierId = verifier.verifier.id
    if (round.checkpoint) {
      view.takeCheckpoint(verifierId, readCheckpoint(round.checkpoint, services, catalogue.find, view.chain))
    }
    const heads = headsOf(observations, verifierId, instants)
    const chosen = view.takeRound(verifierId, instants.now - round.ageMs, heads, first.listed.service.policy)
    verifier.hasStaleView = chosen?.kind === 'stale'
    const reference = chosen?.reference ?? view.reference
    for (const observation of observations) {
      const isForked = view.isForked(verifierId, observation.listed.service.id)
      put(verifier, observation, toBoard(observation, isForked, reference, view.params, instants))
    }
  }

  function put(verifier: ListedVerifier, { listed }: ReadObservation, observation: BoardObservation): void {
    recorder.measured(listed.service.id, observation)
    if (board.write(listed.slot, verifier.column, observation)) touched(listed.slot)
  }

  /** Observations that come too late for any decision are history all the same. */
  function recordBackfill(batch: ReportBatch, receivedAt: number): void {
    for (const round of batch.rounds) {
      for (const observation of readRound(round, batch.services, catalogue.find, receivedAt)) {
        recorder.measured(observation.listed.service.id, { ...observation, lagBlocks: 0, lagSec: 0 })
      }
    }
  }

  return {
    accept(verifier, batch, receivedAt) {
      verifier.isIsolated = batch.isolated
      if (batch.isolated) {
        board.clearColumn(verifier.column)
        return
      }
      if (batch.backfill) {
        recordBackfill(batch, receivedAt)
        return
      }
      const instants = { now: receivedAt, earliest: clock.earliest(), latest: clock.latest() }
      for (const round of batch.rounds) acceptRound(verifier, round, batch.services, instants)
    },
    view: (chain) => views.get(chain),
    views: () => views.values(),
    forgetVerifier(verifier) {
      board.clearColumn(verifier.column)
      for (const view of views.values()) view.forget(verifier.verifier.id)
    },
    resetViews: () => views.clear(),
  }
}
