import { expect, test } from 'bun:test'

import * as fc from 'fast-check'

import type { Target } from '../../../shared/verifier-protocol.ts'
import { createProbeSchedule } from './schedule.ts'
import { plan, target, withInterval } from '../test-support/fixtures.ts'

const planOf = (key: string, intervalMs: number) =>
  plan([target(key, withInterval(intervalMs))], { key, intervalMs })
const keysOf = (plans: { key: string }[]) => plans.map(({ key }) => key)

test('rounds begin within a second and then come every interval, ±10 %', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { minLength: 1 }),
      (chances) => {
        let draws = 0
        const schedule = createProbeSchedule(() => chances[draws++ % chances.length] ?? 0)
        let now = 1_000
        schedule.replacePlans([planOf('a', 10_000)], now)
        const starts: number[] = []
        while (starts.length < 20) {
          now = schedule.nextDueAt() ?? Infinity
          expect(keysOf(schedule.takeDue(now))).toEqual(['a'])
          schedule.finished('a')
          starts.push(now)
        }
        expect(starts[0]).toBeLessThanOrEqual(2_000)
        for (const [index, start] of starts.slice(1).entries()) {
          const gap = start - (starts[index] ?? 0)
          expect(gap).toBeGreaterThanOrEqual(9_000 - 1e-6)
          expect(gap).toBeLessThanOrEqual(11_000 + 1e-6)
        }
      },
    ),
  )
})

test('nothing is due before its time', () => {
  const schedule = createProbeSchedule(() => 0.5)
  schedule.replacePlans([planOf('a', 10_000), planOf('b', 200)], 0)
  expect(schedule.nextDueAt()).toBe(100)
  expect(schedule.takeDue(99)).toEqual([])
  expect(keysOf(schedule.takeDue(100))).toEqual(['b'])
  expect(schedule.nextDueAt()).toBe(500)
})

test('a plan never overlaps itself; one that was late follows at once', () => {
  const schedule = createProbeSchedule(() => 0.5)
  schedule.replacePlans([planOf('a', 1_000)], 0)
  expect(keysOf(schedule.takeDue(500))).toEqual(['a'])
  expect(schedule.nextDueAt()).toBeNull()
  expect(schedule.takeDue(1_600)).toEqual([])
  schedule.finished('a')
  expect(schedule.nextDueAt()).toBe(1_500)
  expect(keysOf(schedule.takeDue(1_600))).toEqual(['a'])
  schedule.finished('a')
  expect(schedule.nextDueAt()).toBe(2_600)
})

test('the server may slow everybody down, and let go again', () => {
  const schedule = createProbeSchedule(() => 0.5)
  schedule.replacePlans([planOf('a', 1_000)], 0)
  schedule.slowDownTo(30_000)
  schedule.takeDue(500)
  schedule.finished('a')
  expect(schedule.nextDueAt()).toBe(30_500)
  schedule.slowDownTo(0)
  schedule.takeDue(30_500)
  schedule.finished('a')
  expect(schedule.nextDueAt()).toBe(31_500)
})

test('new assignments keep the rhythm of what stays, hurry what became urgent, and drop what is gone', () => {
  const schedule = createProbeSchedule(() => 0.5)
  schedule.replacePlans([planOf('stays', 10_000), planOf('hurries', 600_000), planOf('goes', 10_000)], 0)
  schedule.takeDue(500)
  for (const key of ['stays', 'hurries', 'goes']) schedule.finished(key)
  schedule.replacePlans([planOf('stays', 10_000), planOf('hurries', 1_000), planOf('comes', 10_000)], 2_000)
  const due: [number, string][] = []
  for (let now = schedule.nextDueAt() ?? 0; due.length < 4; now = schedule.nextDueAt() ?? Infinity) {
    for (const { key } of schedule.takeDue(now)) {
      due.push([now, key])
      schedule.finished(key)
    }
  }
  expect(due).toEqual([
    [2_500, 'hurries'],
    [2_500, 'comes'],
    [3_500, 'hurries'],
    [4_500, 'hurries'],
  ])
})

test('assignments that change all the time do not put off what stays', () => {
  const schedule = createProbeSchedule(() => 0.5)
  schedule.replacePlans([planOf('a', 10_000)], 0)
  schedule.takeDue(500)
  schedule.finished('a')
  for (let now = 1_000; now < 10_500; now += 1_000) schedule.replacePlans([planOf('a', 10_000)], now)
  expect(schedule.nextDueAt()).toBe(10_500)
})

const tenMinutes = 600_000
const longPlanOf = (targets: Target[]) => plan(targets, { key: 'long', intervalMs: tenMinutes })

/** A schedule whose only plan was probed a minute ago, and would be probed again in nine. */
function waiting(targets: Target[]) {
  const schedule = createProbeSchedule(() => 0.5)
  schedule.replacePlans([longPlanOf(targets)], 0)
  schedule.takeDue(500)
  schedule.finished('long')
  expect(schedule.nextDueAt()).toBe(500 + tenMinutes)
  return schedule
}

test('a service that joins a plan, moves or is asked in another way is probed soon, whatever the interval', () => {
  const known = [target('a'), target('b')]
  const moved = target('b', { endpoint: 'http://127.0.0.1:2/' })
  const withKey = target('b', { headers: { 'x-api-key': 'another' } })
  for (const change of [
    [...known, target('c')],
    [target('a'), moved],
    [target('a'), withKey],
  ]) {
    const schedule = waiting(known)
    schedule.replacePlans([longPlanOf(change)], 60_000)
    expect(schedule.nextDueAt()).toBe(60_500)
    expect(schedule.takeDue(60_500).map(({ targets }) => targets)).toEqual([change])
    schedule.finished('long')
    expect(schedule.nextDueAt()).toBe(60_500 + tenMinutes)
  }
})

test('a service that leaves a plan changes nothing for those that stay', () => {
  const schedule = waiting([target('a'), target('b')])
  schedule.replacePlans([longPlanOf([target('b')])], 60_000)
  expect(schedule.nextDueAt()).toBe(500 + tenMinutes)
})

test('services that join one by one have their plan probed at most every ten seconds', () => {
  const schedule = waiting([target('a')])
  const joined = [target('a')]
  const starts: number[] = []
  for (let now = 60_000; now < 90_000; now += 100) {
    joined.push(target(`service-${now}`))
    schedule.replacePlans([longPlanOf([...joined])], now)
    starts.push(...schedule.takeDue(now).map(() => now))
    schedule.finished('long')
  }
  expect(starts).toEqual([60_500, 71_000, 81_500])
})

test('plans to which services come at the same time do not start at once', () => {
  const keys = Array.from({ length: 100 }, (_, index) => `chain-${index}`)
  const plansWith = (targets: Target[]) => keys.map((key) => plan(targets, { key, intervalMs: tenMinutes }))
  const schedule = createProbeSchedule(Math.random)
  schedule.replacePlans(plansWith([target('a')]), 0)
  for (const { key } of schedule.takeDue(1_000)) schedule.finished(key)
  schedule.replacePlans(plansWith([target('a'), target('b')]), 60_000)
  expect(schedule.takeDue(60_000)).toHaveLength(0)
  const inHalf = schedule.takeDue(60_500).length
  expect(inHalf).toBeGreaterThan(10)
  expect(inHalf).toBeLessThan(90)
  expect(schedule.takeDue(61_000)).toHaveLength(100 - inHalf)
})

test('a plan that is taken away while it runs, and comes back, does not run twice at once', () => {
  const schedule = createProbeSchedule(() => 0)
  schedule.replacePlans([planOf('a', 1_000)], 0)
  schedule.takeDue(0)
  schedule.replacePlans([], 10)
  expect(schedule.nextDueAt()).toBeNull()
  schedule.replacePlans([planOf('a', 1_000)], 20)
  expect(schedule.takeDue(5_000)).toEqual([])
  schedule.finished('a')
  expect(keysOf(schedule.takeDue(5_000))).toEqual(['a'])
})

test('a round that is brought forward is due now, and its time is given back in those after it', () => {
  const schedule = createProbeSchedule(() => 0.5)
  schedule.replacePlans([planOf('a', 10_000)], 0)
  schedule.takeDue(500)
  schedule.bringForward('a', 600) // while it runs
  schedule.finished('a')
  expect(schedule.nextDueAt()).toBe(10_500)
  schedule.bringForward('b', 2_500)
  schedule.bringForward('a', 2_500)
  expect(schedule.nextDueAt()).toBe(2_500)
  const starts: number[] = []
  while (starts.length < 12) {
    const now = schedule.nextDueAt() ?? Infinity
    schedule.takeDue(now)
    schedule.finished('a')
    starts.push(now)
  }
  expect(starts.slice(0, 3)).toEqual([2_500, 13_500, 24_500])
  expect(starts.at(-1)).toBe(10_500 + 11 * 10_000) // as if nothing had happened
})

test('however often rounds are brought forward, there is at most one more of them in an hour', () => {
  fc.assert(
    fc.property(fc.integer({ min: 10, max: 9_000 }), (everyMs) => {
      const schedule = createProbeSchedule(() => 0.5)
      schedule.replacePlans([planOf('a', 10_000)], 0)
      let rounds = 0
      for (let now = 0; now < 3_600_000; now += everyMs) {
        schedule.bringForward('a', now)
        rounds += schedule.takeDue(now).length
        schedule.finished('a')
      }
      expect(rounds).toBeLessThanOrEqual(362)
    }),
    { numRuns: 20 },
  )
})
