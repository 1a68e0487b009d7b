import { expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { runs } from '../decide/test-support/arbitraries.ts'
import { addProbe, inconsistencyOf } from './effective-observation.ts'
import { noProbes } from './latest-observation.ts'
import type { TryWindow } from './latest-observation.ts'

/**
 * A window out of probes, the oldest first: `.` good, `r` good after a failed try, `b` behind, `q` behind after a failed
 * try, `x` failed, `F` failed twice.
 */
function windowOf(probes: string): TryWindow {
  const outcomes = { '.': 'good', r: 'good', b: 'behind', q: 'behind', x: 'bad', F: 'bad' } as const
  let window = noProbes
  for (const probe of probes) {
    window = addProbe(window, outcomes[probe as keyof typeof outcomes], 'rqF'.includes(probe))
  }
  return window
}

test.each<[string, 'lag' | 'bad' | null, string]>([
  ['..........', null, 'all is well'],
  ['FFFF......', null, 'an outage that is over'],
  ['......FFFF', null, 'an outage that has begun'],
  ['...FFFF...', null, 'an outage that was short'],
  ['bbbbbbbbbb', null, 'steadily behind'],
  ['xxxxxxxxxx', null, 'steadily failing'],
  ['x....x....', null, 'two failures of ten'],
  ['r...r.....', null, 'two tries of twelve'],
  ['r..r..r..r', null, '4 tries of 14, which is 29 %'],
  ['.b..b..b..', 'lag', 'three of ten are behind'],
  ['.x..x..x..', 'lag', 'three of ten failed'],
  ['r.r.r.r.r.', 'lag', '5 tries of 15'],
  ['.b.b.b.b.b', 'lag', 'one backend of two is stale'],
  ['q.b.r.b.x.', 'lag', 'of everything a little'],
  ['bb.bbbb.bb', 'lag', 'eight of ten are behind: late, as one that is always behind'],
  ['xx.xxxx.xx', 'bad', 'eight of ten failed'],
  ['.x.xxxxxx.', 'bad', 'exactly seven of ten'],
  ['.F.FF.FFF.', 'bad', '12 tries of 16'],
  ['x.x.', null, 'too few probes to tell'],
  ['F.FFF', 'bad', 'half a window tells'],
  ['x.....xxxx', null, 'an outage some time after a single failure'],
  ['xx....xxxx', 'lag', 'an outage soon after another, of which only the next probes can tell what it is'],
])('%s is %p: %s', (probes, expected) => {
  expect(inconsistencyOf(windowOf(probes))).toBe(expected)
})

test('only the last ten count', () => {
  expect(windowOf('FFFFFFFFFF..........')).toEqual({ ...noProbes, count: 10 })
})

test('a single run of failures, however it lies, is an outage', () => {
  const outage = fc.tuple(fc.nat(12), fc.nat(12), fc.nat(12), fc.constantFrom('x', 'F', 'b'))
  fc.assert(
    fc.property(outage, ([before, during, after, how]) => {
      const probes = '.'.repeat(before) + how.repeat(during) + '.'.repeat(after)
      expect(inconsistencyOf(windowOf(probes))).toBeNull()
    }),
    runs,
  )
})

test('one more failed probe in place of a good one never makes the vote milder, but at the end of an outage', () => {
  const rank = { lag: 1, bad: 2 }
  const probes = fc.array(fc.constantFrom('.', 'x'), { minLength: 10, maxLength: 10 })
  fc.assert(
    fc.property(probes, fc.nat(9), (list, place) => {
      const worse = list.with(place, 'x')
      const verdict = inconsistencyOf(windowOf(list.join('')))
      const next = inconsistencyOf(windowOf(worse.join('')))
      // A null beside a failed newest probe is the vote of that probe, which is the worst.
      const lastFailed = worse.at(-1) === 'x'
      const isOneRun = /^\.*x+\.*$/.test(worse.join(''))
      if (verdict === null || isOneRun || (next === null && lastFailed)) return
      expect(next === null ? 0 : rank[next]).toBeGreaterThanOrEqual(rank[verdict])
    }),
    runs,
  )
})
