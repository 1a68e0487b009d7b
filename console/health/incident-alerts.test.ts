import { expect, test } from 'bun:test'

import { firingAlert } from '../alerts/test-support/firing-alert.ts'
import { alertsIn } from './incident-alerts.ts'

const alert = (id: string, since: number, subjectId = 'node-a') =>
  firingAlert({ id, since: since * 1_000, subject: { kind: 'service', id: subjectId, name: 'Node A' } })

test('the alerts of an incident are those of its service that began in it', () => {
  const alerts = [alert('later', 160), alert('first', 100), alert('other', 120, 'node-b'), alert('next', 200)]
  const idsIn = (closedAt: number | null) =>
    alertsIn({ openedAt: 100, closedAt }, 'node-a', alerts).map(({ id }) => id)
  expect(idsIn(200)).toEqual(['first', 'later'])
  expect(idsIn(null)).toEqual(['first', 'later', 'next'])
})
