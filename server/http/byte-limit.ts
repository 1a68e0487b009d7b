import { fault } from '../platform/fault.ts'
import { sourceOf } from '../platform/http/address-limit.ts'
import { callerOf } from '../platform/http/request-facts.ts'
import { RecentMap } from '../platform/recent-map.ts'
import { tryAgainIn } from '../platform/try-again-in.ts'

/** About 1 MB. When there are more addresses, the one that read least recently is forgotten. */
const maxAddresses = 10_000

/** How many bytes of what anybody may read go to one address. */
export interface ByteLimit {
  /** Counts `bytes`, unless they are too many. Returns the seconds to wait then, else 0. */
  take(address: string | null, bytes: number): number
}

/** Creates a bucket for each address that is full again within a minute. `monotonic`: ms of a clock that does not run back. */
export function createByteLimit(perMinute: number, monotonic: () => number): ByteLimit {
  const buckets = new RecentMap<string, { left: number; at: number }>(maxAddresses)
  const perMs = perMinute / 60_000

  return {
    take(address, bytes) {
      const source = sourceOf(address)
      const now = monotonic()
      const { left, at } = buckets.get(source) ?? { left: perMinute, at: now }
      const filled = Math.min(perMinute, left + (now - at) * perMs)
      const isEnough = filled >= bytes
      buckets.set(source, { left: isEnough ? filled - bytes : filled, at: now })
      return isEnough ? 0 : Math.ceil((bytes - filled) / perMs / 1_000)
    },
  }
}

/** Creates the limit on files and documents of ours: hundreds of visits of the whole console in a minute. */
export const createPublicReads = (monotonic: () => number): ByteLimit => createByteLimit(256 << 20, monotonic)

/** Counts what the caller of a request is about to be sent. Throws the fault `rate_limited` when it is too much. */
export function countBytes(limit: ByteLimit, request: Request, bytes: number): void {
  const retryAfterSec = limit.take(callerOf(request).address, bytes)
  if (retryAfterSec === 0) return
  const text = `Too much was read from this address in a minute; ${tryAgainIn(retryAfterSec * 1_000)}`
  throw fault('rate_limited', text, { retryAfterSec })
}
