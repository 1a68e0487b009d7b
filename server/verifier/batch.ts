import type { ObservationRow, ReportBatch, Round } from '../../shared/verifier-protocol.ts'
import { limits, protocolVersion } from '../../shared/verifier-protocol.ts'
import { toRow } from './observation.ts'
import type { FinishedRound } from './round.ts'

/** A round on its way to the server, with the verdict on the verifier's own network at that time. */
export interface PendingRound extends FinishedRound {
  isolated: boolean
}

/**
 * Sequence number of the next batch: above every earlier one, and by the clock above those that a lost state file
 * has forgotten (microseconds: 1.8e15 is far below 2^53). `nowMs` are whole epoch milliseconds by the server's clock.
 */
export const nextSeq = (lastSeq: number, nowMs: number): number => Math.max(lastSeq + 1, nowMs * 1_000)

/**
 * Cuts a round that would not fit into one batch. The checkpoint stays with the first part, as far as it is about
 * services there: the server takes each checkpoint in place of the last.
 */
export function splitRound(round: FinishedRound): FinishedRound[] {
  const { observations, checkpoint } = round
  if (observations.length <= limits.observationsPerBatch) return [round]
  const parts: FinishedRound[] = []
  for (let from = 0; from < observations.length; from += limits.observationsPerBatch) {
    const part = observations.slice(from, from + limits.observationsPerBatch)
    const ids = new Set(part.map(({ serviceId }) => serviceId))
    const hashes = from === 0 ? (checkpoint?.hashes.filter(({ serviceId }) => ids.has(serviceId)) ?? []) : []
    parts.push({
      ...round,
      observations: part,
      checkpoint: checkpoint && hashes.length > 0 ? { height: checkpoint.height, hashes } : null,
    })
  }
  return parts
}

export interface Envelope {
  verifierId: string
  seq: number
  sentAtMs: number
  isolated: boolean
  backfill: boolean
}

/** Writes rounds as the wire has them; ages are counted up to `now` (monotonic milliseconds). */
export function writeBatch(envelope: Envelope, rounds: readonly FinishedRound[], now: number): ReportBatch {
  const places = new Map<string, number>()
  const placeOf = (serviceId: string): number => {
    const known = places.get(serviceId)
    if (known !== undefined) return known
    places.set(serviceId, places.size)
    return places.size - 1
  }
  const wireRounds = rounds.map((round): Round => {
    const obs = round.observations.map((seen): ObservationRow => toRow(seen, placeOf(seen.serviceId)))
    return {
      chain: round.chainKey,
      ageMs: Math.max(0, Math.round(now - round.startedAt)),
      spreadMs: round.spreadMs,
      obs,
      ...(round.checkpoint && { checkpoint: writeCheckpoint(round.checkpoint, placeOf) }),
    }
  })
  return { v: protocolVersion, ...envelope, services: [...places.keys()], rounds: wireRounds }
}

const writeCheckpoint = (
  { height, hashes }: NonNullable<FinishedRound['checkpoint']>,
  placeOf: (serviceId: string) => number,
): NonNullable<Round['checkpoint']> => ({
  height,
  hashes: hashes.map(({ serviceId, hash8 }) => [placeOf(serviceId), hash8]),
})
