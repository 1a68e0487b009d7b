import { expect, test } from 'bun:test'

import { dayMs, hourMs, minuteMs } from '../../shared/durations.ts'
import { reportRow } from './report.ts'

const service = { id: 'a', name: 'A', provider: 'Acme' }
const from = Date.UTC(2026, 9, 1)
const span = { from, to: from + 31 * dayMs }

test('the error budget is a share of the time that counts', () => {
  const byDecision = { UP: 29 * dayMs, LATENCY: hourMs, DOWN: 40 * minuteMs, UNKNOWN: hourMs }
  const row = reportRow(
    service,
    {
      id: 'a',
      times: [{ totalMs: 31 * dayMs, maintenanceMs: hourMs, notWatchedMs: dayMs, byDecision }],
      availability: 0.999,
      watchedMs: 30 * dayMs,
      troubles: [
        { from: from - hourMs, to: from + 10 * minuteMs, worst: 'DOWN' },
        { from: from + dayMs, to: from + dayMs + 30 * minuteMs, worst: 'DOWN' },
        { from: from - 2 * hourMs, to: from - hourMs, worst: 'LATENCY' },
      ],
      responseMs: null,
    },
    99.9,
    span,
  )
  const countedMs = 29 * dayMs + hourMs + 40 * minuteMs
  expect(row).toMatchObject({ countedMs, downMs: 40 * minuteMs, notWatchedMs: dayMs, maintenanceMs: hourMs })
  expect(row.budgetMs).toBe(Math.round(countedMs / 1_000))
  expect([row.incidents, row.longestMs]).toEqual([2, 30 * minuteMs])
})

test('nobody watched: nothing counts, and nothing is promised', () => {
  const row = reportRow(service, { id: 'a', times: [], availability: null, watchedMs: 0, troubles: [], responseMs: null }, 99.9, span) // prettier-ignore
  expect(row).toMatchObject({ availability: null, countedMs: 0, budgetMs: 0, incidents: 0, longestMs: 0 })
})
