import { beforeEach, describe, expect, test } from 'bun:test'

import type { Chain } from '../../../shared/chains.ts'
import type { ObservationRow, ReportBatch, Round } from '../../../shared/verifier-protocol.ts'
import { createChainViews } from './chain-view.ts'
import { createObservationTable } from './observation-table.ts'
import type { LatestObservation } from './latest-observation.ts'
import { createRecorder } from '../history/recorder.ts'
import { createReportedFacts } from './facts.ts'
import { createIngest } from './ingest.ts'
import { createCatalogue } from '../services/catalogue.ts'
import {
  batchOf,
  hash8,
  httpServiceOf,
  reportRoundOf,
  reportRowOf,
  serviceOf,
  testChain,
  verifierOf,
} from '../test-support/fixtures.ts'
import { createVirtualClock, someInstant as now } from '../test-support/virtual-clock.ts'
import { createActiveVerifiers } from '../verifiers/active-verifiers.ts'
import { nothingLost } from '../test-support/history-fixtures.ts'

const services = ['a', 'b', 'c', 'web']
const all = services.slice(0, 3).map((_, index) => index)
const nowSec = now / 1_000

function setUp() {
  const catalogue = createCatalogue()
  for (const id of ['a', 'b', 'c']) catalogue.put(serviceOf(id))
  catalogue.put(httpServiceOf('web'))
  const activeVerifiers = createActiveVerifiers()
  const table = createObservationTable()
  const recorder = createRecorder(nothingLost)
  const chains = new Map<string, Chain>([['testnet', testChain()]])
  const evaluated: string[] = []
  const facts = createReportedFacts()
  const chainViews = createChainViews((key) => chains.get(key))
  const ingest = createIngest({
    catalogue,
    table,
    recorder,
    chainViews,
    facts,
    clock: createVirtualClock(),
    observed: ({ service }) => void evaluated.push(service.id),
    markAllDue: () => void evaluated.push('all'),
  })
  const verifier = activeVerifiers.put(verifierOf('v'))
  const accept = (rounds: Round[], changes: Partial<ReportBatch> = {}, by = verifier) =>
    ingest.accept(by, batchOf('v', { services, rounds, ...changes }), now)
  const latest = (id: string, column = verifier.column): LatestObservation | undefined => {
    const seen: LatestObservation[] = []
    table.forEachFresh(catalogue.find(id)?.slot ?? -1, 1, (at, observation) => {
      if (at === column) seen.push({ ...observation })
    })
    return seen[0]
  }
  const recorded = () => new Map(recorder.take().map((row) => [row.serviceId, row]))
  return {
    catalogue,
    ingest,
    chainViews,
    activeVerifiers,
    verifier,
    chains,
    evaluated,
    facts,
    accept,
    latest,
    recorded,
  }
}

let world: ReturnType<typeof setUp>
beforeEach(() => {
  world = setUp()
})

/** All nodes are well, but for the rows given. */
const rowsWith = (changes: Partial<Record<number, Parameters<typeof reportRowOf>[1]>>): ObservationRow[] =>
  all.map((index) => reportRowOf(index, changes[index]))

describe('a live batch', () => {
  test('is on the board, measured by its own round, and in history', () => {
    world.accept([
      reportRoundOf(rowsWith({ 2: { height: 960, timestamp: nowSec - 40 } }), { ageMs: 0 }),
      reportRoundOf([reportRowOf(3, { height: null, timestamp: null, rttMs: 7 })], { chain: null }),
    ])
    expect(world.latest('a')).toMatchObject({ ok: true, lagBlocks: 0, at: now })
    expect(world.latest('c')).toMatchObject({ ok: true, lagBlocks: 40, lagSec: 40 })
    expect(world.latest('web')).toMatchObject({ ok: true, rttMs: 7 })
    expect(world.evaluated).toEqual(services)
    expect(world.recorded().get('c')).toMatchObject({ probes: 1, failures: 0, lagBlocksSum: 40 })
  })

  test('worthless answers are failures in history', () => {
    world.accept([reportRoundOf(rowsWith({ 0: { ok: 0, error: 'TIMEOUT' }, 1: { error: 'WRONG_CHAIN' } }))])
    expect([...world.recorded().values()].map(({ serviceId, failures }) => [serviceId, failures])).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 0],
    ])
  })

  test('an older observation neither replaces a newer one nor makes anybody judge again', () => {
    world.accept([reportRoundOf(rowsWith({}), { ageMs: 100 })])
    world.evaluated.length = 0
    world.accept([reportRoundOf(rowsWith({ 0: { ok: 0, error: 'TIMEOUT' } }), { ageMs: 5_000 })])
    expect(world.latest('a')).toMatchObject({ ok: true, at: now - 100 })
    expect(world.evaluated).toEqual([])
  })

  test('older than reports count is history only', () => {
    world.accept([reportRoundOf(rowsWith({}), { ageMs: 32_001 })])
    expect(world.latest('a')).toBeUndefined()
    expect(world.chainViews.find('testnet')?.reference).toBeNull()
    expect(world.recorded().get('a')?.probes).toBe(1)
  })

  test('that says nothing here is counted, and only that', () => {
    expect(world.accept([reportRoundOf(rowsWith({}))])).toBe(0)
    expect(world.accept([reportRoundOf(rowsWith({}))], { services: ['a', 'gone', 'c', 'web'] })).toBe(1)
    expect(world.accept([reportRoundOf(rowsWith({}), { chain: 'unknown' })])).toBe(3)
    expect(world.accept([reportRoundOf(rowsWith({}), { chain: null })])).toBe(3)
    expect(world.accept([reportRoundOf(rowsWith({}), { ageMs: 4_000_000 })])).toBe(3)
    expect(world.accept([reportRoundOf(rowsWith({}))], { isolated: true })).toBe(0)
  })

  test('older than anybody keeps is nothing at all', () => {
    for (const backfill of [false, true]) {
      world.accept([reportRoundOf(rowsWith({}), { ageMs: 2 ** 53 - 1 })], { backfill })
      world.accept([reportRoundOf(rowsWith({}), { ageMs: 4_000_000 })], { backfill })
    }
    expect(world.recorded().size).toBe(0)
  })

  test('one service with a policy of its own does not set the measure for its round', () => {
    world.catalogue.put(serviceOf('a', { policy: { enterBlocks: 1_000_000 } }))
    const stale = world.activeVerifiers.put(verifierOf('stale'))
    for (const id of ['x', 'y']) {
      world.accept([reportRoundOf(rowsWith({}))], {}, world.activeVerifiers.put(verifierOf(id)))
    }
    world.accept(
      [reportRoundOf(all.map((index) => reportRowOf(index, { height: 960, timestamp: nowSec - 40 })))],
      {},
      stale,
    )
    expect(stale.hasStaleView).toBe(true)
    expect(world.latest('a', stale.column)).toMatchObject({ lagBlocks: 40 })
  })
})

describe('a probe that was not made', () => {
  test('repeats the last vote and is not in history; one that was refused is', () => {
    const paused = { ok: 0, error: 'PAUSED', height: null, timestamp: null } as const
    world.accept([reportRoundOf(rowsWith({}), { ageMs: 200 })])
    world.accept([reportRoundOf([reportRowOf(0, { ...paused, error: 'RATE_LIMITED' })], { ageMs: 100 })])
    world.accept([reportRoundOf([reportRowOf(0, paused)])])
    expect(world.latest('a')).toMatchObject({ ok: true, error: null, at: now })
    expect(world.recorded().get('a')).toMatchObject({ probes: 2, failures: 1 })
  })

  test('repeats no vote about an address that the service has left', () => {
    world.facts.setAddress('a', 'https://one.example/', 0)
    world.accept([reportRoundOf(rowsWith({}), { ageMs: 200 })])
    world.facts.setAddress('a', 'https://two.example/', now - 150)
    const refused = { ok: 0, error: 'RATE_LIMITED', height: null, timestamp: null } as const
    world.accept([reportRoundOf([reportRowOf(0, refused)], { ageMs: 100 })])
    expect(world.latest('a')).toMatchObject({ ok: false, error: 'PAUSED', at: now - 100 })
    world.accept([reportRoundOf([reportRowOf(0, { ...refused, error: 'PAUSED' })])])
    expect(world.latest('a')).toMatchObject({ ok: false, error: 'PAUSED', at: now })
  })
})

test('failures at an address that the service has left prove nothing about where it is now', () => {
  const failed = { ok: 0, error: 'CONNECT', height: null, timestamp: null } as const
  const failAt = (ageMs: number) => world.accept([reportRoundOf([reportRowOf(0, failed)], { ageMs })])
  world.facts.setAddress('a', 'https://one.example/', 0)
  for (const ageMs of [9_000, 8_000, 7_000]) failAt(ageMs)
  world.facts.setAddress('a', 'https://two.example/', now - 6_000)
  failAt(5_000)
  failAt(6_500) // is told late
  expect(world.latest('a')).toMatchObject({ error: 'CONNECT', at: now - 5_000 })
  expect(world.latest('a')?.isConfirmed).toBeUndefined()
  for (const ageMs of [4_000, 3_000, 2_000]) failAt(ageMs)
  expect(world.latest('a')).toMatchObject({ error: 'CONNECT', isConfirmed: true })
})

describe('a retest', () => {
  test('is measured by the chain and does not replace the round of its verifier', () => {
    world.accept([reportRoundOf(rowsWith({}), { ageMs: 5_000 })])
    const behind = reportRowOf(0, { height: 900, timestamp: nowSec - 100 })
    world.accept([reportRoundOf([behind], { retest: true })])
    expect(world.latest('a')).toMatchObject({ lagBlocks: 100, lagSec: 100, at: now })
    expect(world.chainViews.find('testnet')?.reference).toMatchObject({ height: 1_000, providers: 3 })
  })

  test('of a chain that nobody has seen yet is an answer without lag', () => {
    world.accept([reportRoundOf([reportRowOf(0)], { retest: true })])
    expect(world.latest('a')).toMatchObject({ ok: true, lagBlocks: 0 })
    expect(world.chainViews.find('testnet')?.reference).toBeNull()
  })
})

test('a first try that failed is remembered, though the second went well', () => {
  for (const ageMs of [50, 40, 30, 20, 10]) {
    const firstError = ageMs % 20 === 0 ? null : 'HTTP_5XX'
    world.accept([reportRoundOf([reportRowOf(0, { firstError })], { ageMs })])
  }
  expect(world.latest('a')).toMatchObject({ ok: true, inconsistent: 'lag' })
})

describe('a batch of an isolated verifier', () => {
  test('takes back what it said, and everybody is judged again', () => {
    world.accept([reportRoundOf(rowsWith({}))])
    world.evaluated.length = 0
    world.accept([reportRoundOf(rowsWith({ 0: { ok: 0, error: 'CONNECT' } }))], { isolated: true })
    expect(world.verifier.isIsolated).toBe(true)
    expect(world.latest('a')).toBeUndefined()
    expect(world.evaluated).toEqual(['all'])
    expect(world.recorded().get('a')).toMatchObject({ probes: 1, failures: 0 })
  })

  test('is told once, not with every batch', () => {
    world.accept([], { isolated: true })
    world.accept([], { isolated: true })
    expect(world.evaluated).toEqual(['all'])
    world.accept([reportRoundOf(rowsWith({}))])
    expect(world.verifier.isIsolated).toBe(false)
    expect(world.latest('a')).toBeDefined()
  })
})

describe('backfill', () => {
  test('is history, with the lag that its own round shows, and no decision', () => {
    const old = all.map((index) =>
      reportRowOf(index, {
        height: index === 2 ? 360 : 400,
        timestamp: nowSec - 600 - (index === 2 ? 40 : 0),
      }),
    )
    world.accept([reportRoundOf(rowsWith({}))])
    world.recorded()
    world.evaluated.length = 0
    world.accept([reportRoundOf(old, { ageMs: 600_000 })], { backfill: true })
    expect(world.evaluated).toEqual([])
    expect(world.latest('c')).toMatchObject({ lagBlocks: 0, at: now })
    expect(world.chainViews.find('testnet')?.reference?.height).toBe(1_000)
    const rows = world.recorded()
    expect(rows.get('a')).toMatchObject({ probes: 1, lagBlocksSum: 0, bucketAt: now - 600_000 })
    expect(rows.get('c')).toMatchObject({ probes: 1, lagBlocksSum: 40, lagSecSum: 40 })
  })

  test('from a time of isolation is no history, and says nothing about today', () => {
    world.accept([reportRoundOf(rowsWith({}))])
    world.recorded()
    world.accept([reportRoundOf(rowsWith({ 0: { ok: 0, error: 'CONNECT' } }))], {
      backfill: true,
      isolated: true,
    })
    expect(world.verifier.isIsolated).toBe(false)
    expect(world.latest('a')).toMatchObject({ ok: true })
    expect(world.recorded().size).toBe(0)
  })

  test('from before an isolation does not end it', () => {
    world.accept([], { isolated: true })
    world.accept([reportRoundOf(rowsWith({}))], { backfill: true })
    expect(world.verifier.isIsolated).toBe(true)
  })
})

const shortHashes = (odd: string): [number, string][] =>
  all.map((index) => [index, index === 2 ? odd : hash8])

describe('forks', () => {
  const checkpoint = { height: 990, hashes: shortHashes('ffffffffffffffff') }

  test('are held against a service until the next checkpoint', () => {
    world.accept([reportRoundOf(rowsWith({}), { checkpoint })])
    world.accept([reportRoundOf(rowsWith({}))])
    expect(world.latest('c')).toMatchObject({ error: 'FORKED' })
    expect(world.latest('a')).toMatchObject({ error: null })
    world.accept([reportRoundOf(rowsWith({}), { checkpoint: { height: 990, hashes: shortHashes(hash8) } })])
    expect(world.latest('c')).toMatchObject({ error: null })
  })

  test('outlive a file that is read again, unless the chain has changed', () => {
    world.accept([reportRoundOf(rowsWith({}), { checkpoint })])
    world.chains.set('testnet', testChain())
    world.chainViews.chainsChanged()
    expect(world.chainViews.find('testnet')?.forked('v').has('c')).toBe(true)
    world.chains.set('testnet', testChain({ blockMs: 2_000 }))
    world.chainViews.chainsChanged()
    expect(world.chainViews.find('testnet')).toBeUndefined()
  })
})

test('a stale view of one chain is not forgotten over a good view of another', () => {
  world.verifier.staleChains.add('another')
  world.accept([reportRoundOf(rowsWith({}))])
  expect(world.verifier.hasStaleView).toBe(true)
})

test('a verifier that has gone leaves neither observations nor rounds nor facts', () => {
  const facts: Round['facts'] = [[0, { certificateProblem: 'EXPIRED' }]]
  world.accept([reportRoundOf(rowsWith({}), { checkpoint: { height: 1, hashes: [] }, facts })])
  expect(world.facts.of('a', now)?.facts).toEqual({ certificateProblem: 'EXPIRED' })
  world.ingest.forgetVerifier(world.verifier)
  expect(world.facts.of('a', now)).toBeNull()
  expect(world.latest('a')).toBeUndefined()
})
