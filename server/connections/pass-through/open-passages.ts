import type { Log } from '../../platform/log.ts'
import { createPeriodicJob } from '../../platform/periodic-job.ts'
import type { Route } from '../route.ts'
import type { ConnectionStore } from '../store.ts'

/** A request on its way to a tool server, until nothing more comes of it. */
interface OpenPassage {
  readonly route: Route
  readonly ending: AbortController
}

export interface OpenPassages {
  /** Adds one. Returns the signal that ends it, and what takes it out and calls `release`. */
  add(route: Route, release: () => void): { readonly signal: AbortSignal; readonly leave: () => void }
  /** Ends those of a gateway session or of a saved connection. */
  closeHolder(holder: string): void
  stop(): void
}

/** As late as calls notice that another process has deleted their connection. */
const checkMs = 2_000

/**
 * The open requests of clients to tool servers, whose streams may last for hours: they end with what they belong to. Saved
 * connections that other processes have deleted are looked for in the database while there are any.
 */
export function createOpenPassages(store: Pick<ConnectionStore, 'existing'>, log: Log): OpenPassages {
  const open = new Set<OpenPassage>()
  const checking = createPeriodicJob(checkMs, endDeleted, (error) =>
    log.debug('open connections could not be checked', { error }),
  )

  function end(isOver: (route: Route) => boolean): void {
    for (const { route, ending } of open) if (isOver(route)) ending.abort()
  }

  async function endDeleted(): Promise<void> {
    const saved = [...open].filter(({ route }) => route.kind === 'saved')
    if (saved.length === 0) return
    const ids = new Set(saved.map(({ route }) => route.connectionId))
    const existing = await store.existing([...ids])
    end(({ connectionId }) => ids.has(connectionId) && !existing.has(connectionId))
  }

  return {
    add(route, release) {
      const passage = { route, ending: new AbortController() }
      if (open.size === 0) checking.start()
      open.add(passage)
      return {
        signal: passage.ending.signal,
        leave() {
          if (open.delete(passage) && open.size === 0) void checking.stop()
          release()
        },
      }
    },
    closeHolder: (holder) => end(({ key }) => key.holder === holder),
    stop: () => end(() => true),
  }
}
