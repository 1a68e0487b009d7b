import { expect, test } from 'bun:test'

import { firstCause, nextCause } from './cause.ts'

const seen = (objections: string, voters = '2 of 3') => ({
  objections,
  reason: `${voters} say BAD: ${objections}`,
})

/** Returns the cause after one evaluation a second, and when (s) it changed. */
function after(...spans: readonly (readonly [objections: string, seconds: number])[]) {
  let cause = firstCause(seen(spans[0]?.[0] ?? ''))
  const changedAt: number[] = []
  let at = 0
  for (const [objections, seconds] of spans) {
    for (const end = at + seconds; at < end; at++) {
      const next = nextCause(cause, seen(objections), at * 1_000)
      if (next.changes > cause.changes) changedAt.push(at)
      cause = next
    }
  }
  return { cause, changedAt }
}

test('other objections are the cause once they have lasted ten seconds', () => {
  const { cause, changedAt } = after(['CONNECT', 240], ['HTTP_5XX', 30])
  expect(changedAt).toEqual([250])
  expect(cause).toEqual({ ...seen('HTTP_5XX'), changes: 1, next: null })
  expect(after(['CONNECT', 60], ['TIMEOUT', 9], ['CONNECT', 60]).changedAt).toEqual([])
})

test('a cause that flaps changes ever more rarely: in a year of it, some twenty times', () => {
  let cause = firstCause(seen('CONNECT'))
  const yearMs = 365 * 86_400_000
  // Each lasts exactly as long as it must: nothing can change the cause more often.
  for (let at = 0, turn = 0; at < yearMs; turn++) {
    const other = seen(turn % 2 === 0 ? 'TIMEOUT' : 'CONNECT')
    const began = nextCause(cause, other, at)
    at += 10_000 * 2 ** cause.changes
    cause = nextCause(began, other, at)
  }
  expect(cause.changes).toBeWithin(15, 25)
})

test('other voters with the same objections are no change', () => {
  const first = firstCause(seen('CONNECT'))
  expect(nextCause(first, seen('CONNECT'), 1_000)).toBe(first)
  expect(nextCause(first, seen('CONNECT', '3 of 3'), 1_000)).toEqual({
    ...first,
    reason: '3 of 3 say BAD: CONNECT',
  })
})

test('nothing new is stored while other objections last', () => {
  const waiting = nextCause(firstCause(seen('CONNECT')), seen('TLS'), 1_000)
  expect(nextCause(waiting, seen('TLS'), 2_000)).toBe(waiting)
})
