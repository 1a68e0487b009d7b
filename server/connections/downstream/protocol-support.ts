import type { PriorDiscovery } from '@modelcontextprotocol/client'

import type { Clock } from '../../platform/clock.ts'

/** Caches which protocol versions tool servers support, so that not every connection has to ask. */
interface ProtocolSupportCache {
  find(key: string): PriorDiscovery | null
  remember(key: string, protocolSupport: PriorDiscovery): void
  forget(key: string): void
}

/**
 * The lifetime of an entry. A server that learns a newer version still answers in the older one, so an entry without
 * an end would never notice.
 */
const validMs = 24 * 3_600_000
const maxEntries = 2_000

export function createProtocolSupportCache(clock: Pick<Clock, 'monotonic'>): ProtocolSupportCache {
  const entries = new Map<string, { readonly protocolSupport: PriorDiscovery; readonly at: number }>()

  return {
    find(key) {
      const known = entries.get(key)
      if (known === undefined || clock.monotonic() - known.at >= validMs) return null
      return known.protocolSupport
    },
    remember(key, protocolSupport) {
      entries.delete(key)
      entries.set(key, { protocolSupport, at: clock.monotonic() })
      const [oldest] = entries.keys()
      if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest)
    },
    forget(key) {
      entries.delete(key)
    },
  }
}
