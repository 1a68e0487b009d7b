import { expect, test } from 'bun:test'

import { nowSec, params } from './test-support/arbitraries.ts'
import type { ReferenceHead } from './reference-head.ts'
import { type ChainProgress, followProgress } from './stall.ts'

const reference = (height: number, timestamp: number, isCorroborated = true): ReferenceHead => ({
  height,
  timestamp,
  base: { height, timestamp },
  providers: isCorroborated ? 3 : 2,
  isCorroborated,
})

/** Follows references from `nowSec` on; each comes with the second at which it is seen. */
function follow(
  seen: [second: number, reference: ReferenceHead | null][],
  chain = params,
): ChainProgress | null {
  let progress: ChainProgress | null = null
  for (const [second, found] of seen) {
    progress = followProgress(progress, found, (nowSec + second) * 1000, chain)
  }
  return progress
}

test('a chain whose head has been the same for more than 300 s is stalled', () => {
  const head = reference(1_000, nowSec)
  expect(
    follow([
      [0, head],
      [300, head],
    ])?.isStalled,
  ).toBe(false)
  expect(
    follow([
      [0, head],
      [301, head],
    ])?.isStalled,
  ).toBe(true)
})

test('how long it has not risen and how old it is are measured apart', () => {
  const longOld = reference(1_000, nowSec - 1_000)
  expect(
    follow([
      [0, longOld],
      [300, longOld],
    ])?.isStalled,
  ).toBe(false)
  expect(
    follow([
      [0, longOld],
      [301, longOld],
    ])?.isStalled,
  ).toBe(true)
  const younger = reference(1_000, nowSec + 100)
  expect(
    follow([
      [0, younger],
      [400, younger],
    ])?.isStalled,
  ).toBe(false)
  expect(
    follow([
      [0, younger],
      [401, younger],
    ])?.isStalled,
  ).toBe(true)
})

test('slow chains have ten blocks of time', () => {
  const head = reference(1_000, nowSec)
  const bitcoin = { ...params, blockMs: 600_000 }
  expect(
    follow(
      [
        [0, head],
        [6_000, head],
      ],
      bitcoin,
    )?.isStalled,
  ).toBe(false)
  expect(
    follow(
      [
        [0, head],
        [6_001, head],
      ],
      bitcoin,
    )?.isStalled,
  ).toBe(true)
})

test('an old head that rises is a chain that catches up', () => {
  const old = nowSec - 90_000
  expect(
    follow([
      [0, reference(1_000, old)],
      [400, reference(1_001, old + 12)],
    ])?.isStalled,
  ).toBe(false)
  expect(
    follow([
      [0, reference(1_000, old)],
      [400, reference(1_001, old)],
      [701, reference(1_001, old)],
    ])?.isStalled,
  ).toBe(true)
})

test('a head seen for the first time proves nothing, however old', () => {
  expect(follow([[0, reference(1_000, nowSec - 90_000)]])?.isStalled).toBe(false)
})

test('a height that stays while its block is young is no stall', () => {
  expect(
    follow([
      [0, reference(1_000, nowSec)],
      [400, reference(1_000, nowSec + 390)],
    ])?.isStalled,
  ).toBe(false)
})

test('a reference that wavers by a block does not rise', () => {
  const high = reference(1_001, nowSec)
  const low = reference(1_000, nowSec - 12)
  expect(
    follow([
      [0, high],
      [100, low],
      [200, high],
      [301, high],
    ]),
  ).toEqual({
    highest: 1_001,
    raisedAt: nowSec * 1000,
    isStalled: true,
  })
})

test('the advisory ends with the next block', () => {
  const stalled = reference(1_000, nowSec)
  expect(
    follow([
      [0, stalled],
      [301, stalled],
      [302, reference(1_001, nowSec + 302)],
    ]),
  ).toEqual({
    highest: 1_001,
    raisedAt: (nowSec + 302) * 1000,
    isStalled: false,
  })
})

test('without a corroborated reference nothing is said, and what was known stays known', () => {
  const head = reference(1_000, nowSec)
  expect(follow([[0, null]])).toBeNull()
  expect(
    follow([
      [0, reference(1_000, nowSec, false)],
      [301, reference(1_000, nowSec, false)],
    ]),
  ).toBeNull()
  expect(
    follow([
      [0, head],
      [301, head],
      [302, null],
    ]),
  ).toMatchObject({ highest: 1_000, isStalled: false })
  expect(
    follow([
      [0, head],
      [150, null],
      [301, head],
    ])?.isStalled,
  ).toBe(true)
})

test('a chain that makes blocks on demand never stalls', () => {
  const head = reference(1_000, nowSec)
  expect(
    follow(
      [
        [0, head],
        [99_999, head],
      ],
      { ...params, headAgeGraceSec: null },
    )?.isStalled,
  ).toBe(false)
})
