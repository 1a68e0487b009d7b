import type { Decision } from '../../../shared/health.ts'
import type { ProbeError } from '../../../shared/verifier-protocol.ts'
import type { Deciding } from '../../platform/leases/deciding.ts'
import { type RollupAddition, emptyAddition } from './rollup-addition.ts'
import { countRtt } from './rtt-histogram.ts'

/** Length of a bucket of the finest rollup (ms). */
export const bucketMs = 300_000

interface Measurement {
  at: number
  ok: boolean
  /** The error, also of an answer that arrived but is worthless. */
  error: ProbeError | null
  lagBlocks: number
  lagSec: number
  rttMs: number
}

/** A recorded service. Its slot is only a hint where to look first. */
interface Recorded {
  readonly slot: number
  readonly service: { readonly id: string }
}

/** Collects measurements and time in states in memory until the next flush. */
export interface Recorder {
  measured(recorded: Recorded, measurement: Measurement): void
  /** Adds the time that a service spent in a decision, with its number of live verifiers. */
  lasted(recorded: Recorded, decision: Decision, liveVerifiers: number, from: number, to: number): void
  /** Returns everything that was collected since the last call. */
  take(): RollupAddition[]
  forget(serviceId: string): void
}

/** The most rows in memory: for 10,000 services more than an hour and a half, in some 100 MB. */
const usualRowsKept = 200_000

/** Creates a recorder. Beyond `rowsKept` rows it drops those of the oldest bucket and calls `lost` with their number. */
export function createRecorder(lost: (rows: number) => void, rowsKept = usualRowsKept): Recorder {
  let buckets = new Map<number, Map<string, RollupAddition>>()
  let rows = 0
  /** The row to which the last measurement of a slot was added: usually the next one belongs there, too. */
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

  /** Drops the oldest bucket when there are too many rows. Returns false if that is the bucket which needs room. */
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
      // In whole ms, each instant for what ends there and what begins: rounded by length, a bucket would outgrow itself.
      const until = Math.floor(to)
      let start = Math.floor(from)
      while (start < until) {
        const gathered = gatheredAt(recorded, start)
        const end = Math.min(until, gathered.bucketAt + bucketMs)
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

/** Records nothing while another process does, nor of the time in which another one did. */
export const recordWhileDeciding = (
  recorder: Recorder,
  { isDeciding, since }: Pick<Deciding, 'isDeciding' | 'since'>,
): Recorder => ({
  ...recorder,
  measured(recorded, measurement) {
    if (isDeciding()) recorder.measured(recorded, measurement)
  },
  lasted(recorded, decision, liveVerifiers, from, to) {
    const begin = Math.max(from, since())
    if (begin < to) recorder.lasted(recorded, decision, liveVerifiers, begin, to)
  },
})
