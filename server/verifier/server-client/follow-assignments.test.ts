import { expect, test } from 'bun:test'

import { systemClock } from '../../platform/clock.ts'
import { silentLog } from '../../../scripts/world/database.ts'
import { assignments, target } from '../test-support/fixtures.ts'
import { followAssignments } from './follow-assignments.ts'
import type { AssignmentsOutcome } from './server-client.ts'

test('what the server says is told once, and again when it says something else', async () => {
  const refused: AssignmentsOutcome = { kind: 'refused', status: 403, message: 'this host is not allowed' }
  const outcomes: AssignmentsOutcome[] = [
    { kind: 'unreachable' },
    refused,
    refused,
    { kind: 'changed', assignments: assignments([target('a')]) },
    refused,
    { kind: 'revoked' },
  ]
  const told: unknown[] = []
  const end = await followAssignments(
    {
      serverClient: {
        assignments: async () => outcomes.shift() ?? { kind: 'revoked' },
        report: async () => ({ kind: 'unreachable' }),
        ping: async () => null,
      },
      clock: systemClock,
      random: () => 0,
      log: { ...silentLog, warn: (text, facts) => void told.push([text, facts]) },
      onAssignments: () => undefined,
    },
    new AbortController().signal,
  )
  const refusal = [
    'the server refuses to say what to probe; trying again',
    { status: 403, message: 'this host is not allowed' },
  ]
  expect([end, told]).toEqual([
    'revoked',
    [['the server does not answer; trying again', {}], refusal, refusal],
  ])
})
