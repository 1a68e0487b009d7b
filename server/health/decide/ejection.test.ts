import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'

import { runs } from './test-support/arbitraries.ts'
import { type ContradictionTally, type EjectionState, noneEjected, stepEjection } from './ejection.ts'

const ids = (count: number): string[] => Array.from({ length: count }, (_, index) => `v${index}`)
const clean: ContradictionTally = { judged: 100, contradicted: 0 }
const broken: ContradictionTally = { judged: 100, contradicted: 90 }

/** All of `count` verifiers report cleanly, but for the given ones; null is silence. */
function round(
  count: number,
  exceptions: Record<string, ContradictionTally | null> = {},
): Map<string, ContradictionTally> {
  const tallies = new Map(ids(count).map((id) => [id, clean]))
  for (const [id, tally] of Object.entries(exceptions)) {
    if (tally === null) tallies.delete(id)
    else tallies.set(id, tally)
  }
  return tallies
}

/** Steps `count` verifiers through rounds. */
function through(count: number, ...rounds: Record<string, ContradictionTally | null>[]) {
  let result = stepEjection(noneEjected, ids(count), round(count))
  for (const exceptions of rounds) result = stepEjection(result.state, ids(count), round(count, exceptions))
  return result
}

const ejectedBy = (tally: ContradictionTally) => [...through(4, { v3: tally }).state.keys()]

describe('who is ejected', () => {
  test('half of the services that the majority calls OK, and at least five', () => {
    expect(ejectedBy({ judged: 10, contradicted: 5 })).toEqual(['v3'])
    expect(ejectedBy({ judged: 11, contradicted: 5 })).toEqual([])
    expect(ejectedBy({ judged: 5, contradicted: 5 })).toEqual(['v3'])
    expect(ejectedBy({ judged: 4, contradicted: 4 })).toEqual([])
    expect(ejectedBy({ judged: 1_000, contradicted: 499 })).toEqual([])
  })

  test('at most floor((n-1)/3) of the reporting verifiers', () => {
    const ejectedOf = (count: number) =>
      through(count, Object.fromEntries(ids(count).map((id) => [id, broken]))).state.size
    expect([1, 2, 3, 4, 6, 7, 10].map(ejectedOf)).toEqual([0, 0, 0, 1, 1, 2, 3])
    expect(through(4, { v3: broken, v0: null }).state.size).toBe(0)
  })

  test('the worst first, whatever the order of the verifiers; ids decide between equals', () => {
    const worse = { judged: 100, contradicted: 95 }
    expect([...through(4, { v1: broken, v2: worse }).state.keys()]).toEqual(['v2'])
    expect([...through(4, { v2: broken, v1: worse }).state.keys()]).toEqual(['v1'])
    const tallies = round(4, { v1: broken, v2: broken })
    for (const order of [ids(4), ids(4).toReversed()]) {
      expect([...stepEjection(noneEjected, order, tallies).state.keys()]).toEqual(['v1'])
    }
  })

  test('whoever is ejected already keeps the place', () => {
    const worse = { judged: 100, contradicted: 100 }
    const second = through(4, { v1: broken }, { v1: broken, v2: worse })
    expect([...second.state.keys()]).toEqual(['v1'])
    expect(second.ejected).toEqual([])
  })
})

describe('who returns', () => {
  test('one event on leaving, one on returning after two clean rounds in a row', () => {
    const bad = { v3: broken }
    expect(through(4, bad)).toMatchObject({ ejected: ['v3'], reinstated: [] })
    expect(through(4, bad, bad)).toMatchObject({ ejected: [], reinstated: [] })
    expect(through(4, bad, {})).toEqual({ state: new Map([['v3', 1]]), ejected: [], reinstated: [] })
    expect(through(4, bad, {}, {})).toEqual({ state: noneEjected, ejected: [], reinstated: ['v3'] })
    expect(through(4, bad, {}, bad, {}).state).toEqual(new Map([['v3', 1]]))
  })

  test('silence is neither clean nor bad', () => {
    const silent = { v3: null }
    expect(through(4, { v3: broken }, {}, silent, silent).state).toEqual(new Map([['v3', 1]]))
    expect(through(4, { v3: broken }, {}, silent, {}).state).toEqual(noneEjected)
  })

  test('a silent one takes nobody’s place', () => {
    const step = through(5, { v4: broken }, { v4: null, v3: broken })
    expect([...step.state.keys()].toSorted()).toEqual(['v3', 'v4'])
  })

  test('when fewer report, the last ejected return first', () => {
    const seven = through(7, { v5: broken }, { v5: broken, v6: broken })
    expect([...seven.state.keys()]).toEqual(['v5', 'v6'])
    const fewer = stepEjection(seven.state, ids(7), round(7, { v0: null, v5: broken, v6: broken }))
    expect([...fewer.state.keys()]).toEqual(['v5'])
    expect(fewer.reinstated).toEqual(['v6'])
  })

  test('a verifier that is no longer enrolled is forgotten', () => {
    const step = stepEjection(new Map([['gone', 0]]), ids(4), round(4))
    expect(step).toEqual({ state: noneEjected, ejected: [], reinstated: [] })
  })
})

test('in any history: never more than a third of those reporting, and events add up to the state', () => {
  const tally = fc.constantFrom<ContradictionTally | null>(
    clean,
    broken,
    { judged: 6, contradicted: 5 },
    null,
  )
  const history = fc
    .integer({ min: 1, max: 10 })
    .chain((count) => fc.array(fc.tuple(...ids(count).map(() => tally)), { maxLength: 12 }))
  fc.assert(
    fc.property(history, (rounds) => {
      let state: EjectionState = noneEjected
      for (const tallies of rounds) {
        const everyone = ids(tallies.length)
        const exceptions = Object.fromEntries(tallies.map((one, index) => [`v${index}`, one]))
        const given = round(tallies.length, exceptions)
        const next = stepEjection(state, everyone, given)

        const reporting = everyone.filter((id) => given.has(id))
        const judged = reporting.filter((id) => next.state.has(id))
        expect(judged.length).toBeLessThanOrEqual(Math.max(0, Math.floor((reporting.length - 1) / 3)))
        const expected = new Set([...state.keys(), ...next.ejected])
        for (const id of next.reinstated) expected.delete(id)
        expect(new Set(next.state.keys())).toEqual(expected)
        state = next.state
      }
    }),
    runs,
  )
})
