import type { ServiceSpec } from '../../shared/health.ts'
import type { ServiceLine, ServiceSettings, ServiceUpdate } from '../../shared/health-services.ts'
import type { Decisions } from './decisions.ts'
import type { History } from './history/history.ts'
import { createLiveServices } from './live-services.ts'
import type { RecordChange } from './record-change.ts'
import { createServiceLines } from './service-lines.ts'
import type { ServiceChange } from './services/registered-services.ts'
import type { FindChain, Service } from './services/service.ts'
import type { Services } from './services/services.ts'
import { settingsOf } from './services/settings.ts'

/** Live views hear of changes no more often than this. */
const liveEveryMs = 1_000

interface ServiceDeskParts {
  readonly services: Services
  readonly decisions: Decisions
  readonly history: Pick<History, 'forget'>
  readonly findChain: FindChain
  readonly assignmentsChanged: () => void
}

/** What people see of services, and what operators do to them. */
export function createServiceDesk(parts: ServiceDeskParts) {
  const { services, decisions, history, findChain, assignmentsChanged } = parts
  const lines = createServiceLines({ services, decisions, findChain })
  const live = createLiveServices({
    states: lines.states,
    listVersion: () => services.catalogue.version,
    everyMs: liveEveryMs,
  })

  return {
    list: services.list,
    access: services.access,
    lines: lines.all,

    /** Fault: `not_found`. */
    line: (id: string): ServiceLine => lines.of(services.find(id)),

    /** Fault: `not_found`. */
    settings: (id: string): ServiceSettings => settingsOf(services.find(id).service, findChain),

    /** What changes of the list, as it does. */
    live: live.follow,

    async add(spec: ServiceSpec, record: RecordChange<Service>): Promise<Service> {
      const service = await services.add(spec, record)
      assignmentsChanged()
      return service
    },

    /** It keeps its id, its history and its decision. */
    async update(change: ServiceUpdate, record: RecordChange<ServiceChange>): Promise<Service> {
      const service = await services.update(change, record)
      assignmentsChanged()
      return service
    },

    /** With its history. */
    async remove(id: string, record: RecordChange): Promise<void> {
      await services.remove(id, record)
      assignmentsChanged()
      await history.forget(id)
    },

    startMaintenance: services.startMaintenance,
    endMaintenance: services.endMaintenance,

    stop: live.stop,
  }
}
