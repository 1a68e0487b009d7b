/** Requests that are sent over and over, on connections that stay open, each as soon as its last answer is there. */
export interface LoadPlan {
  readonly url: string
  /** Asked in turns. */
  readonly paths: readonly string[]
  readonly connections: number
  readonly seconds: number
}

/** The same with bodies, which are all different: `#` in the body is the number of the request. */
export interface PostPlan extends Omit<LoadPlan, 'paths'> {
  readonly body: string
  /** Of different requests. */
  readonly count: number
}

/** Bodies that are posted in turns. */
export interface CallsPlan extends Omit<LoadPlan, 'paths'> {
  readonly headers: Readonly<Record<string, string>>
  /** Each on one line. */
  readonly bodies: readonly string[]
}

export interface LoadResult {
  readonly requestsPerSec: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Answers other than 2xx, and broken connections. */
  readonly failures: number
}
