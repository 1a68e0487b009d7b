import type { FactsRow, ObservationRow, ReportBatch, Round } from '../../../shared/verifier-protocol.ts'
import { protocolLimits, protocolVersion } from '../../../shared/verifier-protocol.ts'
import { toRow } from '../probing/observation.ts'
import type { FinishedRound } from '../probing/round.ts'

/** A round that waits to be sent, with the result of the isolation check at that time. */
export interface PendingRound extends FinishedRound {
  isolated: boolean
}

/**
 * Returns the sequence number of the next batch. It exceeds every earlier one and, by the clock, those that a lost state file
 * has forgotten (in microseconds: 1.8e15 is far below 2^53). `nowMs` is whole epoch milliseconds by the server's clock.
 */
export const nextSeq = (lastSeq: number, nowMs: number): number => Math.max(lastSeq + 1, nowMs * 1_000)

/**
 * Splits a round that does not fit into one batch. The first part keeps the checkpoint hashes of the services that it
 * contains: the server replaces the last checkpoint with each new one.
 */
export function splitRound(round: FinishedRound): FinishedRound[] {
  const { observations, checkpoint } = round
  if (observations.length <= protocolLimits.observationsPerBatch) return [round]
  const parts: FinishedRound[] = []
  for (let from = 0; from < observations.length; from += protocolLimits.observationsPerBatch) {
    const part = observations.slice(from, from + protocolLimits.observationsPerBatch)
    const ids = new Set(part.map(({ serviceId }) => serviceId))
    const hashes = from === 0 ? (checkpoint?.hashes.filter(({ serviceId }) => ids.has(serviceId)) ?? []) : []
    parts.push({
      ...round,
      observations: part,
      facts: round.facts.filter(({ serviceId }) => ids.has(serviceId)),
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

/** Writes rounds in the wire format. Ages are counted up to `now` (monotonic milliseconds). */
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
      ...(round.facts.length > 0 && {
        facts: round.facts.map(({ serviceId, facts }): FactsRow => [placeOf(serviceId), facts]),
      }),
      ...(round.checkpoint && { checkpoint: writeCheckpoint(round.checkpoint, placeOf) }),
      ...(round.isRetest && { retest: true as const }),
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
