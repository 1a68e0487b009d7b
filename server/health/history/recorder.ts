import type { Decision } from '../../../shared/health.ts'
import type { ProbeError } from '../../../shared/verifier-protocol.ts'
import { emptyAddition } from './rollup-addition.ts'
import type { RollupAddition } from './rollup-addition.ts'
import { countRtt } from './rtt-histogram.ts'

/** Length of the finest rollup. */
export const bucketMs = 300_000

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

/** Of 10,000 services that is more than an hour and a half, in some 100 MB. */
const usualRowsKept = 200_000

/** While nobody takes rows, those of the oldest bucket are given up beyond `rowsKept`, which `lost` is told. */
export function createRecorder(lost: (rows: number) => void, rowsKept = usualRowsKept): Recorder {
  let buckets = new Map<number, Map<string, RollupAddition>>()
  let rows = 0
  /** Where the last thing about the service of a slot was added, most often for the next one, too. */
  let latest: RollupAddition[] = []

  function gatheredAt({ slot, service: { id } }: Recorded, at: number): RollupAddition {
    const bucketAt = Math.floor(at / bucketMs) * bucketMs
    const last = latest[slot]
    if (last?.bucketAt === bucketAt && last.serviceId === id) return last
    const gathered = lookUp(id, bucketAt)
    latest[slot] = gathered
    return gathered
  }

  function lookUp(serviceId: string, bucketAt: number): RollupAddition {
    const known = buckets.get(bucketAt)?.get(serviceId)
    if (known) return known
    const gathered = emptyAddition(serviceId, bucketAt)
    if (!makeRoom(bucketAt)) return gathered
    const bucket = buckets.get(bucketAt) ?? new Map<string, RollupAddition>()
    buckets.set(bucketAt, bucket.set(serviceId, gathered))
    rows++
    return gathered
  }

  /** Gives up the oldest bucket when there are too many rows; false where that is the one which needs room. */
  function makeRoom(bucketAt: number): boolean {
    if (rows < rowsKept) return true
    const oldestAt = Math.min(bucketAt, ...buckets.keys())
    const oldest = buckets.get(oldestAt)
    if (oldestAt === bucketAt || !oldest) {
      lost(1)
      return false
    }
    buckets.delete(oldestAt)
    latest = []
    rows -= oldest.size
    lost(oldest.size)
    return true
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
      const additions = [...buckets.values()].flatMap((bucket) => [...bucket.values()])
      buckets = new Map()
      rows = 0
      latest = []
      return additions
    },
    forget(serviceId) {
      for (const bucket of buckets.values()) if (bucket.delete(serviceId)) rows--
      latest = []
    },
  }
}
