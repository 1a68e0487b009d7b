import type { ProbeError } from '../../../shared/verifier-protocol.ts'
import { noFailures } from '../decide/failure-run.ts'
import type { FailureRun } from '../decide/failure-run.ts'
import type { Vote } from '../decide/vote.ts'

/** What one verifier's newest observation of one service says, in the form in which it is counted. */
export interface LatestObservation {
  /** When the probe ran, in epoch ms of the server. */
  at: number
  ok: boolean
  error: ProbeError | null
  lagBlocks: number
  lagSec: number
  rttMs: number
  /** The vote that the last probes justify together, because they contradict each other. */
  inconsistent?: Exclude<Vote, 'ok'> | undefined
  /** Whether the failure has lasted so long and so often that the decision needs no further hold. */
  isConfirmed?: boolean | undefined
}

/**
 * The newest probes of one service by one verifier. The newest is bit 0 of each mask. A probe consists of one try, or of
 * two where the first failed and was repeated at once.
 */
export interface TryWindow {
  /** How many probes the window holds. */
  readonly count: number
  /** Probes whose first try failed and was repeated. */
  readonly retried: number
  /** Probes whose last try failed. */
  readonly bad: number
  /** Probes whose last try found a head that is too far behind. */
  readonly behind: number
}

/** How many of the newest probes a window holds. */
export const windowLength = 10

export const noProbes: TryWindow = { count: 0, retried: 0, bad: 0, behind: 0 }

/** What is known of a service's earlier probes by one verifier, beside the vote that counts. Instants are epoch ms. */
export interface ProbeMemory {
  readonly window: TryWindow
  readonly run: FailureRun
  /** When the last good answer came; null where there was none. */
  readonly goodAt: number | null
  /** The worst lag of the window, and how many probes ago it was measured. */
  readonly worstLagBlocks: number
  readonly worstLagSec: number
  readonly worstAge: number
}

export const noMemory: ProbeMemory = {
  window: noProbes,
  run: noFailures,
  goodAt: null,
  worstLagBlocks: 0,
  worstLagSec: 0,
  worstAge: 0,
}
