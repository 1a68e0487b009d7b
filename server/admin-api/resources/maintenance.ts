import { MaintenancePatch, MaintenanceResource } from '../../../shared/admin-alert-resources.ts'
import { MaintenanceByName, type MaintenanceView, MaintenanceWindow } from '../../../shared/alert-times.ts'
import { mergePatched } from '../../../shared/merge-patch.ts'
import { oneList } from '../one-list.ts'
import { resource } from '../resource.ts'

/** What of a window can be changed. */
function specOf({
  managedBy: _by,
  isUnderWay: _now,
  startsAt: _from,
  endsAt: _to,
  ...spec
}: MaintenanceView): MaintenanceWindow {
  return spec
}

const windows = oneList<MaintenanceView>({
  all: ({ call }) => call.maintenance.list(),
  idOf: ({ name }) => name,
  versionOf: (window) => [window.managedBy, specOf(window)],
  missing: 'There is no planned work of this name',
})

/** Work that is planned, in which alerts are held back. */
export const adminMaintenance = resource({
  path: 'maintenance',
  name: 'MaintenanceWindow',
  one: 'planned work',
  many: 'planned work',
  view: MaintenanceResource,
  id: MaintenanceByName.shape.name,
  ...windows.reading,
  creating: {
    body: MaintenanceWindow,
    example: {
      name: 'restarts',
      services: { provider: 'acme' },
      every: { from: '02:00', to: '04:00', days: ['sun'], zone: 'Europe/Berlin' },
    },
    about: 'Without `services` it is about all; either `once` or `every` says when.',
    async create({ call }, window) {
      await call.maintenance.create(window)
      return { id: window.name }
    },
  },
  changing: {
    body: MaintenancePatch,
    example: { reason: 'new disks' },
    about: 'Null takes a field away, or back to its default.',
    async change(operator, name, patch) {
      const window = specOf(await windows.get(operator, name))
      await operator.call.maintenance.update(mergePatched(window, patch))
    },
  },
  removing: { remove: ({ call }, name) => call.maintenance.delete({ name }) },
})
