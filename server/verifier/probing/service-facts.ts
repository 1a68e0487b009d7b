import type { ServiceFacts } from '../../../shared/service-facts.ts'
import type { Target } from '../../../shared/verifier-protocol.ts'

/** Facts of one service, to be reported. */
export interface FoundFacts {
  readonly serviceId: string
  readonly facts: ServiceFacts
}

/** Facts as they were found out last. They are reported when they change, and again every few minutes. */
export interface FactsLedger {
  /** Replaces the facts that are given; the others stay, unless they were read from another address. */
  note(target: Target, facts: ServiceFacts): void
  /** Returns what was read from these services, and is to be reported now (monotonic milliseconds). */
  takeDue(targets: readonly Target[], now: number): FoundFacts[]
  keepOnly(serviceIds: ReadonlySet<string>): void
}

/** The server keeps facts in memory: after its restart they are known again within this time (ms). */
const repeatMs = 300_000

interface Entry {
  readonly endpoint: string
  facts: ServiceFacts
  reported: { readonly text: string; readonly at: number } | null
}

export function createFactsLedger(): FactsLedger {
  const entries = new Map<string, Entry>()
  return {
    note({ serviceId, endpoint }, facts) {
      const entry = entries.get(serviceId)
      if (entry?.endpoint === endpoint) entry.facts = { ...entry.facts, ...facts }
      else entries.set(serviceId, { endpoint, facts, reported: null })
    },
    takeDue(targets, now) {
      return targets.flatMap(({ serviceId, endpoint }) => {
        const entry = entries.get(serviceId)
        if (entry?.endpoint !== endpoint) return []
        const text = JSON.stringify(entry.facts)
        const { reported } = entry
        if (reported === null && text === '{}') return []
        if (reported !== null && reported.text === text && now - reported.at < repeatMs) return []
        entry.reported = { text, at: now }
        return [{ serviceId, facts: entry.facts }]
      })
    },
    keepOnly(serviceIds) {
      for (const serviceId of entries.keys()) if (!serviceIds.has(serviceId)) entries.delete(serviceId)
    },
  }
}
