import { HealthResponse } from '../../../shared/health.ts'
import type { Decision } from '../../../shared/health.ts'
import { repeat } from '../repeating.ts'

/** A decision as it was published, and when it was first seen (ms of the monotonic clock). */
export interface SeenDecision {
  readonly at: number
  readonly decision: Decision
}

/** A time in which nothing can be known, and UNKNOWN is right. */
export interface Outage {
  readonly beganAt: number
  readonly endedAt: number
}

/** Reads the decisions of all services all the time, as anybody else would. */
export interface Timeline {
  /** Every decision about a service, in order, repetitions left out. */
  of(serviceId: string): readonly SeenDecision[]
  /** The newest one; null before the first answer. */
  current(serviceId: string): Decision | null
  /** Times in which this process, with all its nodes, could not run for seconds: nothing answered. */
  readonly stalls: readonly Outage[]
  stop(): Promise<void>
}

const everyMs = 250
/** A probe waits for four seconds, and those that began before the stall have waited already. */
const stallMs = 2_000

/** A request that gets no answer adds nothing: while the server is started again, nothing is published. */
export function followDecisions(url: string, serviceIds: readonly string[]): Timeline {
  const seen = new Map<string, SeenDecision[]>(serviceIds.map((id) => [id, []]))

  async function read(id: string): Promise<void> {
    const response = await fetch(`${url}/health/${id}`).catch(() => null)
    if (response?.ok !== true) return
    const { decision } = HealthResponse.parse(await response.json()).result
    const decisions = seen.get(id)
    if (decisions?.at(-1)?.decision !== decision) decisions?.push({ at: performance.now(), decision })
  }
  const stalls: Outage[] = []
  let ranAt = performance.now()
  const heartbeat = setInterval(() => {
    const now = performance.now()
    if (now - ranAt > stallMs) stalls.push({ beganAt: ranAt, endedAt: now })
    ranAt = now
  }, everyMs)
  const reading = repeat(async () => {
    await Promise.all(serviceIds.map(read))
  }, everyMs)

  return {
    of: (id) => seen.get(id) ?? [],
    current: (id) => seen.get(id)?.at(-1)?.decision ?? null,
    stalls,
    stop() {
      clearInterval(heartbeat)
      return reading.stop()
    },
  }
}
