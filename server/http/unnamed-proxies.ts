import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'

/**
 * Watches for reverse proxies that are not named in GATEHOUSE_TRUSTED_PROXIES. Behind one, all visitors seem to come from
 * its address: they share whatever is counted by address, and Allowed IPs of keys mean the proxy.
 */
export interface UnnamedProxies {
  /** A peer that is not trusted has sent a header of proxies. */
  note(peer: string): void
  /** The one that spoke for others most often, while it does so; null: there is none. */
  current(): UnnamedProxy | null
}

export interface UnnamedProxy {
  readonly address: string
  /** `NAME=value` that names it beside those that are named already. */
  readonly setting: string
}

/** Anybody can send such a header: one who does so from time to time is no proxy, and is not told of for long. */
const recentMs = 600_000
/** Bounds memory and log; a proxy in front of everybody is among the first. */
const mostPeers = 16

interface UnnamedProxiesOptions {
  readonly log: Log
  readonly clock: Pick<Clock, 'monotonic'>
  /** Those that are named, as they were written. */
  readonly named: readonly string[]
}

export function createUnnamedProxies({ log, clock, named }: UnnamedProxiesOptions): UnnamedProxies {
  const peers = new Map<string, { count: number; lastAt: number }>()
  const settingFor = (address: string): string => `GATEHOUSE_TRUSTED_PROXIES=${[...named, address].join(',')}`

  function add(address: string, at: number): void {
    if (peers.size >= mostPeers) return
    peers.set(address, { count: 1, lastAt: at })
    log.warn('requests come through a proxy that is not trusted: all its visitors count as one address', {
      proxy: address,
      ifItIsYours: settingFor(address),
    })
  }

  return {
    note(peer) {
      const now = clock.monotonic()
      const known = peers.get(peer)
      if (known === undefined) return add(peer, now)
      known.count += 1
      known.lastAt = now
    },
    current() {
      const since = clock.monotonic() - recentMs
      const [first] = [...peers]
        .filter(([, { lastAt }]) => lastAt > since)
        .toSorted(([, one], [, other]) => other.count - one.count)
      return first === undefined ? null : { address: first[0], setting: settingFor(first[0]) }
    },
  }
}
