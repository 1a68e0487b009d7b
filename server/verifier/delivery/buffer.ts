import { protocolLimits } from '../../../shared/verifier-protocol.ts'
import type { PendingRound } from './batch.ts'

/** Rounds that belong in one batch, in the order in which they happened. */
export interface PendingBatch {
  rounds: readonly PendingRound[]
  isolated: boolean
  backfill: boolean
}

/** Rounds that the server has not accepted yet. The oldest are dropped when the limits are exceeded. */
export interface RoundBuffer {
  /** Adds a round of 1 to `limits.observationsPerBatch` observations; see `splitRound`. */
  add(round: PendingRound, now: number): void
  /** Returns the batch to send next, which stays in the buffer until `remove`; null when the buffer is empty. */
  next(now: number): PendingBatch | null
  remove(rounds: readonly PendingRound[]): void
  readonly bytes: number
  readonly droppedRounds: number
}

export interface BufferLimits {
  bytes: number
  ageMs: number
}

export const offlineLimits: BufferLimits = { bytes: 16 * 1_048_576, ageMs: 3_600_000 }

/** Rounds of one plan that finished within this time are equally new, however often the plan runs. */
const togetherMs = 1_000

/**
 * The newest rounds of each plan are live and are sent first. Older ones only matter for history and follow as
 * backfill. Bytes are estimated as the wire format would need them.
 */
export function createRoundBuffer(bounds: BufferLimits = offlineLimits): RoundBuffer {
  let rounds: PendingRound[] = []
  let bytes = 0
  let droppedRounds = 0
  /** Includes plans whose newest round was sent already: their older rounds do not become live by that. */
  const newestOfPlan = new Map<string, number>()

  const isLive = ({ planKey, finishedAt }: PendingRound): boolean =>
    finishedAt >= (newestOfPlan.get(planKey) ?? finishedAt) - togetherMs

  function dropWhatDoesNotFit(now: number): void {
    let drop = 0
    for (const round of rounds) {
      if (bytes <= bounds.bytes && now - round.finishedAt <= bounds.ageMs) break
      bytes -= bytesOf(round)
      drop += 1
    }
    if (drop > 0) rounds = rounds.slice(drop)
    droppedRounds += drop
  }

  return {
    add(round, now) {
      newestOfPlan.set(round.planKey, Math.max(round.finishedAt, newestOfPlan.get(round.planKey) ?? 0))
      rounds.push(round)
      bytes += bytesOf(round)
      dropWhatDoesNotFit(now)
    },
    next(now) {
      dropWhatDoesNotFit(now)
      const live = rounds.filter(isLive)
      return live.length > 0 ? fillBatch(live, false) : fillBatch(rounds, true)
    },
    remove(sent) {
      const gone = new Set(sent)
      for (const round of rounds) if (gone.has(round)) bytes -= bytesOf(round)
      rounds = rounds.filter((round) => !gone.has(round))
    },
    get bytes() {
      return bytes
    },
    get droppedRounds() {
      return droppedRounds
    },
  }
}

/** Takes as many rounds as fit into a batch. Rounds from before and after an isolation cannot share one. */
function fillBatch(candidates: readonly PendingRound[], backfill: boolean): PendingBatch | null {
  const [first] = candidates
  if (!first) return null
  const rounds: PendingRound[] = []
  let observations = 0
  for (const round of candidates) {
    if (round.isolated !== first.isolated) continue
    observations += round.observations.length
    if (rounds.length > 0 && observations > protocolLimits.observationsShared) break
    rounds.push(round)
  }
  return { rounds, isolated: first.isolated, backfill }
}

const roundBytes = 120
const rowBytes = 104
const checkpointRowBytes = 30

function bytesOf({ observations, checkpoint }: PendingRound): number {
  let sum = roundBytes + checkpointRowBytes * (checkpoint?.hashes.length ?? 0)
  for (const { serviceId } of observations) sum += rowBytes + serviceId.length
  return sum
}
