import ipaddr from 'ipaddr.js'

import {
  type FailureWindow,
  addFailure,
  emptyWindow,
  failuresIn,
  failuresPerMinute,
  secondsUntilFree,
} from './failure-window.ts'

/** Bad keys by the address that showed them. */
export interface Failures {
  /** Counts one; seconds to wait when there were too many, else 0. */
  add(address: string | null): number
  /** Seconds to wait when there were too many, else 0. */
  waitSec(address: string | null): number
}

/** Of two generations: about 2 MB together. */
const addressesOfGeneration = 5_000

/** `monotonic`: ms of a clock that does not run back. */
export function createFailures(monotonic: () => number): Failures {
  let young = new Map<string, FailureWindow>()
  let old = new Map<string, FailureWindow>()

  const find = (source: string): FailureWindow | undefined => young.get(source) ?? old.get(source)

  /** When there are too many addresses, those that failed least recently are forgotten together. */
  function windowOf(source: string): FailureWindow {
    const window = find(source) ?? emptyWindow()
    if (!young.has(source) && young.size >= addressesOfGeneration) {
      old = young
      young = new Map()
    }
    young.set(source, window)
    return window
  }

  return {
    add(address) {
      const now = monotonic()
      const window = windowOf(sourceOf(address))
      return addFailure(window, now) ? 0 : Math.max(1, secondsUntilFree(window, now))
    },
    waitSec(address) {
      const now = monotonic()
      const window = find(sourceOf(address))
      if (window === undefined || failuresIn(window, now) < failuresPerMinute) return 0
      return Math.max(1, secondsUntilFree(window, now))
    },
  }
}

const unknownSource = 'unknown'

/** An IPv6 customer has at least a /64, and could come from another address each time. */
function sourceOf(address: string | null): string {
  if (address === null) return unknownSource
  if (!address.includes(':') || !ipaddr.IPv6.isValid(address)) return address
  return ipaddr.IPv6.parse(address).parts.slice(0, 4).join(':')
}
