import { expect, test } from 'bun:test'

import type { MaintenanceWindow } from '../../shared/alert-times.ts'
import { hourMs } from '../../shared/durations.ts'
import { type ManageMaintenanceOptions, createManageMaintenance } from './manage-maintenance.ts'

const now = Date.UTC(2026, 0, 1, 12)
const services = [
  { id: 'a', chain: 'ethereum', provider: 'Acme' },
  { id: 'b', chain: null, provider: 'Acme' },
]

const once = (from: number, to: number) => ({ from: now + from * hourMs, to: now + to * hourMs })

function planned(...windows: MaintenanceWindow[]) {
  const managed = new Map(windows.map((item) => [item.name, { item, managedBy: 'file' as const }]))
  const options = { settings: { windows: () => managed }, now: () => now }
  return createManageMaintenance(options as unknown as ManageMaintenanceOptions).planned(() => services)
}

test('planned work is told with its next span and the services that are meant, until it is over for good', () => {
  expect(
    planned(
      { name: 'disks', reason: 'secret', services: { chain: 'ethereum' }, once: once(-1, 1) },
      { name: 'nightly', reason: '', every: { from: '02:00', to: '04:00', zone: 'UTC' } },
      { name: 'past', reason: '', once: once(-2, -1) },
      { name: 'nobody', reason: '', services: { id: 'c' }, once: once(1, 2) },
    ),
  ).toEqual([
    { ...once(-1, 1), services: ['a'] },
    { ...once(14, 16), services: ['a', 'b'] },
  ])
})
