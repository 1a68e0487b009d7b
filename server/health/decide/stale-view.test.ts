import { expect, test } from 'bun:test'
import * as fc from 'fast-check'

import { now, nowSec, params, runs } from './test-support/arbitraries.ts'
import type { ReferenceHead } from './reference-head.ts'
import { type RoundReference, chooseView } from './stale-view.ts'

const enterBlocks = 5

const reference = (height: number, isCorroborated = true): ReferenceHead => ({
  height,
  timestamp: nowSec,
  base: { height, timestamp: nowSec },
  providers: isCorroborated ? 3 : 2,
  isCorroborated,
})
const round = (verifierId: string, height: number, at = now, isCorroborated = true): RoundReference => ({
  verifierId,
  at,
  reference: reference(height, isCorroborated),
})

const global = reference(1_000)
const choose = (own: RoundReference, ...rounds: RoundReference[]) =>
  chooseView(own, { rounds, global }, enterBlocks, params)

test('more than enterBlocks below the median of all verifiers: the global reference', () => {
  const others = [round('b', 1_000), round('c', 1_000)]
  expect(choose(round('a', 995), ...others)).toEqual({ kind: 'own', reference: reference(995) })
  expect(choose(round('a', 994), ...others)).toEqual({ kind: 'stale', reference: global, behindBlocks: 6 })
})

test('a view that is ahead is not stale', () => {
  expect(choose(round('a', 2_000), round('b', 1_000), round('c', 1_000)).kind).toBe('own')
})

test('alone, or against one other, nobody can tell who is right', () => {
  expect(choose(round('a', 900)).kind).toBe('own')
  expect(choose(round('a', 900), round('b', 1_000)).kind).toBe('own')
})

test('a minority that sees another height makes no view stale', () => {
  const honest = ['b', 'c', 'd'].map((id) => round(id, 1_000))
  const liars = ['x', 'y', 'z'].map((id) => round(id, 31_000_000))
  expect(choose(round('a', 1_000), ...honest, ...liars).kind).toBe('own')
})

test('the own round counts once and as it is now, whether or not it is among the others', () => {
  const own = round('a', 990)
  const others = [round('b', 1_000), round('c', 1_000)]
  const expected = choose(own, ...others)
  expect(expected).toMatchObject({ kind: 'stale', behindBlocks: 10 })
  expect(choose(own, own, own, own, ...others)).toEqual(expected)
  expect(choose(own, round('a', 1_000), ...others)).toEqual(expected)
})

test('rounds of other moments are moved to this one', () => {
  const fast = { ...params, blockMs: 250 }
  const others = (at: number) => ['b', 'c'].map((id) => round(id, 1_000, at))
  const chooseFast = (own: RoundReference, at: number, chain = fast) =>
    chooseView(own, { rounds: others(at), global }, enterBlocks, chain)
  // Ten seconds are 40 blocks: an older round of mine is not behind a newer one of yours.
  expect(chooseFast(round('a', 960, now - 10_000), now).kind).toBe('own')
  expect(chooseFast(round('a', 1_000), now - 10_000)).toMatchObject({ kind: 'stale', behindBlocks: 40 })
  // Half a block is none: 5.5 blocks behind are not more than five.
  const halfBlock = [round('b', 1_000, now - 6_000), round('c', 1_000, now - 6_000)]
  expect(choose(round('a', 995), ...halfBlock).kind).toBe('own')
  // Where blocks are made on demand, time moves nothing.
  const onDemand = { ...fast, headAgeGraceSec: null }
  expect(chooseFast(round('a', 1_000), now - 10_000, onDemand).kind).toBe('own')
})

test('uncorroborated references neither count nor are judged', () => {
  const others = [round('b', 1_000, now, false), round('c', 1_000, now, false)]
  expect(choose(round('a', 900), ...others).kind).toBe('own')
  const judged = round('a', 900, now, false)
  expect(choose(judged, round('b', 1_000), round('c', 1_000))).toEqual({
    kind: 'own',
    reference: judged.reference,
  })
})

test('without a global reference there is only the own one', () => {
  const rounds = [round('b', 1_000), round('c', 1_000)]
  expect(chooseView(round('a', 900), { rounds, global: null }, enterBlocks, params).kind).toBe('own')
})

test('honest verifiers keep their own view whatever a minority claims', () => {
  const honest = fc.array(fc.integer({ min: 1_000, max: 1_003 }), { minLength: 1, maxLength: 9 })
  const claims = fc.array(fc.integer({ min: 0, max: 2_000 }), { maxLength: 8 })
  fc.assert(
    fc.property(honest, claims, (heights, claimed) => {
      const liars = claimed.slice(0, heights.length - 1)
      const rounds = [
        ...heights.map((height, index) => round(`honest${index}`, height)),
        ...liars.map((height, index) => round(`liar${index}`, height)),
      ]
      for (const own of rounds.slice(0, heights.length)) {
        expect(choose(own, ...rounds).kind).toBe('own')
      }
    }),
    runs,
  )
})
