/** Requests that are sent over and over, on connections that stay open, each as soon as its last answer is there. */
export interface LoadPlan {
  readonly url: string
  /** Asked in turns. */
  readonly paths: readonly string[]
  readonly connections: number
  readonly seconds: number
}

export interface LoadResult {
  readonly requestsPerSec: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Answers other than 2xx, and broken connections. */
  readonly failures: number
}
