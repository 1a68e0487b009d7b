import { expect, test } from 'bun:test'

import { silentLog } from '../../scripts/world/database.ts'
import { createDatabaseClock, followOffset } from './database-clock.ts'
import { createMetrics } from './metrics.ts'

test('the offset of a clock follows what is certainly another one', () => {
  expect(followOffset(0, 90, 5)).toBe(0)
  expect(followOffset(0, -700, 650)).toBe(0)
  expect(followOffset(0, 300, 5)).toBe(300)
  expect(followOffset(300, 250, 5)).toBe(300)
  expect(followOffset(300, 3_600_000, 5)).toBe(3_600_000)
})

/** A machine whose clocks are set by the test, beside a database whose time is right. */
function setUp(wallAheadMs = 0) {
  const machine = { passedMs: 0, wallAheadMs }
  const startedAt = 1_800_000_000_000
  const clock = {
    now: () => startedAt + machine.passedMs + machine.wallAheadMs,
    monotonic: () => 77_000 + machine.passedMs,
  }
  const read = (tookMs = 10) => {
    const [sentAt, wallAt] = [clock.monotonic(), clock.now()]
    machine.passedMs += tookMs
    const databaseTime = startedAt + machine.passedMs - tookMs / 2
    return { databaseTime, sentAt, wallAt, receivedAt: clock.monotonic() }
  }
  const databaseClock = createDatabaseClock(read(), { clock, log: silentLog, metrics: createMetrics() })
  return { machine, databaseClock, read, rightTime: () => startedAt + machine.passedMs }
}

test('time is that of the database, at a machine whose clock is wrong and when one is set', () => {
  for (const wallAheadMs of [0, 3_600_000, -3_600_000]) {
    const { machine, databaseClock, read, rightTime } = setUp(wallAheadMs)
    expect(databaseClock.now()).toBe(rightTime())
    expect(databaseClock.isWallClockWrong()).toBe(wallAheadMs !== 0)
    machine.wallAheadMs = 7_000
    machine.passedMs += 60_000
    expect(databaseClock.now()).toBe(rightTime())
    databaseClock.follow(read())
    expect(databaseClock.now()).toBe(rightTime())
    expect(databaseClock.isWallClockWrong()).toBe(true)
    machine.wallAheadMs = 4_900
    databaseClock.follow(read())
    expect(databaseClock.isWallClockWrong()).toBe(false)
  }
})

test('an answer that took long, because the process stood still, moves nothing', () => {
  const { databaseClock, read, rightTime } = setUp()
  databaseClock.follow({ ...read(6_000), databaseTime: rightTime() - 5_990 })
  expect(databaseClock.now()).toBe(rightTime())
  expect(databaseClock.isWallClockWrong()).toBe(false)
})
