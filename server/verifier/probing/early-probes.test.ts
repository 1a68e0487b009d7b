import { expect, test } from 'bun:test'

import { type EarlyProbes, createEarlyProbes } from './early-probes.ts'
import { plan, target } from '../test-support/fixtures.ts'

const usual = plan([target('a'), target('b')])
const record = (probes: EarlyProbes, error: 'CONNECT' | null, now: number, by = usual) =>
  probes.record(by, 'a', error, now)

test('a suspicion has a service that answers probed at once, with a little jitter', () => {
  for (const chance of [0, 0.999]) {
    const probes = createEarlyProbes(() => chance)
    record(probes, null, 0)
    probes.suspect('a', 5_000)
    const dueAt = probes.nextDueAt() ?? Infinity
    expect(dueAt).toBeGreaterThanOrEqual(5_000)
    expect(dueAt).toBeLessThan(5_100)
    expect(probes.takeDue(dueAt)).toEqual(['a'])
    expect(probes.nextDueAt()).toBeNull()
  }
})

test('nothing is probed that was never probed, is not answering, or is assigned no more', () => {
  const probes = createEarlyProbes(() => 0)
  probes.suspect('a', 0)
  record(probes, 'CONNECT', 10)
  probes.suspect('a', 20)
  expect(probes.nextDueAt()).toBeNull()
  record(probes, null, 30)
  probes.suspect('a', 40)
  record(probes, 'CONNECT', 50) // found by a probe in its turn meanwhile
  expect(probes.nextDueAt()).toBeNull()
  record(probes, null, 60)
  probes.suspect('a', 70)
  probes.keepOnly(new Set(['b']))
  expect(probes.nextDueAt()).toBeNull()
  probes.suspect('a', 80)
  expect(probes.nextDueAt()).toBeNull()
})

/** The early probes of a service in one hour of suspicions every 10 ms, all of which are refuted. */
function probesInAnHour(intervalMs: number): number {
  const probes = createEarlyProbes(() => 0)
  const by = plan([target('a')], { intervalMs })
  record(probes, null, 0, by)
  let made = 0
  for (let now = 0; now < 3_600_000; now += 10) {
    probes.suspect('a', now)
    for (const _ of probes.takeDue(now)) {
      made += 1
      record(probes, null, now, by)
    }
  }
  return made
}

test('however many suspicions a healthy service raises, it is at most probed twice as often', () => {
  expect(probesInAnHour(10_000)).toBeLessThanOrEqual(3_600_000 / 10_000 + 4)
  expect(probesInAnHour(500)).toBeLessThanOrEqual(3_600_000 / 500 + 1)
})

test('suspicions in the same second are one, and wait while a probe is under way', () => {
  const probes = createEarlyProbes(() => 0)
  record(probes, null, 0)
  for (let now = 5_000; now < 5_900; now += 100) probes.suspect('a', now)
  expect(probes.takeDue(5_900)).toEqual(['a'])
  probes.suspect('a', 6_500)
  expect(probes.nextDueAt()).toBeNull()
  record(probes, null, 6_600)
  probes.suspect('a', 6_700)
  expect(probes.nextDueAt()).toBe(7_900)
})

test('a real failure, or a quiet while, makes the next suspicion as urgent as the first', () => {
  const probes = createEarlyProbes(() => 0)
  record(probes, null, 0)
  for (const now of [10_000, 20_000, 30_000]) {
    probes.suspect('a', now)
    expect(probes.takeDue(now + 8_000)).toEqual(['a'])
    record(probes, null, now + 8_000)
  }
  probes.suspect('a', 60_000)
  expect(probes.nextDueAt()).toBe(60_000)
  probes.takeDue(60_000)
  record(probes, 'CONNECT', 60_001)
  record(probes, null, 63_000)
  probes.suspect('a', 63_500)
  expect(probes.nextDueAt()).toBe(63_500)
})
