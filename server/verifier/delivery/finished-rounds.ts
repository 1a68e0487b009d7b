import type { FinishedRound } from '../probing/round.ts'
import { createWakeUp, pause } from '../wake-up.ts'

/** Rounds that have finished and are not yet in the buffer. */
export interface FinishedRounds {
  add(round: FinishedRound): void
  /** Waits for a round, and a moment for others to share its batch. Resolves to none when the signal aborts. */
  take(signal: AbortSignal): Promise<FinishedRound[]>
}

/** Rounds that finish within this time (ms) share a batch. Retests may decide, so that they wait a tenth of it. */
const togetherMs = 1_000
const retestsTogetherMs = 100

export function createFinishedRounds(): FinishedRounds {
  const finished: FinishedRound[] = []
  const roundFinished = createWakeUp()
  const retestFinished = createWakeUp()
  return {
    add(round) {
      if (round.observations.length === 0) return
      finished.push(round)
      roundFinished.notify()
      if (round.isRetest) retestFinished.notify()
    },
    async take(signal) {
      await roundFinished.wait(null, signal)
      await retestFinished.wait(togetherMs - retestsTogetherMs, signal)
      await pause(retestsTogetherMs, signal)
      return finished.splice(0)
    },
  }
}
