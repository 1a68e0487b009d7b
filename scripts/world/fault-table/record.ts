import type { Decision } from '../../../shared/health.ts'

/**
 * What was seen of a run, without any judgement. Instants are ms of `performance.now()` of the one process that calls, answers
 * as the node and breaks things, so that they can be compared with each other.
 */
export interface RunRecord extends RunSpan {
  readonly faults: readonly FaultSeen[]
  readonly calls: readonly CallSeen[]
  readonly keys: readonly KeySeen[]
  readonly health: readonly HealthSeen[]
  /** Who held the lease under which epoch, as the database and the processes said. */
  readonly terms: readonly TermSeen[]
  readonly buckets: readonly BucketSeen[]
  readonly probes: readonly ProbesSeen[]
  /** Names of changes that were acknowledged to the console, and of those that are there at the end. */
  readonly acknowledged: readonly string[]
  readonly kept: readonly string[]
  /** What should have gone on and did not, in words: a verifier that ended, a process that did not come back. */
  readonly ended: readonly string[]
  /** Times in which this process, or one that it started, had to wait for a processor; none overlaps another. */
  readonly stalls: readonly RunSpan[]
}

export interface RunSpan {
  readonly from: number
  readonly until: number
}

/** What no process could reach while a fault lasted; `session`: one that stands still with the sessions that it has. */
export type Engine = 'database' | 'limits' | 'session'

export interface FaultSeen extends RunSpan {
  readonly name: string
  /** What was done to which process, in a few words. */
  readonly what: string
  /** While a process died, and calls that it had were cut; null where no process died. */
  readonly death: RunSpan | null
  /** Whether processes ended, with the event streams that they had. */
  readonly endsStreams: boolean
  readonly away: readonly (RunSpan & { readonly engine: Engine })[]
}

/** Kinds of callers. */
export const traffics = [
  'health',
  'relay free',
  'relay limited',
  'console',
  'agent 2025',
  'agent 2026',
  'agent sse',
] as const
export type CallerKind = (typeof traffics)[number]

/**
 * `limited` by a limit of the key, `unavailable` as a process says it (503), `lost`: a session is not known any more, `cut`: no
 * process answered.
 */
export type CallOutcome = 'answered' | 'limited' | 'unavailable' | 'lost' | 'cut'

/** One call, and what its caller got. */
export interface CallSeen {
  readonly traffic: CallerKind
  /** The name of a key of `keys`; null where calls are not counted by key. */
  readonly key: string | null
  readonly sentAt: number
  readonly answeredAt: number
  readonly outcome: CallOutcome
  /** What came in the place of an answer. */
  readonly detail: string
  /** When the node that the call was for got it; null where it did not, or nobody looked. */
  readonly reachedAt: number | null
}

export interface KeySeen {
  readonly name: string
  /** Null: without one. */
  readonly limit: { readonly units: number; readonly periodMs: number } | null
  /** Requests by the statistics at the end. */
  readonly counted: number
}

export interface HealthSeen {
  readonly at: number
  readonly serviceId: string
  readonly decision: Decision
  /** How old (ms) the decision was, and how old it may be: then its quorum has expired. */
  readonly ageMs: number
  readonly mayBeMs: number
}

export interface TermSeen {
  /** Processes and the database have different names for the same holder. */
  readonly said: 'by the database' | 'by processes'
  readonly shard: number
  readonly epoch: number
  readonly holder: string
}

export interface BucketSeen {
  readonly name: string
  readonly lengthMs: number
  /** The time for which it says what was decided. */
  readonly decidedMs: number
}

/** How often one service was probed, and how often it may be when each verifier probes it once in each interval. */
export interface ProbesSeen {
  readonly serviceId: string
  readonly probes: number
  readonly most: number
}

/** Everything that callers noted so far. */
export interface Noted {
  readonly calls: CallSeen[]
  readonly health: HealthSeen[]
  readonly acknowledged: string[]
}
