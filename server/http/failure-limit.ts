import ipaddr from 'ipaddr.js'

import { Fault, fault } from '../platform/fault.ts'
import {
  type FailureWindow,
  addFailure,
  emptyWindow,
  failuresIn,
  secondsUntilFree,
} from './failure-window.ts'

/** Keeps one address from trying without end what costs us work before it is refused. */
export interface FailureLimit {
  /**
   * Does the work, and counts it against the address when it is refused as `unauthorized` or the like.
   * Fault: `rate_limited`, without doing it, for an address that failed too often within the last minute.
   */
  hold<T>(address: string | null, work: () => T | Promise<T>): Promise<T>
}

/** About 1 MB. When there are more addresses, the one that failed least recently is forgotten. */
const maxAddresses = 10_000

const countedCodes: ReadonlySet<string> = new Set(['unauthorized', 'verifier_unknown', 'verifier_revoked'])

/** `monotonic`: ms of a clock that does not run back. */
export function createFailureLimit(perMinute: number, monotonic: () => number): FailureLimit {
  const windows = new Map<string, FailureWindow>()

  /** Puts it behind all others: the first of the map is the next to be forgotten. */
  function count(source: string): void {
    const window = windows.get(source) ?? emptyWindow()
    windows.delete(source)
    windows.set(source, window)
    if (windows.size > maxAddresses) windows.delete(windows.keys().next().value ?? source)
    addFailure(window, monotonic(), perMinute)
  }

  function refuseIfBlocked(source: string): void {
    const window = windows.get(source)
    if (window === undefined || failuresIn(window, monotonic()) < perMinute) return
    throw fault('rate_limited', 'Too many refused attempts from this address; wait as Retry-After says', {
      retryAfterSec: Math.max(1, secondsUntilFree(window, monotonic(), perMinute)),
    })
  }

  return {
    async hold(address, work) {
      const source = sourceOf(address)
      refuseIfBlocked(source)
      try {
        return await work()
      } catch (error) {
        if (error instanceof Fault && countedCodes.has(error.code)) count(source)
        throw error
      }
    },
  }
}

/** An IPv6 customer has at least a /64, and could come from another address each time. */
function sourceOf(address: string | null): string {
  if (address === null) return 'unknown'
  if (!address.includes(':') || !ipaddr.IPv6.isValid(address)) return address
  return ipaddr.IPv6.parse(address).parts.slice(0, 4).join(':')
}
