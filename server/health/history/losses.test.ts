import { expect, test } from 'bun:test'

import { silentLog } from '../../../scripts/world/database.ts'
import { createVirtualClock } from '../test-support/virtual-clock.ts'
import { createLossReport } from './losses.ts'

test('every loss is counted, and told once a minute with what was lost since', () => {
  const clock = createVirtualClock()
  const told: unknown[] = []
  const counted: [kind: string, rows: number][] = []
  const log = { ...silentLog, error: (_: string, fields?: object) => void told.push(fields) }
  const lost = createLossReport(clock, log, (kind, rows) => void counted.push([kind, rows]))
  lost('rollup', 3)
  lost('transition', 1)
  clock.advance(59_999)
  lost('transition', 1)
  expect(told).toEqual([{ rows: 3 }])
  clock.advance(1)
  lost('rollup', 5)
  expect(told).toEqual([{ rows: 3 }, { rows: 7 }])
  expect(counted).toEqual([
    ['rollup', 3],
    ['transition', 1],
    ['transition', 1],
    ['rollup', 5],
  ])
})
