import { expect, test } from 'bun:test'

import { incidentsTable } from './services.ts'

const at = (time: string): number => Date.parse(`2026-11-22T${time}Z`) / 1_000

test('incidents have a line for each reason, the newest incident first', () => {
  const common = { cause: '', transitions: 2, reasonsLeftOut: 0 }
  const lines = incidentsTable([
    {
      ...common,
      openedAt: at('08:00:00'),
      closedAt: at('08:09:00'),
      worst: 'LATENCY',
      reasons: [{ at: at('08:00:00'), decision: 'LATENCY', reason: '2 of 3 say LATENCY: blocks behind' }],
    },
    {
      ...common,
      openedAt: at('10:00:00'),
      closedAt: null,
      worst: 'DOWN',
      reasons: [
        { at: at('10:00:00'), decision: 'DOWN', reason: '3 of 3 say DOWN: no connection' },
        { at: at('10:04:00'), decision: 'DOWN', reason: '3 of 3 say DOWN: it fails inside (5xx)' },
      ],
    },
  ])
  expect(lines.trimEnd().split('\n')).toEqual([
    'SINCE                 UNTIL                 WORST    REASON',
    '2026-11-22T10:00:00Z  still open            DOWN     3 of 3 say DOWN: no connection',
    '2026-11-22T10:04:00Z                                 3 of 3 say DOWN: it fails inside (5xx)',
    '2026-11-22T08:00:00Z  2026-11-22T08:09:00Z  LATENCY  2 of 3 say LATENCY: blocks behind',
  ])
})
