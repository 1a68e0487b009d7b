import type { FurtherLimits } from '../../../server/limits/limits.ts'
import type { Limit } from '../../../shared/limits.ts'

export interface LimitedKey {
  readonly rate: Limit | null
  readonly credits: Limit | null
  /** Those that it shares with other keys, and others. */
  readonly further?: readonly FurtherLimits[]
  /** Credits of each call. */
  readonly cost: number
}

/** What a process of the test is to do. */
export interface NodeOrder {
  readonly url: string
  readonly logPath: string
  readonly keys: readonly LimitedKey[]
  readonly callsPerSecond: number
  /** Of its bursts: the same seed gives the same ones. */
  readonly seed: number
  readonly whenStoreLost: 'closed' | 'share'
}

export interface NodeSummary {
  asked: number
  admitted: number
  refused: number
  unavailable: number
  /** Calls that had to wait for the store. */
  waited: number
  longestWaitMs: number
}
