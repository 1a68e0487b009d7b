import type { AlertEvent } from '../alert-event.ts'

/** An event of a node that is DOWN, for tests. */
export const anEvent = (changed: Partial<AlertEvent> = {}): AlertEvent => ({
  type: 'service.decision_changed',
  at: Date.UTC(2026, 0, 1, 12),
  alert: 'node down',
  alertId: 'alert_1',
  status: 'firing',
  severity: 'critical',
  summary: 'Node A (ethereum) is DOWN: no connection',
  subject: { kind: 'service', id: 'node-a', name: 'Node A' },
  since: Date.UTC(2026, 0, 1, 11, 59),
  data: {
    serviceId: 'node-a',
    name: 'Node A',
    chain: 'ethereum',
    provider: 'Acme',
    from: 'UP',
    to: 'DOWN',
    reason: 'no connection',
  },
  incident: null,
  endsIncident: false,
  ...changed,
})
