import type { ListedAuditEntry } from '../audit-words.ts'

/** An entry of the log in which somebody registered a service. */
export const auditEntry = (changes: Partial<ListedAuditEntry> = {}): ListedAuditEntry => ({
  seq: 1,
  at: Date.UTC(2026, 0, 31, 12),
  actor: 'acc_1',
  actorLabel: 'wallet 0x1234…abcd',
  action: 'service.add',
  subjectKind: 'service',
  subjectId: 'node-a',
  before: null,
  after: { name: 'Node A' },
  ip: '192.0.2.1',
  requestId: 'req_1',
  previousHash: '0'.repeat(64),
  hash: 'a'.repeat(64),
  ...changes,
})
