import type { PriorDiscovery } from '@modelcontextprotocol/client'

import type { Clock } from '../../platform/clock.ts'

/** Which era of the protocol downstreams speak, so that not every connection has to ask. */
export interface Verdicts {
  find(key: string): PriorDiscovery | null
  remember(key: string, verdict: PriorDiscovery): void
  forget(key: string): void
}

/** A server that learned the newer era still answers in the older one: a verdict that never ends would never notice. */
const validMs = 24 * 3_600_000
const maxVerdicts = 2_000

export function createVerdicts(clock: Pick<Clock, 'monotonic'>): Verdicts {
  const verdicts = new Map<string, { readonly verdict: PriorDiscovery; readonly at: number }>()

  return {
    find(key) {
      const known = verdicts.get(key)
      if (known === undefined || clock.monotonic() - known.at >= validMs) return null
      return known.verdict
    },
    remember(key, verdict) {
      verdicts.delete(key)
      verdicts.set(key, { verdict, at: clock.monotonic() })
      const [oldest] = verdicts.keys()
      if (verdicts.size > maxVerdicts && oldest !== undefined) verdicts.delete(oldest)
    },
    forget(key) {
      verdicts.delete(key)
    },
  }
}
