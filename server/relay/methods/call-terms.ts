import type { CallSettings, Hedge } from '../../../shared/call-settings.ts'
import type { RelaySettings } from '../settings.ts'

/** How long a call may take, and how much it may be, with all that was left out filled in. Times are in ms. */
export interface CallTerms {
  readonly firstByteMs: number
  readonly totalMs: number
  readonly attempts: number
  /** Null: only one node is asked, however slow it is. */
  readonly hedge: HedgeDelay | null
  readonly answerBytes: number
  readonly bodyBytes: number
}

/** A second node is asked once a percentile of the first one's times is over, within bounds. */
export interface HedgeDelay {
  readonly percentile: number
  readonly leastMs: number
  readonly mostMs: number
}

/** Deadlines are looked at every 20 ms, and a node that hangs must not raise its percentile further than this. */
const percentileBounds = { leastMs: 20, mostMs: 1_000 } as const
const usualPercentile = 95
/** Where nothing is set, a read is hedged at the latest after this many times `hedgeAfterMs`. */
const latestHedge = 10

/** Completes what an endpoint sets. A built-in time to first byte gives way to a shorter total time. */
export function callTermsOf(set: CallSettings, settings: RelaySettings): CallTerms {
  const totalMs = set.totalMs ?? settings.totalMs
  return {
    firstByteMs: Math.min(set.firstByteMs ?? settings.firstByteMs, totalMs),
    totalMs,
    attempts: set.attempts ?? settings.attempts,
    hedge: set.hedge === undefined ? usualHedge(settings) : hedgeOf(set.hedge),
    answerBytes: set.answerBytes ?? settings.answerBytes,
    bodyBytes: set.bodyBytes ?? settings.bodyBytes,
  }
}

function hedgeOf(hedge: Hedge): HedgeDelay | null {
  if (hedge === 'off') return null
  if (typeof hedge === 'number') return { percentile: usualPercentile, leastMs: hedge, mostMs: hedge }
  return { percentile: Number(hedge.slice(1)), ...percentileBounds }
}

const usualHedge = ({ hedgeAfterMs }: RelaySettings): HedgeDelay | null =>
  hedgeAfterMs === null
    ? null
    : { percentile: usualPercentile, leastMs: hedgeAfterMs, mostMs: hedgeAfterMs * latestHedge }

/** Returns the terms of a request with both calls, which is as patient as the more patient one. */
export const bothTerms = (one: CallTerms, other: CallTerms): CallTerms => ({
  firstByteMs: Math.max(one.firstByteMs, other.firstByteMs),
  totalMs: Math.max(one.totalMs, other.totalMs),
  attempts: Math.max(one.attempts, other.attempts),
  hedge: laterHedge(one.hedge, other.hedge),
  answerBytes: Math.max(one.answerBytes, other.answerBytes),
  bodyBytes: Math.min(one.bodyBytes, other.bodyBytes),
})

function laterHedge(one: HedgeDelay | null, other: HedgeDelay | null): HedgeDelay | null {
  if (one === null || other === null) return null
  return one.leastMs >= other.leastMs ? one : other
}
