import ipaddr from 'ipaddr.js'

import { type MinuteWindow, addTo, countIn, emptyWindow, secondsUntilFree } from './minute-window.ts'
import { RecentMap } from '../recent-map.ts'

/** Limits how often something may come from one address within a minute, wherever that minute begins. */
export interface AddressLimit {
  /** Counts one more. Seconds to wait when there were too many already, else 0. */
  count(address: string | null): number
  /** Returns the seconds to wait when there were too many, else 0, and counts nothing. */
  waitSec(address: string | null): number
}

/** This many take about 2 MB. When there are more addresses, the one that was counted least recently is forgotten. */
const maxAddresses = 10_000

/** `monotonic`: ms of a clock that does not run back. */
export function createAddressLimit(perMinute: number, monotonic: () => number): AddressLimit {
  const windows = new RecentMap<string, MinuteWindow>(maxAddresses)

  /** Puts it behind all others: the first of the map is the next to be forgotten. */
  function windowOf(source: string): MinuteWindow {
    const window = windows.get(source) ?? emptyWindow()
    windows.set(source, window)
    return window
  }

  return {
    count(address) {
      const now = monotonic()
      const window = windowOf(sourceOf(address))
      return addTo(window, now, perMinute) ? 0 : Math.max(1, secondsUntilFree(window, now, perMinute))
    },
    waitSec(address) {
      const now = monotonic()
      const window = windows.get(sourceOf(address))
      if (window === undefined || countIn(window, now) < perMinute) return 0
      return Math.max(1, secondsUntilFree(window, now, perMinute))
    },
  }
}

/**
 * Which addresses count as one: an IPv6 customer has at least a /64, and could come from another address each time. Those
 * that are not known are one, too.
 */
export function sourceOf(address: string | null): string {
  if (address === null) return 'unknown'
  if (!address.includes(':') || !ipaddr.IPv6.isValid(address)) return address
  return ipaddr.IPv6.parse(address).parts.slice(0, 4).join(':')
}
