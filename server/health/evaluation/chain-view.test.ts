import { beforeEach, describe, expect, test } from 'bun:test'

import { type ChainView, createChainView } from './chain-view.ts'
import type { HeadObservation } from '../decide/reference-head.ts'
import { testChain } from '../test-support/fixtures.ts'
import { someInstant } from '../test-support/virtual-clock.ts'
import { covers } from '../../../tests/support/covers.ts'

const thresholds = { enterBlocks: 5, freshMs: 30_000 }
let view: ChainView
beforeEach(() => {
  view = createChainView(testChain())
})

/** A verifier sees three providers at one height, whose blocks are a second apart. */
function heads(verifierId: string, height: number, at: number, providers = 3): HeadObservation[] {
  return Array.from({ length: providers }, (_, index) => ({
    serviceId: `s${index}`,
    provider: `p${index}`,
    verifierId,
    at,
    height,
    timestamp: Math.floor(at / 1_000),
  }))
}
const take = (verifierId: string, height: number, at: number, providers = 3) =>
  view.takeRound(verifierId, at, heads(verifierId, height, at, providers), thresholds)

describe('the joint reference', () => {
  test('is of the latest rounds of all verifiers', () => {
    expect(view.reference).toBeNull()
    expect(take('a', 1_000, someInstant)).toMatchObject({ kind: 'own', reference: { height: 1_000 } })
    take('b', 1_002, someInstant + 2_000)
    expect(view.reference).toMatchObject({ height: 1_000, providers: 3 })
    take('a', 1_004, someInstant + 4_000)
    expect(view.reference).toMatchObject({ height: 1_002 })
  })

  test('forgets the rounds that have become old', () => {
    take('gone', 5_000, someInstant)
    take('here', 1_000, someInstant + 2_000)
    take('here', 1_030, someInstant + 32_000)
    expect(view.reference?.height).toBe(1_030)
  })

  test('forgets a verifier that has gone', () => {
    take('revoked', 900, someInstant)
    view.forget('revoked')
    take('here', 1_000, someInstant + 2_000)
    expect(view.reference?.height).toBe(1_000)
  })

  test('a round that comes late does not take the place of a newer one', () => {
    take('a', 1_010, someInstant + 10_000)
    expect(take('a', 1_000, someInstant)).toMatchObject({ reference: { height: 1_000 } })
    take('b', 1_012, someInstant + 12_000)
    expect(view.reference?.height).toBe(1_010)
  })

  test('a round without a usable head changes nothing', () => {
    take('a', 1_000, someInstant)
    expect(view.takeRound('b', someInstant + 2_000, [], thresholds)).toBeNull()
    expect(view.reference?.height).toBe(1_000)
  })
})

describe('a stale view', () => {
  beforeEach(() => {
    take('a', 1_000, someInstant)
    take('b', 1_000, someInstant)
  })

  test('is measured by what the others see', () => {
    expect(take('stale', 990, someInstant + 1_000)).toMatchObject({
      kind: 'stale',
      behindBlocks: 11,
      reference: { height: 1_000 },
    })
  })

  test('is none within the threshold, however the chain has moved between the rounds', () => {
    expect(take('c', 996, someInstant + 1_000)).toMatchObject({ kind: 'own' })
    expect(take('c', 1_016, someInstant + 20_000)).toMatchObject({ kind: 'own' })
  })

  test('cannot be told of one that sees two providers', () => {
    expect(take('c', 500, someInstant + 1_000, 2)).toMatchObject({
      kind: 'own',
      reference: { isCorroborated: false },
    })
  })
})

describe('a chain that stands still', () => {
  test('is stalled after five minutes, and not any more with the next block', () => {
    covers('health-chain-stall')
    const stuck = heads('a', 1_000, someInstant)
    for (let seconds = 0; seconds <= 305; seconds += 5) {
      const at = someInstant + seconds * 1_000
      view.takeRound(
        'a',
        at,
        stuck.map((head) => ({ ...head, at })),
        thresholds,
      )
      expect(view.isStalled).toBe(seconds > 300)
    }
    take('a', 1_001, someInstant + 310_000)
    expect(view.isStalled).toBe(false)
  })
})

const hashes = (odd: string) =>
  ['a', 'b', 'c', 'odd'].map((serviceId) => ({
    serviceId,
    provider: serviceId,
    hash: serviceId === 'odd' ? odd : '11',
  }))

describe('forks', () => {
  test('hold for the verifier that saw them, until its next checkpoint', () => {
    view.takeCheckpoint('v', hashes('22'))
    expect([view.forked('v').has('odd'), view.forked('v').has('a'), view.forked('w').has('odd')]).toEqual([
      true,
      false,
      false,
    ])
    view.takeCheckpoint('v', hashes('11'))
    expect(view.forked('v').has('odd')).toBe(false)
  })

  test('go with the verifier', () => {
    view.takeCheckpoint('v', hashes('22'))
    view.forget('v')
    expect(view.forked('v').has('odd')).toBe(false)
  })
})

test('the reference of some heads by themselves changes nothing', () => {
  take('a', 1_000, someInstant)
  expect(view.referenceOf(heads('b', 2_000, someInstant))?.height).toBe(2_000)
  expect(view.referenceOf([])).toBeNull()
  take('a', 1_002, someInstant + 2_000)
  expect(view.reference?.height).toBe(1_002)
})
