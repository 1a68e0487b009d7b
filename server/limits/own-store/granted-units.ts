import type { Answer } from '../../platform/shared-store/resp.ts'
import {
  type Ring,
  ringCells,
  ringGiveBack,
  ringLatest,
  ringTake,
  ringUsed,
  ringWaitFor,
} from '../window/ring.ts'

/** The windows of all limits, and how much each node was granted of each in all. Times are in µs. */
export interface GrantedUnits {
  /** As `askScript`, once it is known that the node may ask. */
  ask(limits: readonly AskedLimit[], slots: number, now: number): Answer
  /** As `peekScript`. */
  peek(key: string, now: number): number
  /** As `giveBackScript`, but for its answer. */
  giveBack(key: string, bucket: number, units: number, now: number): void
  /** Drops what counts nowhere any more. */
  dropOld(now: number): void
  /** Returns the windows that were changed since it was asked last; null for those that are gone. */
  takeChanges(): [key: string, ring: Ring | null][]
}

export interface AskedLimit {
  /** Key of its window. */
  readonly key: string
  /** Key of the account of the node that asks. */
  readonly account: string
  readonly units: number
  /** Length of a sub-bucket. */
  readonly width: number
  readonly need: number
  readonly want: number
  /** Units that the node says it was granted so far. */
  readonly granted: number
}

interface Account {
  granted: number
  expiresAt: number
}

/** `rings` is what an earlier process kept. */
export function createGrantedUnits(rings: Map<string, Ring>): GrantedUnits {
  const accounts = new Map<string, Account>()
  const changed = new Set<string>()

  function ringOf({ key, width }: AskedLimit, slots: number): Ring {
    const known = rings.get(key)
    if (known !== undefined) return known
    const ring = { bucketMicros: width, cells: new Float64Array(ringCells(slots)) }
    rings.set(key, ring)
    return ring
  }

  const grantedTo = (account: string): number => accounts.get(account)?.granted ?? 0

  function grant(limit: AskedLimit, ring: Ring, slots: number, now: number): number[] {
    const units = Math.max(0, Math.min(limit.want, limit.units - ringUsed(ring, now)))
    const granted = grantedTo(limit.account) + units
    if (units > 0) {
      ringTake(ring, units, now)
      changed.add(limit.key)
      accounts.set(limit.account, { granted, expiresAt: now + 2 * limit.width * slots })
    }
    return [units, limit.units - ringUsed(ring, now), ringLatest(ring) / limit.width, granted]
  }

  return {
    ask(limits, slots, now) {
      if (limits.some(({ account, granted }) => grantedTo(account) < granted)) return ['behind']
      const asked = limits.map((limit) => {
        const ring = ringOf(limit, slots)
        return { limit, ring, free: limit.units - ringUsed(ring, now) }
      })
      if (asked.every(({ limit, free }) => free >= limit.need))
        return ['granted', ...asked.flatMap(({ limit, ring }) => grant(limit, ring, slots, now))]
      return ['refused', ...asked.flatMap((one) => [waitOf(one, slots, now), Math.max(0, one.free)])]
    },
    peek(key, now) {
      const ring = rings.get(key)
      return ring === undefined ? 0 : ringUsed(ring, now)
    },
    giveBack(key, bucket, units, now) {
      const ring = rings.get(key)
      if (ring === undefined) return
      ringGiveBack(ring, units, bucket * ring.bucketMicros, now)
      changed.add(key)
    },
    dropOld(now) {
      for (const [key, ring] of rings) {
        if (ringUsed(ring, now) > 0) continue
        rings.delete(key)
        changed.add(key)
      }
      for (const [account, { expiresAt }] of accounts) if (expiresAt <= now) accounts.delete(account)
    },
    takeChanges() {
      const keys = [...changed]
      changed.clear()
      return keys.map((key) => [key, rings.get(key) ?? null])
    },
  }
}

/** µs until as much as is needed fits; 0 when it does. What is more than the limit itself never fits. */
function waitOf(
  { limit, ring, free }: { limit: AskedLimit; ring: Ring; free: number },
  slots: number,
  now: number,
): number {
  const missing = limit.need - free
  return missing > ringUsed(ring, now) ? limit.width * slots : ringWaitFor(ring, missing, now)
}
