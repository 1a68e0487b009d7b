import type { LiveServices, ServiceLine, ServiceState } from '../../shared/health-services.ts'

/** The lines of the list, with what the live events brought. A line keeps its identity until it changes. */
export interface Lines {
  /** Takes over a list that was read. */
  load(list: readonly ServiceLine[]): void
  /** Whether the event changed a line. */
  accept(event: Pick<LiveServices, 'services'>): boolean
  all(): readonly ServiceLine[]
}

export function createLines(): Lines {
  const lines = new Map<string, ServiceLine>()

  function update(state: ServiceState): boolean {
    const line = lines.get(state.id)
    // A service that came after the list was read comes with the next list; of two words the newer one holds.
    if (line === undefined || state.timestamp < line.timestamp) return false
    lines.set(state.id, { ...line, ...state })
    return true
  }

  return {
    load(list) {
      const before = [...lines.values()]
      lines.clear()
      for (const line of list) lines.set(line.id, line)
      for (const { id, timestamp, ...line } of before) {
        // The list may have been made before the newest event and come after it.
        if (timestamp > (lines.get(id)?.timestamp ?? timestamp)) update({ ...stateOf(line), id, timestamp })
      }
    },
    accept: ({ services }) => services.map(update).includes(true),
    all: () => [...lines.values()],
  }
}

const stateOf = (line: Omit<ServiceState, 'id' | 'timestamp'>): Omit<ServiceState, 'id' | 'timestamp'> => ({
  decision: line.decision,
  decisionSince: line.decisionSince,
  liveVerifiers: line.liveVerifiers,
  avgBlocksLatency: line.avgBlocksLatency,
  avgTimeLatency: line.avgTimeLatency,
  maintenance: line.maintenance,
})
