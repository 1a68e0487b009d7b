import type { Decision } from '../../../shared/health.ts'
import type { ProbeError } from '../../../shared/verifier-protocol.ts'
import { countRtt, createRttHistogram, rttPercentile } from './rtt-histogram.ts'
import type { RttHistogram } from './rtt-histogram.ts'

/** Length of the finest rollup. */
export const bucketMs = 300_000

/** What is added to one row of the finest rollup. */
export interface RollupAddition {
  serviceId: string
  bucketAt: number
  upMs: number
  latencyMs: number
  downMs: number
  probes: number
  failures: number
  lagBlocksSum: number
  lagBlocksMax: number
  lagSecSum: number
  lagSecMax: number
  rttP50Ms: number
  rttP95Ms: number
  /** Null where it was not judged. */
  liveMin: number | null
}

interface Measurement {
  at: number
  ok: boolean
  /** Of an answer that came but is worthless, too. */
  error: ProbeError | null
  lagBlocks: number
  lagSec: number
  rttMs: number
}

/** The slot is only a hint where to look first. */
interface Recorded {
  readonly slot: number
  readonly service: { readonly id: string }
}

/** Gathers measurements and time in states in memory until the next flush takes them. */
export interface Recorder {
  measured(recorded: Recorded, measurement: Measurement): void
  /** The service was in this decision, with so many live verifiers, from one instant to another. */
  lasted(recorded: Recorded, decision: Decision, liveVerifiers: number, from: number, to: number): void
  /** Everything gathered since the last call. */
  take(): RollupAddition[]
  forget(serviceId: string): void
}

interface Gathered extends RollupAddition {
  rtt: RttHistogram
}

const emptyAddition = (serviceId: string, bucketAt: number): Gathered => ({
  serviceId,
  bucketAt,
  upMs: 0,
  latencyMs: 0,
  downMs: 0,
  probes: 0,
  failures: 0,
  lagBlocksSum: 0,
  lagBlocksMax: 0,
  lagSecSum: 0,
  lagSecMax: 0,
  rttP50Ms: 0,
  rttP95Ms: 0,
  liveMin: null,
  rtt: createRttHistogram(),
})

export function createRecorder(): Recorder {
  let buckets = new Map<number, Map<string, Gathered>>()
  /** Where the last thing about the service of a slot was added, most often for the next one, too. */
  let latest: Gathered[] = []

  function gatheredAt({ slot, service: { id } }: Recorded, at: number): Gathered {
    const bucketAt = Math.floor(at / bucketMs) * bucketMs
    const last = latest[slot]
    if (last?.bucketAt === bucketAt && last.serviceId === id) return last
    const gathered = lookUp(id, bucketAt)
    latest[slot] = gathered
    return gathered
  }

  function lookUp(serviceId: string, bucketAt: number): Gathered {
    let bucket = buckets.get(bucketAt)
    if (!bucket) buckets.set(bucketAt, (bucket = new Map()))
    let gathered = bucket.get(serviceId)
    if (!gathered) bucket.set(serviceId, (gathered = emptyAddition(serviceId, bucketAt)))
    return gathered
  }

  return {
    measured(recorded, { at, ok, error, lagBlocks, lagSec, rttMs }) {
      const gathered = gatheredAt(recorded, at)
      gathered.probes++
      if (!ok || error !== null) {
        gathered.failures++
        return
      }
      gathered.lagBlocksSum += lagBlocks
      gathered.lagBlocksMax = Math.max(gathered.lagBlocksMax, lagBlocks)
      gathered.lagSecSum += lagSec
      gathered.lagSecMax = Math.max(gathered.lagSecMax, lagSec)
      countRtt(gathered.rtt, rttMs)
    },
    lasted(recorded, decision, liveVerifiers, from, to) {
      let start = from
      while (start < to) {
        const gathered = gatheredAt(recorded, start)
        const end = Math.min(to, gathered.bucketAt + bucketMs)
        if (decision === 'UP') gathered.upMs += end - start
        if (decision === 'LATENCY') gathered.latencyMs += end - start
        if (decision === 'DOWN') gathered.downMs += end - start
        gathered.liveMin = Math.min(gathered.liveMin ?? liveVerifiers, liveVerifiers)
        start = end
      }
    },
    take() {
      const additions: RollupAddition[] = []
      for (const bucket of buckets.values()) {
        for (const { rtt, ...addition } of bucket.values()) {
          addition.rttP50Ms = rttPercentile(rtt, 0.5)
          addition.rttP95Ms = rttPercentile(rtt, 0.95)
          additions.push(addition)
        }
      }
      buckets = new Map()
      latest = []
      return additions
    },
    forget(serviceId) {
      for (const bucket of buckets.values()) bucket.delete(serviceId)
      latest = []
    },
  }
}
