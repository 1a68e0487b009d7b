import { describe, expect, test } from 'bun:test'

import { families } from '../../../shared/chains.ts'
import type { Family } from '../../../shared/chains.ts'
import { chainParams } from '../decide/reference-head.ts'
import type { PeerComparison } from '../decide/low-trust.ts'
import { vote } from '../decide/vote.ts'
import { headForksOf, headsOf, readCheckpoint, readRound, measureObservation } from './probe-rounds.ts'
import type { ClockBounds, HeadMeasure, ReportedObservation } from './probe-rounds.ts'
import { createCatalogue } from '../services/catalogue.ts'
import {
  hash8,
  httpServiceOf,
  reportRoundOf,
  reportRowOf,
  serviceOf,
  testChain,
} from '../test-support/fixtures.ts'
import { someInstant as now } from '../test-support/virtual-clock.ts'

const nowSec = now / 1_000
const params = chainParams(testChain())
const agreed: ClockBounds = { now, earliest: now, latest: now }
const catalogue = createCatalogue()
const node = catalogue.put(serviceOf('node'))
const subgraph = catalogue.put(serviceOf('subgraph', { family: 'subgraph' }))
const web = catalogue.put(httpServiceOf('web'))
const services = ['node', 'subgraph', 'web', 'nobody']
const read = (round: Parameters<typeof readRound>[0], enrolledFor: readonly Family[] = families) => {
  const found = round.obs.map(([index]) => catalogue.find(services[index] ?? ''))
  return readRound(round, found, enrolledFor, now)
}

describe('reading a round', () => {
  test('ages place each probe in the time of the server', () => {
    const rows = [reportRowOf(0, { offsetMs: 0 }), reportRowOf(0, { offsetMs: 300 })]
    expect(read(reportRoundOf(rows, { ageMs: 1_000 })).map(({ at }) => now - at)).toEqual([1_000, 700])
  })

  test('an offset beyond the age means now: nothing comes from the future', () => {
    expect(read(reportRoundOf([reportRowOf(0, { offsetMs: 5_000 })], { ageMs: 1_000 }))[0]?.at).toBe(now)
  })

  test('rows about other chains and unknown services are left out', () => {
    const rows = [reportRowOf(0), reportRowOf(1), reportRowOf(2), reportRowOf(3)]
    expect(read(reportRoundOf(rows)).map(({ listed }) => listed.service.id)).toEqual(['node', 'subgraph'])
    expect(read(reportRoundOf(rows, { chain: null })).map(({ listed }) => listed.service.id)).toEqual(['web'])
    expect(read(reportRoundOf(rows, { chain: 'other' }))).toEqual([])
  })

  test('rows about families that the verifier did not enrol for are left out', () => {
    const rows = [reportRowOf(0), reportRowOf(1)]
    expect(read(reportRoundOf(rows), ['evm']).map(({ listed }) => listed.service.id)).toEqual(['node'])
  })
})

const heads = (...rows: Parameters<typeof reportRowOf>[1][]) =>
  headsOf(read(reportRoundOf(rows.map((changes) => reportRowOf(0, changes)))), 'v', agreed)

describe('heads that count towards the reference', () => {
  test('are those of answers without fault', () => {
    expect(heads({})).toMatchObject([
      { serviceId: 'node', provider: 'provider of node', verifierId: 'v', at: now },
    ])
    expect(heads({ ok: 0 }, { error: 'WRONG_CHAIN' }, { height: null }, { timestamp: null })).toEqual([])
  })

  test('a subgraph has no say in where its chain is', () => {
    expect(headsOf(read(reportRoundOf([reportRowOf(1)])), 'v', agreed)).toEqual([])
  })
})

const seen = (changes: Partial<ReportedObservation> = {}): ReportedObservation => ({
  listed: node,
  at: now,
  ok: true,
  error: null,
  height: 1_000,
  timestamp: nowSec,
  hash: hash8,
  rttMs: 5,
  firstError: null,
  ...changes,
})
const reference = {
  height: 1_000,
  timestamp: nowSec,
  base: { height: 1_000, timestamp: nowSec },
  providers: 3,
  isCorroborated: true,
}

const by = (measuredBy: HeadMeasure['reference'], peers: HeadMeasure['peers'] = null): HeadMeasure => ({
  params,
  reference: measuredBy,
  peers,
})

const table = (
  changes: Partial<ReportedObservation>,
  { isForked = false, measuredBy = reference as typeof reference | null } = {},
) => measureObservation(seen(changes), isForked, by(measuredBy), agreed)

describe('what the board keeps', () => {
  test('lag against the reference, in blocks and seconds of the chain', () => {
    expect(table({ height: 990, timestamp: nowSec - 10 })).toMatchObject({
      ok: true,
      error: null,
      lagBlocks: 10,
      lagSec: 10,
    })
    expect(table({ height: 1_001 })).toMatchObject({ lagBlocks: 0, lagSec: 0 })
  })

  test('a failure as it was reported', () => {
    expect(table({ ok: false, error: 'TIMEOUT', height: null })).toMatchObject({
      ok: false,
      error: 'TIMEOUT',
      lagBlocks: 0,
    })
    expect(table({ error: 'WRONG_CHAIN' }, { isForked: true })).toMatchObject({ error: 'WRONG_CHAIN' })
  })

  test.each([
    ['a forked service', {}, { isForked: true }, 'FORKED'],
    ['an answer without a head', { height: null }, {}, 'RPC_ERROR'],
    [
      'an answer without a head, before there is a reference',
      { timestamp: null },
      { measuredBy: null },
      'RPC_ERROR',
    ],
    ['a block from the future', { timestamp: nowSec + 16 }, {}, 'FUTURE_HEAD'],
    [
      'a block from the future, before there is a reference',
      { timestamp: nowSec + 16 },
      { measuredBy: null },
      'FUTURE_HEAD',
    ],
    ['a height that the chain cannot have', { height: 30_000_000 }, {}, 'FUTURE_HEAD'],
  ] as const)('%s is worthless', (_, changes, options, error) => {
    expect(table(changes, options)).toMatchObject({ error, lagBlocks: 0, lagSec: 0 })
  })

  test('an http service has neither head nor lag', () => {
    const observation = { ...seen({ height: null, timestamp: null }), listed: web }
    expect(measureObservation(observation, false, null, agreed)).toMatchObject({
      ok: true,
      error: null,
      lagBlocks: 0,
    })
  })
})

const alone = { ...reference, providers: 1, isCorroborated: false }

const peers = (height: number): PeerComparison => ({ reference: { ...reference, height }, gap: null })
const gap = (lower: string): PeerComparison => ({
  reference: null,
  gap: { lower, since: 0, at: 0, firstBlocks: 31, blocks: 60, higher: { height: 1_060, timestamp: nowSec } },
})

const lagOf = (compared: PeerComparison) => measureObservation(seen(), false, by(alone, compared), agreed)

describe('where fewer than three providers are watched', () => {
  test('a node is behind the other nodes of its provider', () => {
    expect(lagOf(peers(1_040))).toMatchObject({ error: null, lagBlocks: 40, lagSec: 40 })
    expect(lagOf(peers(999))).toMatchObject({ lagBlocks: 0, lagSec: 0 })
  })

  test('the lower one of two is behind when they drift apart', () => {
    expect(lagOf(gap('provider of node'))).toMatchObject({ lagBlocks: 60 })
    expect(lagOf(gap('node'))).toMatchObject({ lagBlocks: 60 })
    expect(lagOf(gap('another'))).toMatchObject({ lagBlocks: 0 })
  })

  test('that is LATENCY at most, however far the one ahead claims to be', () => {
    const seenBehind = lagOf(peers(9_000_000))
    expect(vote(seenBehind, node.service.policy, 'UP')).toBe('lag')
  })
})

describe('a subgraph', () => {
  const policyOfSubgraph = subgraph.service.policy
  const measured = (changes: Partial<ReportedObservation>, reached: HeadMeasure['reference'] = null) =>
    measureObservation(seen({ listed: subgraph, ...changes }), false, by(reached), agreed)

  test('may be a quarter of an hour old where its chain is not watched', () => {
    expect(measured({ timestamp: nowSec - 900 })).toMatchObject({ ok: true, error: null, lagSec: 0 })
    expect(measured({ timestamp: nowSec - 901 })).toMatchObject({ lagSec: 901, lagBlocks: 901 })
    expect(vote(measured({ timestamp: nowSec - 3 * 86_400 }), policyOfSubgraph, 'UP')).toBe('bad')
  })

  test('is measured by the head of its chain where that is watched, by whomever', () => {
    expect(measured({ height: 940, timestamp: nowSec - 60 }, alone)).toMatchObject({ lagBlocks: 60 })
    expect(measured({ height: 940, timestamp: nowSec - 60 }, reference)).toMatchObject({ lagBlocks: 60 })
  })

  test('that tells no time is measured by height alone', () => {
    expect(measured({ height: 940, timestamp: null }, reference)).toMatchObject({ ok: true, lagBlocks: 60 })
    expect(measured({ height: 940, timestamp: null })).toMatchObject({ ok: true, lagBlocks: 0 })
    expect(measured({ height: null, timestamp: null }, reference)).toMatchObject({ ok: false })
  })
})

describe('forks at the head', () => {
  const services3 = ['x', 'y', 'z'].map((id) => {
    const own = createCatalogue()
    return own.put(serviceOf(id, { provider: 'one owner' }))
  })
  const roundOf3 = (hashes: readonly string[], heights = [7, 7, 7]) =>
    services3.map((listed, index) =>
      seen({ listed, hash: hashes[index] ?? null, height: heights[index] ?? 0 }),
    )
  const [good, other] = ['a'.repeat(16), 'b'.repeat(16)]

  test('are found in one round among three nodes of one owner', () => {
    expect([...headForksOf(roundOf3([good, other, good]), testChain())]).toEqual(['y'])
  })

  test('are none where heights differ, two disagree, or blocks are mined', () => {
    expect(headForksOf(roundOf3([good, other, good], [7, 8, 7]), testChain()).size).toBe(0)
    expect(headForksOf(roundOf3([good, other]).slice(0, 2), testChain()).size).toBe(0)
    expect(headForksOf(roundOf3([good, other, good]), testChain({ headAge: 'pow' })).size).toBe(0)
  })

  test('are none where a block lasts as long as the hold, for a late one would be DOWN until the next', () => {
    const { downForMs } = serviceOf('x').policy
    const oneIsLate = roundOf3([good, other, good])
    expect([...headForksOf(oneIsLate, testChain({ blockMs: downForMs - 1 }))]).toEqual(['y'])
    expect(headForksOf(oneIsLate, testChain({ blockMs: downForMs })).size).toBe(0)
  })
})

const measureAt = (timestamp: number, instants: ClockBounds) =>
  measureObservation(seen({ timestamp }), false, by(alone), instants)

describe('while the clocks disagree', () => {
  const hour = 3_600_000

  test('a block is from the future only if both say so', () => {
    const ahead: ClockBounds = { now, earliest: now, latest: now + hour }
    expect(measureAt(nowSec + 3_600, ahead).error).toBeNull()
    expect(measureAt(nowSec + 3_616, ahead).error).toBe('FUTURE_HEAD')
    expect(measureAt(nowSec + 16, agreed).error).toBe('FUTURE_HEAD')
  })

  test('a block is old only if both say so', () => {
    const behind: ClockBounds = { now, earliest: now - hour, latest: now }
    expect(measureAt(nowSec - 3_600, behind).lagSec).toBe(0)
    expect(measureAt(nowSec - 3_600, agreed).lagSec).toBe(3_600 - 30)
    expect(measureAt(nowSec - 7_200, behind).lagSec).toBe(3_600 - 30)
  })

  test('ages stay what they are', () => {
    const apart: ClockBounds = { now, earliest: now - hour, latest: now + hour }
    expect(measureObservation(seen({ at: now - 700 }), false, by(reference), apart).at).toBe(now - 700)
  })
})

test('a checkpoint holds nodes of its chain only', () => {
  const checkpoint = { height: 1, hashes: [0, 1, 2, 3].map((index): [number, string] => [index, hash8]) }
  expect(readCheckpoint(checkpoint, services, catalogue.find, testChain())).toEqual([
    { serviceId: 'node', provider: 'provider of node', hash: hash8 },
  ])
})
