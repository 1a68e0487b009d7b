import type { UsageNumbers } from '../../../shared/usage.ts'
import { latenciesFromNumber, latencyPercentile } from '../latency-histogram.ts'

/** Sums as the database returns them. */
export interface SumsRow {
  readonly requests: number
  readonly credits: number
  readonly ok: number
  readonly errors: number
  readonly rate_limited: number
  readonly credit_limited: number
  readonly cached: number
  readonly unanswered: number
  readonly bytes_in: number
  readonly bytes_out: number
  /** A histogram as one number. */
  readonly latencies: string
}

export function numbersOf(row: SumsRow): UsageNumbers {
  const latencies = latenciesFromNumber(row.latencies)
  return {
    requests: row.requests,
    credits: row.credits,
    ok: row.ok,
    errors: row.errors,
    rateLimited: row.rate_limited,
    creditLimited: row.credit_limited,
    bytesIn: row.bytes_in,
    bytesOut: row.bytes_out,
    p50Ms: latencyPercentile(latencies, 0.5),
    p99Ms: latencyPercentile(latencies, 0.99),
  }
}
