import { expect, test } from 'bun:test'

import { auditTable, describeBreak } from './audit.ts'

const event = {
  seq: 12,
  at: Date.UTC(2026, 0, 31, 12),
  actor: 'acc_1',
  actorLabel: 'Ada',
  action: 'api_key.reveal',
  subjectKind: 'api_key',
  subjectId: 'key_1',
  before: null,
  after: null,
  ip: '192.0.2.1',
  requestId: 'req_1',
  previousHash: 'ab',
  hash: 'cd',
}

test('a table says who did what to what', () => {
  const unnamed = { ...event, seq: 2, actor: 'cli', actorLabel: '', ip: null }
  expect(auditTable([event, unnamed])).toBe(
    `SEQ  AT                        WHO  ACTION          SUBJECT        IP
12   2026-01-31T12:00:00.000Z  Ada  api_key.reveal  api_key key_1  192.0.2.1
2    2026-01-31T12:00:00.000Z  cli  api_key.reveal  api_key key_1  -
`,
  )
})

test('a break is a sentence', () => {
  expect(describeBreak({ seq: 12, reason: 'altered' })).toBe('event 12 is not as it was recorded')
})
