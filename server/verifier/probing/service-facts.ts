import type { ServiceFacts } from '../../../shared/service-facts.ts'

/** Facts of one service, to be reported. */
export interface FoundFacts {
  readonly serviceId: string
  readonly facts: ServiceFacts
}

/** Facts as they were found out last. They are reported when they change, and again every few minutes. */
export interface FactsLedger {
  /** Replaces the facts that are given; the others stay. */
  note(serviceId: string, facts: ServiceFacts): void
  /** Returns what of these services is to be reported now (monotonic milliseconds). */
  takeDue(serviceIds: readonly string[], now: number): FoundFacts[]
  keepOnly(serviceIds: ReadonlySet<string>): void
}

/** The server keeps facts in memory: after its restart they are known again within this time (ms). */
const repeatMs = 300_000

interface Entry {
  facts: ServiceFacts
  reported: { readonly text: string; readonly at: number } | null
}

export function createFactsLedger(): FactsLedger {
  const entries = new Map<string, Entry>()
  return {
    note(serviceId, facts) {
      const entry = entries.get(serviceId)
      if (entry) entry.facts = { ...entry.facts, ...facts }
      else entries.set(serviceId, { facts, reported: null })
    },
    takeDue(serviceIds, now) {
      return serviceIds.flatMap((serviceId) => {
        const entry = entries.get(serviceId)
        if (entry === undefined) return []
        const text = JSON.stringify(entry.facts)
        const { reported } = entry
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
