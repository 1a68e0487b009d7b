import type { AlertView } from '../../../shared/alerts.ts'

/** An alert about a service that is DOWN, with some of it changed. */
export const firingAlert = (changes: Partial<AlertView>): AlertView => ({
  id: 'a',
  rule: 'Node down',
  type: 'service.decision_changed',
  subject: { kind: 'service', id: 'node-a', name: 'Node A' },
  decision: 'DOWN',
  summary: 'Node A is DOWN',
  since: 0,
  resolvedAt: null,
  toldTo: [],
  hasChannel: true,
  heldBack: null,
  affected: 1,
  acknowledged: null,
  ...changes,
})
