import type { PostPlan } from '../load/load-plan.ts'
import { postByWrk } from '../load/wrk.ts'
import { cpuMsOf } from '../process-cpu.ts'

/** What is measured: where to post, and the processes that do the work. */
export interface Arm {
  /** Connections are spread evenly over them. */
  readonly urls: readonly string[]
  readonly pids: readonly number[]
}

export interface Turn {
  readonly requestsPerSec: number
  /** Microseconds of the arm's processes and all that they started. */
  readonly cpuPerRequest: number
  /** Of the slowest address. */
  readonly p50Ms: number
  readonly failures: number
}

/** One turn of an arm. `connections` in all. */
export async function loadRelay(arm: Arm, plan: Omit<PostPlan, 'url'>): Promise<Turn> {
  const connections = Math.max(1, Math.round(plan.connections / arm.urls.length))
  const cpuBefore = cpuMsOf(arm.pids)
  const results = await Promise.all(arm.urls.map((url) => postByWrk({ ...plan, url, connections })))
  const cpuMs = cpuMsOf(arm.pids) - cpuBefore
  const requestsPerSec = results.reduce((sum, result) => sum + result.requestsPerSec, 0)
  return {
    requestsPerSec,
    cpuPerRequest: (cpuMs * 1_000) / (requestsPerSec * plan.seconds),
    p50Ms: Math.max(...results.map(({ p50Ms }) => p50Ms)),
    failures: results.reduce((sum, { failures }) => sum + failures, 0),
  }
}
