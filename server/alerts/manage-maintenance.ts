import { type SelectableService, isSelected } from '../../shared/alert-services.ts'
import type { MaintenanceView, MaintenanceWindow } from '../../shared/alert-times.ts'
import type { ChangedBy } from '../audit/audit.ts'
import { fault } from '../platform/fault.ts'
import { isOn, maintenanceSpan } from './decide/spans.ts'
import { type AlertSettings, requireFree, requireOwn } from './settings.ts'
import type { SettingsStore } from './settings-store.ts'

export interface ManageMaintenanceOptions {
  readonly settings: Pick<AlertSettings, 'windows' | 'change'>
  readonly store: Pick<SettingsStore, 'putWindow' | 'removeNamed'>
  readonly now: () => number
  readonly changed: () => void
}

const maintenanceSubject = (id: string) => ({ kind: 'maintenance', id }) as const

/** What operators do with planned maintenance. */
export function createManageMaintenance({ settings, store, now, changed }: ManageMaintenanceOptions) {
  /** Throws the fault `invalid_request` for what would never be. */
  function requireFuture(window: MaintenanceWindow): void {
    if (maintenanceSpan(window, now()) === null)
      throw fault('invalid_request', 'once.to: expected an instant in the future')
  }

  return {
    list: (): Promise<MaintenanceView[]> =>
      Promise.resolve(
        [...settings.windows().values()].map(({ item, managedBy }) => {
          const span = maintenanceSpan(item, now())
          return {
            ...item,
            managedBy: managedBy === 'file' ? managedBy : 'operator',
            isUnderWay: isOn(item, now()),
            startsAt: span?.from ?? null,
            endsAt: span?.to ?? null,
          }
        }),
      ),

    /** What is under way or comes next, with the ids of those of the services that are meant. Instants are epoch ms. */
    planned(
      servicesNow: () => readonly SelectableService[],
    ): { from: number; to: number; services: string[] }[] {
      const windows = [...settings.windows().values()]
      const services = windows.length === 0 ? [] : servicesNow()
      return windows.flatMap(({ item }) => {
        const span = maintenanceSpan(item, now())
        const meant = services.filter((service) => isSelected(item.services, service))
        return span === null || meant.length === 0 ? [] : [{ ...span, services: meant.map(({ id }) => id) }]
      })
    },

    /** Faults: `conflict`, `invalid_request`. */
    async create(window: MaintenanceWindow, by: ChangedBy): Promise<void> {
      requireFree(settings.windows(), window.name, 'maintenance')
      requireFuture(window)
      const what = {
        action: 'maintenance.create',
        subject: maintenanceSubject(window.name),
        after: { ...window },
      } as const
      await settings.change(by, what, (sql) => store.putWindow(sql, window, now()))
      changed()
    },

    /** Faults: `not_found`, `conflict`, `invalid_request`. */
    async update(window: MaintenanceWindow, by: ChangedBy): Promise<void> {
      const { item: before } = requireOwn(settings.windows(), window.name, 'maintenance')
      requireFuture(window)
      const facts = { before: { ...before }, after: { ...window } }
      const what = {
        action: 'maintenance.update',
        subject: maintenanceSubject(window.name),
        ...facts,
      } as const
      await settings.change(by, what, (sql) => store.putWindow(sql, window, now()))
      changed()
    },

    /** Faults: `not_found`, `conflict`. */
    async remove(name: string, by: ChangedBy): Promise<void> {
      const { item } = requireOwn(settings.windows(), name, 'maintenance')
      const what = {
        action: 'maintenance.delete',
        subject: maintenanceSubject(name),
        before: { ...item },
      } as const
      await settings.change(by, what, (sql) => store.removeNamed(sql, 'planned_maintenance', name))
      changed()
    },
  }
}
