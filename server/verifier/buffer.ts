import { limits } from '../../shared/verifier-protocol.ts'
import type { PendingRound } from './batch.ts'

/** Rounds that belong into one batch, in the order in which they happened. */
export interface Parcel {
  rounds: readonly PendingRound[]
  isolated: boolean
  backfill: boolean
}

/** Rounds that the server has not taken yet. What does not fit is dropped, oldest first. */
export interface Buffer {
  /** `round` has 1 to `limits.observationsPerBatch` observations; see `splitRound`. */
  add(round: PendingRound, now: number): void
  /** What to send next; it stays in the buffer until `remove`. Null when nothing is left. */
  next(now: number): Parcel | null
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
 * Live are the newest rounds of each plan, and they go first. Everything older is only history by now and follows as
 * backfill. Bytes are counted about as the wire would need them.
 */
export function createBuffer(bounds: BufferLimits = offlineLimits): Buffer {
  let rounds: PendingRound[] = []
  let bytes = 0
  let droppedRounds = 0
  /** Also of plans whose newest round is sent already: the older ones do not become new by that. */
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
      return live.length > 0 ? fillParcel(live, false) : fillParcel(rounds, true)
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

/** As many of the rounds as share a batch. Those from before and after an isolation cannot share a batch. */
function fillParcel(candidates: readonly PendingRound[], backfill: boolean): Parcel | null {
  const [first] = candidates
  if (!first) return null
  const rounds: PendingRound[] = []
  let observations = 0
  for (const round of candidates) {
    if (round.isolated !== first.isolated) continue
    observations += round.observations.length
    if (rounds.length > 0 && observations > limits.observationsShared) break
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
