import { expect, test } from 'bun:test'

import { lastMonth, monthChoices, reportCsv, lastedText, uptimePercent } from './report-csv.ts'

const row = {
  serviceId: 'node-a',
  name: '=HYPERLINK("x")',
  provider: 'Acme',
  objective: 99.9,
  availability: 0.999_49,
  countedMs: 1_000_000,
  downMs: 2_500_000,
  latencyMs: 0,
  unknownMs: 0,
  notWatchedMs: 0,
  maintenanceMs: 0,
  budgetMs: 1_000,
  incidents: 2,
  longestMs: 60_000,
}

test('no cell is a formula, and a spent budget is below zero', () => {
  const report = { month: '2026-10', from: 0, to: 1, rows: [row, { ...row, availability: null }] } // prettier-ignore
  const lines = reportCsv(report).trimEnd().split('\r\n')
  expect(lines).toHaveLength(3)
  expect(lines[1]).toBe(`2026-10,node-a,"'=HYPERLINK(""x"")",Acme,99.9,99.949,1000,2500,0,0,0,0,1,-2499,2,60`)
  expect(lines[2]).toContain(',99.9,,1000,')
})

test('times and months are words', () => {
  expect([0, 400, 59_000, 300_000, 7_800_000, 7_200_000, 1_967_520_000].map(lastedText)).toEqual(['–', '1 s', '59 s', '5 min', '2 h 10 min', '2 h', '22 d 18 h']) // prettier-ignore
  expect(uptimePercent(0.999_999_9)).toBe('99.999')
  const january = Date.UTC(2027, 0, 15)
  expect(lastMonth(january)).toBe('2026-12')
  expect(monthChoices(january, 2)).toEqual([
    { value: '2027-01', label: 'January 2027 (until now)' },
    { value: '2026-12', label: 'December 2026' },
  ])
})
