import type { LiveServices, ServiceSummary, ServiceState } from '../../shared/health-services.ts'
import { byName } from './rank.ts'

/** The summaries of the list, with what the live events brought. A summary keeps its identity until it changes. */
export interface ServiceSummaries {
  /** Takes over a list that was read. */
  load(list: readonly ServiceSummary[]): void
  /** Whether the event changed a summary. */
  accept(event: Pick<LiveServices, 'services'>): boolean
  /** By name. */
  all(): readonly ServiceSummary[]
}

export function createServiceSummaries(): ServiceSummaries {
  const summaries = new Map<string, ServiceSummary>()

  function update(state: ServiceState): boolean {
    const summary = summaries.get(state.id)
    // A service that came after the list was read comes with the next list; of two words the newer one holds.
    if (summary === undefined || state.timestamp < summary.timestamp) return false
    summaries.set(state.id, { ...summary, ...state })
    return true
  }

  return {
    load(list) {
      const before = [...summaries.values()]
      summaries.clear()
      for (const summary of list.toSorted(byName)) summaries.set(summary.id, summary)
      for (const { id, timestamp, ...summary } of before) {
        // The list may have been made before the newest event and come after it.
        if (timestamp > (summaries.get(id)?.timestamp ?? timestamp))
          update({ ...stateOf(summary), id, timestamp })
      }
    },
    accept: ({ services }) => services.map(update).includes(true),
    all: () => [...summaries.values()],
  }
}

const stateOf = (
  summary: Omit<ServiceState, 'id' | 'timestamp'>,
): Omit<ServiceState, 'id' | 'timestamp'> => ({
  decision: summary.decision,
  decisionSince: summary.decisionSince,
  liveVerifiers: summary.liveVerifiers,
  avgBlocksLatency: summary.avgBlocksLatency,
  avgTimeLatency: summary.avgTimeLatency,
  maintenance: summary.maintenance,
})
