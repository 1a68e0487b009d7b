import type { Chain } from '../../shared/chains.ts'
import type { Checkpoint, ObservationRow, ProbeError, Round } from '../../shared/verifier-protocol.ts'
import type * as z from 'zod/mini'
import type { BoardObservation } from './board.ts'
import type { ChainParams } from './decide/chain-params.ts'
import type { CheckpointHash } from './decide/fork.ts'
import { measure } from './decide/measure.ts'
import { isFromFuture } from './decide/plausible-head.ts'
import type { HeadObservation, ReferenceHead } from './decide/reference-head.ts'
import type { ListedService } from './services/catalogue.ts'

/** The two opinions on what time it is; apart only for a while after somebody has set a clock. Epoch ms. */
export interface Instants {
  readonly now: number
  readonly earliest: number
  readonly latest: number
}

/** One row of a round, for a service that this server knows. */
export interface ReadObservation {
  readonly listed: ListedService
  readonly at: number
  readonly ok: boolean
  readonly error: ProbeError | null
  readonly height: number | null
  readonly timestamp: number | null
  readonly rttMs: number
}

/**
 * Reads the rows of a round that are about services of its chain; others are left out, for a verifier may be a little
 * behind with its assignments. Ages come from the verifier's monotonic clock, so its wall clock does not matter.
 */
export function readRound(
  round: Round,
  services: readonly string[],
  find: (id: string) => ListedService | undefined,
  receivedAt: number,
): ReadObservation[] {
  const observations: ReadObservation[] = []
  for (const row of round.obs) {
    const listed = find(services[row[0]] ?? '')
    if (listed && listed.service.chain === round.chain) {
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
): ReadObservation {
  const [, ok, error, height, timestamp, , rttMs, offsetMs] = row
  const at = receivedAt - Math.max(0, ageMs - offsetMs)
  return { listed, at, ok: ok === 1, error, height, timestamp, rttMs }
}

/** Subgraphs follow a chain but are no nodes of it: they are measured by its head and have no say in it. */
const speaksForChain = (observation: ReadObservation): boolean =>
  observation.ok && observation.error === null && observation.listed.service.family !== 'subgraph'

/** The heads in a round that count towards the chain's reference. */
export function headsOf(
  observations: readonly ReadObservation[],
  verifierId: string,
  instants: Instants,
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

/** What the board keeps of an observation, measured against the reference of its round. */
export function toBoard(
  observation: ReadObservation,
  isForked: boolean,
  reference: ReferenceHead | null,
  params: ChainParams | null,
  instants: Instants,
): BoardObservation {
  const { at, ok, error, height, timestamp, rttMs } = observation
  const base = { at, ok, error, lagBlocks: 0, lagSec: 0, rttMs, height, timestamp }
  if (!ok || error !== null) return base
  if (isForked) return { ...base, error: 'FORKED' }
  if (params === null) return base
  // A chain service that answers without a head has not answered what it was asked.
  if (height === null || timestamp === null) return { ...base, ok: false, error: 'RPC_ERROR' }
  const head = { height, timestamp }
  const plausible = plausibleAt(at, timestamp, instants)
  // There is no reference as long as nobody has shown a usable head: this one is not usable either, or a subgraph's.
  if (reference === null)
    return isFromFuture(head, plausible, params) ? { ...base, error: 'FUTURE_HEAD' } : base
  return { ...base, ...measure(head, plausible, reference, params) }
}

/**
 * The instant of an observation for comparing it with a block's timestamp. While two clocks disagree, a block is from
 * the future only if both say so, and old only if both say so.
 */
function plausibleAt(at: number, timestampSec: number, { now, earliest, latest }: Instants): number {
  const [low, high] = [at + (earliest - now), at + (latest - now)]
  return Math.min(Math.max(timestampSec * 1000, low), high)
}

/** The hashes of a round's checkpoint with their providers. */
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
