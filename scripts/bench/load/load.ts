import { runWrk } from './wrk.ts'
import { runOwnLoad } from './own-load.ts'

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

export interface LoadGenerator {
  readonly name: string
  run(plan: LoadPlan): Promise<LoadResult>
}

/** wrk where it is installed, else a small one of our own: slower, so that it limits a fast server. */
export const chooseLoadGenerator = (): LoadGenerator =>
  Bun.which('wrk') === null ? { name: 'own generator', run: runOwnLoad } : { name: 'wrk', run: runWrk }
