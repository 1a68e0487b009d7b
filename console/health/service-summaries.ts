import type { LiveServices, ServiceSummary, ServiceState } from '../../shared/health-services.ts'
import { byName } from './rank.ts'

/** The summaries of the list, updated by live events. A summary stays the same object until it changes. */
export interface ServiceSummaries {
  /** Replaces the summaries with a list that was read. */
  load(list: readonly ServiceSummary[]): void
  /** Applies an event. Returns whether a summary changed. */
  accept(event: Pick<LiveServices, 'services'>): boolean
  /** Returns the summaries, sorted by name. */
  all(): readonly ServiceSummary[]
}

export function createServiceSummaries(): ServiceSummaries {
  const summaries = new Map<string, ServiceSummary>()

  function update(state: ServiceState): boolean {
    const summary = summaries.get(state.id)
    // A service that is newer than the list comes with the next list. Of two states the newer one is shown.
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
        // The list may be older than the newest event and still arrive after it.
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
  reason: summary.reason,
  pending: summary.pending,
})
