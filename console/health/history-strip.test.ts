import { expect, test } from 'bun:test'
import { mount } from '@vue/test-utils'

import { dayReading, runsOf, spanText } from './history-strip.ts'
import HistoryStrip from './HistoryStrip.vue'
import { rowReason } from './row-reason.ts'

const hour = 3_600_000
const nothing = { upMs: 0, latencyMs: 0, downMs: 0, unknownMs: 0, maintenanceMs: 0, notWatchedMs: 0 }

test('neighbours of the same kind are drawn as one', () => {
  expect(runsOf([null, null, 'UP', 'DOWN', 'DOWN', 'UP'])).toEqual([
    { from: 0, part: 'NOT_WATCHED', count: 2 },
    { from: 2, part: 'UP', count: 1 },
    { from: 3, part: 'DOWN', count: 2 },
    { from: 5, part: 'UP', count: 1 },
  ])
})

test('the strip is told in words, the worst first', () => {
  const day = { ...nothing, upMs: 20 * hour, downMs: 720_000, notWatchedMs: 3 * hour, latencyMs: 400 }
  expect(dayReading(day)).toBe('DOWN 12 min, UP 20 h, not watched 3 h')
  const strip = mount(HistoryStrip, { props: { history: { strip: [null, 'UP', 'UP', 'DOWN'], day } } })
  expect(strip.get('[role=img]').attributes('aria-label')).toBe(
    'Last 24 hours: DOWN 12 min, UP 20 h, not watched 3 h',
  )
  expect(strip.findAll('[role=img] > span')).toHaveLength(3)
})

test('a figure in a list names its span in one unit', () => {
  const texts = [90 * 24 * hour, 26 * hour, hour, 17 * 60_000 + 5_000, 4_000].map(spanText)
  expect(texts).toEqual(['90 d', '1 d', '1 h', '17 min', '4 s'])
})

test('a row says why it is not UP, or what it waits for', () => {
  const row = {
    decision: 'DOWN',
    reason: '2 of 3 say DOWN: no connection',
    pending: null,
    maintenance: null,
  } as const
  const now = 1_000_000
  const since = now / 1_000 - 12
  expect(rowReason(row, now)).toBe('2 of 3 say DOWN: no connection')
  expect(rowReason({ ...row, decision: 'UNKNOWN', reason: 'too few verifiers: 1 reports' }, now)).toBe(
    'Too few verifiers: 1 reports',
  )
  const recovering = { ...row, pending: { decision: 'UP', since, neededSec: 30 } } as const
  expect(rowReason(recovering, now)).toBe('Recovering: UP for 12 s of 30 s')
  expect(rowReason(recovering, now + 60_000)).toBe('Recovering: UP for 30 s of 30 s')
  const failing = {
    ...row,
    decision: 'UP',
    reason: null,
    pending: { decision: 'DOWN', since, neededSec: 20 },
  } as const
  expect(rowReason(failing, now)).toBe('Failing: DOWN for 12 s of 20 s')
  const well = { decision: 'UP', reason: null, pending: null } as const
  expect(rowReason({ ...well, maintenance: null }, now)).toBe('')
  expect(rowReason({ ...well, maintenance: { until: null, note: 'new disks' } }, now)).toBe('new disks')
})
