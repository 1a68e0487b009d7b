import type { Policy } from '../../../shared/health.ts'
import type { ReportBatch, Round } from '../../../shared/verifier-protocol.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import type { ObservationTable } from './observation-table.ts'
import { type LatestObservation, noMemory } from './latest-observation.ts'
import type { ChainView, ChainViews, Thresholds } from './chain-view.ts'
import { noForks } from '../decide/fork.ts'
import { effectiveObservation } from './effective-observation.ts'
import type { SeenObservation } from './effective-observation.ts'
import { ascending, lowerMedian } from '../decide/median.ts'
import type { ReportedFacts } from './facts.ts'
import type { Recorder } from '../history/recorder.ts'
import { headForksOf, headsOf, readCheckpoint, readRound, measureObservation } from './probe-rounds.ts'
import type { ClockBounds, HeadMeasure, ReportedObservation } from './probe-rounds.ts'
import type { Catalogue, ListedService } from '../services/catalogue.ts'
import type { ActiveVerifier } from '../verifiers/active-verifiers.ts'

/** Turns accepted batches into observations in the table and into history. */
export interface Ingest {
  /**
   * Returns how many observations say nothing to this installation: of services or chains that are not known (any more), of
   * another family than the verifier enrolled with, or of a round that is too old.
   */
  accept(verifier: ActiveVerifier, batch: ReportBatch, receivedAt: number): number
  /** Discards the observations, rounds and facts of a verifier that was revoked or switched off. */
  forgetVerifier(verifier: ActiveVerifier): void
}

interface IngestOptions {
  catalogue: Catalogue
  table: ObservationTable
  recorder: Pick<Recorder, 'measured'>
  chainViews: ChainViews
  facts: Pick<ReportedFacts, 'put' | 'addressSince' | 'forgetVerifier'>
  clock: SteadyClock
  /** Is called for each new observation that replaces an older one of the same verifier. */
  observed: (listed: ListedService, last: LatestObservation | null, seen: LatestObservation) => void
  /** Is called when a verifier became isolated, so that many services have lost an observation. */
  markAllDue: () => void
}

/** Rounds older than this (ms) are ignored: an offline verifier buffers one hour, and history has no older partition. */
const oldestMs = 3_600_000 + 300_000

export function createIngest(options: IngestOptions): Ingest {
  const { catalogue, table, recorder, chainViews, facts, clock, observed, markAllDue } = options
  const finder = createServiceFinder(catalogue)

  function read(round: Round, { services }: ReportBatch, { verifier }: ActiveVerifier, receivedAt: number) {
    const ids = round.obs.map(([index]) => services[index] ?? '')
    return readRound(round, finder.find(round.chain ?? '', ids), verifier.families, receivedAt)
  }

  /** Adds the round to its chain's view and returns what to measure its heads by. */
  function follow(
    view: ChainView,
    { verifier, round, services, observations, thresholds, instants }: ReceivedRound,
  ): HeadMeasure {
    const { id } = verifier.verifier
    if (round.checkpoint) {
      view.takeCheckpoint(id, readCheckpoint(round.checkpoint, services, catalogue.find, view.chain))
    }
    const startedAt = instants.now - round.ageMs
    const heads = headsOf(observations, id, instants)
    const chosen = view.takeRound(id, startedAt, heads, thresholds)
    if (chosen?.kind === 'stale') verifier.staleChains.add(view.chain.key)
    else verifier.staleChains.delete(view.chain.key)
    const peers = view.comparePeers(id, startedAt, heads, thresholds)
    return { params: view.params, reference: chosen?.reference ?? view.reference, peers }
  }

  /** The services of a retest are too few to be a reference for each other: the chain's own is theirs. */
  function measureFor(view: ChainView, received: ReceivedRound): HeadMeasure {
    const { params, reference } = view
    return received.round.retest ? { params, reference, peers: null } : follow(view, received)
  }

  function applyLiveRound(round: ReceivedRound, view: ChainView | null): void {
    const measure = view && measureFor(view, round)
    const { column } = round.verifier
    measureRound(round, view, measure, (listed, seen) => {
      record(listed, seen)
      const { slot, service } = listed
      const last = table.read(slot, column)
      if (isGood(seen, service.policy) && table.writeGood(slot, column, seen)) {
        observed(listed, last, seen)
        return
      }
      const next =
        last !== null && hasMovedBetween(facts.addressSince(service.id), last, seen)
          ? effectiveObservation(null, noMemory, seen, service.policy)
          : effectiveObservation(last, table.memory(slot, column), seen, service.policy)
      if (next && table.write(slot, column, next.observation, next.memory)) {
        observed(listed, last, next.observation)
      }
    })
  }

  /** Adds a probe to history, if it was made. */
  function record(listed: ListedService, seen: LatestObservation): void {
    if (seen.error !== 'PAUSED') recorder.measured(listed, seen)
  }

  /** Records a round that is too late for any decision. The chain has moved on, so the round's own heads are its reference. */
  function recordLateRound(round: ReceivedRound, view: ChainView | null): void {
    const { observations, instants, verifier } = round
    const measure = view && {
      params: view.params,
      reference: view.referenceOf(headsOf(observations, verifier.verifier.id, instants)),
      peers: null,
    }
    measureRound(round, view, measure, record)
  }

  function setIsolated(verifier: ActiveVerifier, isIsolated: boolean): void {
    if (isIsolated === verifier.isIsolated) return
    verifier.isIsolated = isIsolated
    if (!isIsolated) return
    table.clearColumn(verifier.column)
    markAllDue()
  }

  /** Takes the facts of services that the round observed, which are those that the verifier may speak of. */
  function takeFacts({ verifier, round, services, observations, instants }: ReceivedRound): void {
    if (round.facts === undefined) return
    const at = instants.now - round.ageMs
    const spokenOf = new Set(observations.map(({ listed }) => listed.service.id))
    for (const [index, found] of round.facts) {
      const id = services[index]
      if (id !== undefined && spokenOf.has(id)) facts.put(id, verifier.verifier.id, found, at)
    }
  }

  return {
    accept(verifier, batch, receivedAt) {
      // Backfill describes the past: whether the verifier was isolated then says nothing about now.
      if (!batch.backfill) setIsolated(verifier, batch.isolated)
      if (batch.isolated) return 0
      const { services } = batch
      const instants = { now: receivedAt, earliest: clock.earliest(), latest: clock.latest() }
      let ignored = 0
      for (const round of batch.rounds) {
        const view = round.chain === null ? null : chainViews.open(round.chain)
        const isOfUse = view !== undefined && round.ageMs <= oldestMs
        const observations = isOfUse ? read(round, batch, verifier, receivedAt) : []
        ignored += round.obs.length - observations.length
        if (view === undefined || observations.length === 0) continue
        const thresholds = thresholdsOf(observations)
        const seen = { verifier, round, services, observations, thresholds, instants }
        takeFacts(seen)
        if (batch.backfill || round.ageMs > thresholds.freshMs) recordLateRound(seen, view)
        else applyLiveRound(seen, view)
      }
      return ignored
    },
    forgetVerifier({ column, verifier }) {
      table.clearColumn(column)
      chainViews.forget(verifier.id)
      facts.forgetVerifier(verifier.id)
    },
  }
}

/** Returns whether a service moved (at `since`) between two observations, so that neither says anything about the other. */
const hasMovedBetween = (since: number, one: LatestObservation, other: LatestObservation): boolean =>
  one.at < since !== other.at < since

/** Returns whether an observation is good in every respect that is remembered. */
const isGood = ({ ok, error, firstError, lagBlocks, lagSec }: SeenObservation, policy: Policy): boolean =>
  ok && error === null && firstError === null && lagBlocks <= policy.enterBlocks && lagSec <= policy.enterSec

/** A received round with everything that is needed to measure it. */
interface ReceivedRound {
  readonly verifier: ActiveVerifier
  readonly round: Round
  readonly services: readonly string[]
  readonly observations: readonly ReportedObservation[]
  readonly thresholds: Thresholds
  readonly instants: ClockBounds
}

/** Returns the thresholds of a round: the lower median, so that the policy of one service cannot decide for the others. */
function thresholdsOf(observations: readonly ReportedObservation[]): Thresholds {
  const policies = observations.map(({ listed }) => listed.service.policy)
  return {
    enterBlocks: lowerMedian(policies.map(({ enterBlocks }) => enterBlocks).sort(ascending)),
    freshMs: policies.reduce((longest, { freshMs }) => Math.max(longest, freshMs), 0),
  }
}

function measureRound(
  { observations, verifier, instants }: ReceivedRound,
  view: ChainView | null,
  measure: HeadMeasure | null,
  visit: (listed: ListedService, seen: SeenObservation) => void,
): void {
  const forked = view?.forked(verifier.verifier.id) ?? noForks
  const headForks = view ? headForksOf(observations, view.chain) : noForks
  for (const observation of observations) {
    const { listed } = observation
    const isForked = forked.has(listed.service.id) || headForks.has(listed.service.id)
    visit(listed, measureObservation(observation, isForked, measure, instants))
  }
}

type Found = readonly (ListedService | undefined)[]

/** Finds the services that reports are about. */
export interface ServiceFinder {
  /** Returns one service for each id, in their order. `purpose` is the key under which the last answer is cached. */
  find(purpose: string, ids: readonly string[]): Found
}

/** Bounds the cache, whose keys come from verifiers: a hostile one may invent a new chain in each report. */
const maxLists = 500

/**
 * Verifiers name the services of a chain in the same order round after round. Whether a list is that of last time is
 * seen by comparing two long texts, which takes a tenth of looking up each id among 10,000.
 */
export function createServiceFinder(catalogue: Pick<Catalogue, 'find' | 'version'>): ServiceFinder {
  const lists = new Map<string, { readonly text: string; readonly found: Found }>()
  let version = catalogue.version

  return {
    find(purpose, ids) {
      if (version !== catalogue.version || lists.size > maxLists) lists.clear()
      version = catalogue.version
      const text = ids.join(' ')
      const last = lists.get(purpose)
      if (last?.text === text) return last.found
      const found = ids.map(catalogue.find)
      lists.set(purpose, { text, found })
      return found
    },
  }
}
