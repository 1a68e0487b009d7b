import { expect, test } from 'bun:test'

import { probeErrors } from '../../../shared/verifier-protocol.ts'
import { createRetests } from './retests.ts'
import type { Retests } from './retests.ts'
import { plan, target } from '../test-support/fixtures.ts'

const usual = plan([target('a'), target('b')])
const record = (retests: Retests, id: string, error: 'CONNECT' | 'TIMEOUT' | null, now: number, by = usual) =>
  retests.record(by, id, error, now)

/** The instants of all retests that are left. */
function drain(retests: Retests): number[] {
  const instants: number[] = []
  for (let at = retests.nextDueAt(); at !== null; at = retests.nextDueAt()) {
    expect(retests.takeDue(at - 0.001)).toEqual([])
    for (const { number } of retests.takeDue(at)) expect(number).toBe(instants.push(at))
  }
  return instants
}

test('the first failure of a service that answered is followed by three retests, never early', () => {
  for (const chance of [0, 0.5, 0.999]) {
    const retests = createRetests(() => chance)
    record(retests, 'a', null, 0)
    record(retests, 'a', 'CONNECT', 10_000)
    const instants = drain(retests)
    expect(instants).toHaveLength(3)
    for (const [index, at] of instants.entries()) {
      expect(at).toBeGreaterThanOrEqual(10_000 + (index + 1) * 1_000)
      expect(at).toBeLessThanOrEqual(10_000 + (index + 1) * 1_050)
    }
  }
})

test('a service that has not answered since is not retested again', () => {
  const retests = createRetests(() => 0)
  record(retests, 'a', 'CONNECT', 0)
  expect(drain(retests)).toEqual([])
  record(retests, 'a', null, 10_000)
  record(retests, 'a', 'CONNECT', 20_000)
  expect(drain(retests)).toHaveLength(3)
  record(retests, 'a', 'CONNECT', 23_000)
  record(retests, 'a', 'TIMEOUT', 30_000)
  expect(drain(retests)).toEqual([])
})

test('an answer cancels what is left, and makes the next failure a first one', () => {
  const retests = createRetests(() => 0)
  record(retests, 'a', null, 0)
  record(retests, 'a', 'TIMEOUT', 10_000)
  expect(retests.takeDue(11_000)).toHaveLength(1)
  record(retests, 'a', null, 11_100)
  expect(retests.nextDueAt()).toBeNull()
  record(retests, 'a', 'TIMEOUT', 20_000)
  expect(retests.nextDueAt()).toBe(21_000)
})

test('a late one starts at once, and one service does not wait for another', () => {
  const retests = createRetests(() => 0)
  for (const id of ['a', 'b']) record(retests, id, null, 0)
  record(retests, 'a', 'CONNECT', 10_000)
  record(retests, 'b', 'CONNECT', 10_500)
  expect(retests.takeDue(12_600).map(({ serviceId, number }) => [serviceId, number])).toEqual([
    ['a', 1],
    ['a', 2],
    ['b', 1],
    ['b', 2],
  ])
  expect(retests.nextDueAt()).toBe(13_000)
})

test('services that are probed more often are retested sooner', () => {
  const retests = createRetests(() => 0)
  const quick = plan([target('a')], { intervalMs: 500 })
  record(retests, 'a', null, 0, quick)
  record(retests, 'a', 'CONNECT', 1_000, quick)
  expect(drain(retests)).toEqual([1_050, 1_100, 1_150])
})

test('some results ask for no retest', () => {
  const unasked = probeErrors.filter((error) => {
    const retests = createRetests(() => 0)
    record(retests, 'a', null, 0)
    retests.record(usual, 'a', error, 10_000)
    return retests.nextDueAt() === null
  })
  expect(unasked).toEqual(['HTTP_4XX', 'RATE_LIMITED', 'TOO_LARGE', 'BLOCKED_ADDRESS', 'PAUSED'])
})

test('services that are assigned no more are forgotten', () => {
  const retests = createRetests(() => 0)
  for (const id of ['a', 'b', 'c']) record(retests, id, null, 0)
  for (const id of ['a', 'b']) record(retests, id, 'CONNECT', 0)
  retests.keepOnly(new Set(['b']))
  expect(retests.takeDue(10_000).every(({ serviceId }) => serviceId === 'b')).toBe(true)
  record(retests, 'c', 'CONNECT', 20_000)
  expect(retests.nextDueAt()).toBeNull()
})
