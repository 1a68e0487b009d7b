import { reasonSentence } from '../../shared/health-reasons.ts'
import { nextTurn } from '../platform/turns.ts'
import type { DecisionChange } from './alert-store.ts'
import type { AlertableService } from './decide/watched.ts'

/** A service as health tells of it now. */
export interface SeenService extends Omit<AlertableService, 'previous' | 'changes'> {}

export interface ServiceSource {
  /** The ids of all services that are shown. */
  ids(): readonly string[]
  /** Null: there is none of this id any more. */
  find(id: string): SeenService | null
  /** When the decision of each service changed since an instant (epoch ms, the newest `most`, in order), as it is stored. */
  changesSince(since: number, most: number): Promise<ReadonlyMap<string, readonly number[]>>
}

/** As many changes of one service are remembered, for rules about flapping. */
const mostChanges = 1_000
/** So many services are read in one turn of the event loop. */
const atOnce = 250

/**
 * What is known of each service. Its decision is that of the last change that was taken, not what health says by now: each
 * change is looked at once, in order, however late.
 */
export function createWatchServices(source: ServiceSource) {
  let known = new Map<string, AlertableService>()

  function seen(id: string, before: AlertableService | undefined): AlertableService | null {
    const now = source.find(id)
    if (now === null || before === undefined) return now && { ...now, previous: now.decision, changes: [] }
    const { decision, previous, reason, since, changes } = before
    return { ...now, decision, previous, reason, since, changes }
  }

  async function readAll(before: ReadonlyMap<string, AlertableService>): Promise<void> {
    const fresh = new Map<string, AlertableService>()
    for (const [place, id] of source.ids().entries()) {
      if (place % atOnce === atOnce - 1) await nextTurn()
      const service = seen(id, before.get(id))
      if (service !== null) fresh.set(id, service)
    }
    known = fresh
  }

  return {
    all: (): ReadonlyMap<string, AlertableService> => known,

    /** Begins anew, with the changes that are stored since an instant (epoch ms): another process may have decided until now. */
    async load(since: number): Promise<void> {
      const changes = await source.changesSince(since, mostChanges)
      await readAll(new Map())
      for (const [id, service] of known) known.set(id, { ...service, changes: changes.get(id) ?? [] })
    },

    /** Reads all services anew. */
    refresh: () => readAll(known),

    /** Takes changes, of each service at most one, and reads anew what the votes on the same chains ask for. */
    async take(changes: readonly DecisionChange[]): Promise<void> {
      const chains = new Set<string>()
      for (const { serviceId, at, from, to, reason } of changes) {
        const before = known.get(serviceId) ?? seen(serviceId, undefined)
        if (before === null) continue
        if (before.chain !== null && (to === 'DOWN' || to === 'UNKNOWN')) chains.add(before.chain)
        const changesOf = before.changes.includes(at)
          ? before.changes
          : [...before.changes, at].slice(-mostChanges)
        known.set(serviceId, {
          ...before,
          decision: to,
          previous: from,
          reason: reasonSentence(reason),
          since: at,
          changes: changesOf,
        })
      }
      if (chains.size === 0) return
      let read = 0
      for (const [id, service] of known) {
        if (service.chain === null || !chains.has(service.chain)) continue
        if (++read % atOnce === 0) await nextTurn()
        const pending = source.find(id)?.pending ?? null
        if (pending !== service.pending) known.set(id, { ...service, pending })
      }
    },
  }
}
