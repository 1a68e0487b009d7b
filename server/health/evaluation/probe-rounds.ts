import type { Chain, Family } from '../../../shared/chains.ts'
import type { Checkpoint, ObservationRow, ProbeError, Round } from '../../../shared/verifier-protocol.ts'
import type * as z from 'zod/mini'
import type { SeenObservation } from './effective-observation.ts'
import type { LatestObservation } from './latest-observation.ts'
import {
  type ChainParams,
  type Head,
  type HeadObservation,
  type ReferenceHead,
  isFromFuture,
} from '../decide/reference-head.ts'
import type { Policy } from '../../../shared/health.ts'
import { findHeadForks, noForks } from '../decide/fork.ts'
import type { CheckpointHash, HeadHash } from '../decide/fork.ts'
import { blocksBehindPeers } from '../decide/low-trust.ts'
import type { PeerComparison } from '../decide/low-trust.ts'
import { measure } from '../decide/measure.ts'
import type { ListedService } from '../services/catalogue.ts'

/** The current time with its bounds (epoch ms), which differ only for a while after a clock was set. */
export interface ClockBounds {
  readonly now: number
  readonly earliest: number
  readonly latest: number
}

/** One row of a round about a service of the catalogue. */
export interface ReportedObservation {
  readonly listed: ListedService
  readonly at: number
  readonly ok: boolean
  readonly error: ProbeError | null
  readonly height: number | null
  readonly timestamp: number | null
  /** The first half of a hash of the block's hash; null where the family reads none. */
  readonly hash: string | null
  readonly rttMs: number
  /** The error of the first try, where the verifier repeated it at once. */
  readonly firstError: ProbeError | null
}

/**
 * Reads the rows of a round, whose services are `found`. Services of other chains and unknown ones are left out, for a
 * verifier may be a little behind with its assignments; so are families that it did not enrol for: about these it has no
 * say. Ages come from the verifier's monotonic clock, so its wall clock does not matter.
 */
export function readRound(
  round: Round,
  found: readonly (ListedService | undefined)[],
  families: readonly Family[],
  receivedAt: number,
): ReportedObservation[] {
  const observations: ReportedObservation[] = []
  for (const [index, row] of round.obs.entries()) {
    const listed = found[index]
    if (listed?.service.chain === round.chain && families.includes(listed.service.family)) {
      observations.push(readRow(row, listed, receivedAt, round.ageMs))
    }
  }
  return observations
}

function readRow(
  row: ObservationRow,
  listed: ListedService,
  receivedAt: number,
  ageMs: number,
): ReportedObservation {
  const [, ok, error, height, timestamp, hash, rttMs, offsetMs, firstError = null] = row
  const at = receivedAt - Math.max(0, ageMs - offsetMs)
  return { listed, at, ok: ok === 1, error, height, timestamp, hash, rttMs, firstError }
}

/** Returns whether an observation counts for the chain's head. Subgraphs follow a chain but are not nodes of it. */
const speaksForChain = (observation: ReportedObservation): boolean =>
  observation.ok && observation.error === null && !isSubgraph(observation)

const isSubgraph = ({ listed }: ReportedObservation): boolean => listed.service.family === 'subgraph'

/** Returns the heads of a round that count for the chain's reference. */
export function headsOf(
  observations: readonly ReportedObservation[],
  verifierId: string,
  instants: ClockBounds,
): HeadObservation[] {
  const heads: HeadObservation[] = []
  for (const observation of observations) {
    const { height, timestamp } = observation
    if (!speaksForChain(observation) || height === null || timestamp === null) continue
    const { id, provider } = observation.listed.service
    const at = plausibleAt(observation.at, timestamp, instants)
    heads.push({ serviceId: id, provider, verifierId, at, height, timestamp })
  }
  return heads
}

/**
 * Returns the services whose newest block is on a fork, by this round alone. Mined chains compete for it by nature.
 * Where a block lasts as long as the hold of a service, as on Filecoin, one late block would outlive that hold:
 * checkpoints tell forks there.
 */
export function headForksOf(observations: readonly ReportedObservation[], chain: Chain): ReadonlySet<string> {
  if (chain.headAge === 'pow' || !nameTwoBlocks(observations)) return noForks
  const heads = observations.flatMap((observation): HeadHash[] => {
    const { height, hash, listed } = observation
    const { id, provider, policy } = listed.service
    if (!speaksForChain(observation) || height === null || hash === null) return []
    return policy.downForMs > chain.blockMs ? [{ serviceId: id, provider, height, hash }] : []
  })
  return heads.length < 3 ? noForks : findHeadForks(heads)
}

/** Whether two nodes name different blocks of one height: they hardly ever do, and nothing is built where they do not. */
function nameTwoBlocks(observations: readonly ReportedObservation[]): boolean {
  const hashes = new Map<number, string>()
  for (const observation of observations) {
    const { height, hash } = observation
    if (height === null || hash === null || !speaksForChain(observation)) continue
    const known = hashes.get(height)
    if (known === undefined) hashes.set(height, hash)
    else if (known !== hash) return true
  }
  return false
}

/** What the heads of a round are measured by. */
export interface HeadMeasure {
  readonly params: ChainParams
  /** Null before the first usable head of the chain. */
  readonly reference: ReferenceHead | null
  readonly peers: PeerComparison | null
}

/** Measures an observation and returns what the table stores of it. `by` is null for services without a chain. */
export function measureObservation(
  observation: ReportedObservation,
  isForked: boolean,
  by: HeadMeasure | null,
  instants: ClockBounds,
): SeenObservation {
  const { at, ok, error, height, timestamp, rttMs, firstError } = observation
  const seen: SeenObservation = { at, ok, error, lagBlocks: 0, lagSec: 0, rttMs, firstError }
  if (!ok || error !== null) return seen
  if (isForked) {
    seen.error = 'FORKED'
  } else if (by === null) {
    return seen
  } else if (height !== null && timestamp !== null) {
    measureHead({ height, timestamp }, observation, seen, by, instants)
  } else if (height !== null && isSubgraph(observation)) {
    measureHeight(height, seen, by)
  } else {
    // A chain service that answers without a head has not answered the question.
    seen.ok = false
    seen.error = 'RPC_ERROR'
  }
  return seen
}

function measureHead(
  head: Head,
  observation: ReportedObservation,
  seen: LatestObservation,
  { params, reference, peers }: HeadMeasure,
  instants: ClockBounds,
): void {
  const { service } = observation.listed
  const plausible = plausibleAt(seen.at, head.timestamp, instants)
  if (reference === null) {
    // No usable head was reported yet: this one is not usable either, or it is a subgraph's.
    if (isFromFuture(head, plausible, params)) seen.error = 'FUTURE_HEAD'
    else if (isSubgraph(observation)) measureUnwatchedAge(head, plausible, service.policy, seen, params)
    return
  }
  const { lagBlocks, lagSec, error } = measure(head, plausible, reference, params)
  seen.lagBlocks = lagBlocks
  seen.lagSec = lagSec
  seen.error = error
  if (error !== null || reference.isCorroborated) return
  if (isSubgraph(observation)) addBlocksBehind(reference.height - head.height, seen, params)
  if (peers === null) return
  addPeersLag(blocksBehindPeers(service, head, peers), seen, params, service.policy)
}

/** Raises the lag to what peers say, but not so far that it would be DOWN: the one ahead may be lying. */
function addPeersLag(
  blocks: number,
  seen: LatestObservation,
  { blockMs }: ChainParams,
  { enterBlocks, enterSec, staleFactor }: Policy,
): void {
  const sec = Math.floor((blocks * blockMs) / 1000)
  seen.lagBlocks = Math.max(seen.lagBlocks, Math.min(blocks, enterBlocks * staleFactor))
  seen.lagSec = Math.max(seen.lagSec, Math.min(sec, enterSec * staleFactor))
}

/** Raises the lag to so many blocks, and to the time in which the chain makes them. */
function addBlocksBehind(blocks: number, seen: LatestObservation, { blockMs }: ChainParams): void {
  if (blocks <= seen.lagBlocks) return
  seen.lagBlocks = blocks
  seen.lagSec = Math.max(seen.lagSec, Math.floor((blocks * blockMs) / 1000))
}

/** Measures a subgraph that tells no time, by height alone. */
function measureHeight(height: number, seen: LatestObservation, { params, reference }: HeadMeasure): void {
  if (reference !== null) addBlocksBehind(reference.height - height, seen, params)
}

/** Measures a subgraph whose chain nobody watches: its newest block may be old, but not older than `maxAgeMs`. */
function measureUnwatchedAge(
  { timestamp }: Head,
  at: number,
  { maxAgeMs }: Policy,
  seen: LatestObservation,
  { blockMs }: ChainParams,
): void {
  const ageMs = at - timestamp * 1000
  if (ageMs <= maxAgeMs) return
  seen.lagSec = Math.floor(ageMs / 1000)
  seen.lagBlocks = Math.floor(ageMs / blockMs)
}

/**
 * Returns the instant to compare a block's timestamp with. While two clocks disagree, a block is from
 * the future only if both say so, and old only if both say so.
 */
function plausibleAt(at: number, timestampSec: number, { now, earliest, latest }: ClockBounds): number {
  const [low, high] = [at + (earliest - now), at + (latest - now)]
  return Math.min(Math.max(timestampSec * 1000, low), high)
}

/** Returns the hashes of a round's checkpoint with the providers of their services. */
export function readCheckpoint(
  checkpoint: z.infer<typeof Checkpoint>,
  services: readonly string[],
  find: (id: string) => ListedService | undefined,
  chain: Chain,
): CheckpointHash[] {
  const hashes: CheckpointHash[] = []
  for (const [index, hash] of checkpoint.hashes) {
    const listed = find(services[index] ?? '')
    if (listed?.service.chain !== chain.key || listed.service.family === 'subgraph') continue
    hashes.push({ serviceId: listed.service.id, provider: listed.service.provider, hash })
  }
  return hashes
}
