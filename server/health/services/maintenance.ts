import type { Maintenance } from '../../../shared/health-services.ts'
import type { KeyReplicas } from '../../keys/key-replicas.ts'
import { fault } from '../../platform/fault.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import type { RecordChange } from '../audit-entry.ts'
import type { ServiceStore } from './store.ts'

interface MaintenanceOptions {
  readonly replicas: KeyReplicas
  readonly store: ServiceStore
  readonly clock: SteadyClock
  /** Throws the fault `not_found` for a service that is not registered. */
  readonly requireService: (id: string) => unknown
}

/** Announced work on services, in the database and in the memory of every process. */
export function createMaintenance({ replicas, store, clock, requireService }: MaintenanceOptions) {
  let announced = new Map<string, Maintenance>()

  async function reload(): Promise<void> {
    announced = await store.maintenance(clock.now())
  }
  replicas.keySync.follow({ kind: 'maintenance', reload, refresh: reload })

  function current(id: string): Maintenance | null {
    const work = announced.get(id)
    return work && isUnderWay(work, clock.now()) ? work : null
  }

  return {
    /** Returns the announced work that is under way; null when there is none. */
    current,

    /**
     * Announces work until an instant (epoch ms; null: until somebody ends it). An earlier announcement that lasts
     * longer stays. Throws the faults `not_found` and `invalid_request`.
     */
    async start(id: string, work: Maintenance, record: RecordChange) {
      requireService(id)
      const now = clock.now()
      if (!isUnderWay(work, now)) throw fault('invalid_request', 'until: must be in the future')
      await replicas.change('maintenance', async (sql) => {
        await store.startMaintenance(sql, id, now, work)
        await record(sql)
        return { ids: [id], result: null }
      })
    },

    /** Ends all announced work on a service. Throws the fault `not_found`. */
    async end(id: string, record: RecordChange) {
      requireService(id)
      await replicas.change('maintenance', async (sql) => {
        await store.endMaintenance(sql, id, clock.now())
        await record(sql)
        return { ids: [id], result: null }
      })
    },

    /** Discards what is announced for a service that was removed. */
    forget: (id: string) => void announced.delete(id),
  }
}

const isUnderWay = ({ until }: Maintenance, now: number): boolean => until === null || now < until
