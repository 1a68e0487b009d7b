import {
  type LiveServices,
  type ServiceState,
  type ServiceSummary,
  isSameState,
} from '../../shared/health-services.ts'
import { byName } from './rank.ts'

/** The summaries of the list, updated by live events. A summary stays the same object until something of it changes. */
export interface ServiceSummaries {
  /** Replaces the summaries with a list that was read. */
  load(list: readonly ServiceSummary[]): void
  /** Applies an event. Returns whether a summary changed. */
  accept(event: Pick<LiveServices, 'services'>): boolean
  /** Returns the summaries, sorted by name. */
  all(): readonly ServiceSummary[]
}

interface Known {
  summary: ServiceSummary
  /** Of the newest evaluation that says so, Unix seconds. */
  timestamp: number
}

export function createServiceSummaries(): ServiceSummaries {
  const known = new Map<string, Known>()

  function update(state: ServiceState): boolean {
    const entry = known.get(state.id)
    // A service that is newer than the list comes with the next list. Of two states the newer one is shown.
    if (entry === undefined || state.timestamp < entry.timestamp) return false
    entry.timestamp = state.timestamp
    // A stream begins with everything, most of which the list has said already.
    if (isSameState(entry.summary, state)) return false
    entry.summary = { ...entry.summary, ...state }
    return true
  }

  return {
    load(list) {
      const before = [...known.values()]
      known.clear()
      for (const summary of list.toSorted(byName)) {
        known.set(summary.id, { summary, timestamp: summary.timestamp })
      }
      // The list may be older than the newest event and still arrive after it.
      for (const { summary, timestamp } of before) {
        if (timestamp > (known.get(summary.id)?.timestamp ?? timestamp))
          update({ ...stateOf(summary), timestamp })
      }
    },
    accept: ({ services }) => services.map(update).includes(true),
    all: () => Array.from(known.values(), ({ summary }) => summary),
  }
}

const stateOf = (summary: ServiceSummary): ServiceState => ({
  id: summary.id,
  decision: summary.decision,
  decisionSince: summary.decisionSince,
  liveVerifiers: summary.liveVerifiers,
  avgBlocksLatency: summary.avgBlocksLatency,
  avgTimeLatency: summary.avgTimeLatency,
  timestamp: summary.timestamp,
  maintenance: summary.maintenance,
  reason: summary.reason,
  pending: summary.pending,
})
