import { beforeEach, describe, expect, test } from 'bun:test'

import { silentLog } from '../../../scripts/world/database.ts'
import { createObservationTable } from './observation-table.ts'
import type { LatestObservation } from './latest-observation.ts'
import { initial } from '../decide/state-machine.ts'
import { createEvaluator } from './evaluator.ts'
import type { EvaluationResult } from './evaluator.ts'
import { createPublishedDecisions } from './published-decisions.ts'
import { createCatalogue } from '../services/catalogue.ts'
import { serviceOf, verifierOf } from '../test-support/fixtures.ts'
import { healthOf } from '../test-support/history-fixtures.ts'
import { createVirtualClock, someInstant } from '../test-support/virtual-clock.ts'
import { createActiveVerifiers } from '../verifiers/active-verifiers.ts'
import { createEjections } from '../verifiers/ejections.ts'
import { covers } from '../../../tests/support/covers.ts'

/** Three verifiers, of which two are a quorum; each report counts for 30 s. */
const verifierIds = ['v0', 'v1', 'v2']
const second = 1_000
const well = { ok: true, error: null, lagBlocks: 0, lagSec: 0 } as const
const failed = { ...well, ok: false, error: 'TIMEOUT' } as const
const lagging = { ...well, lagBlocks: 31, lagSec: 31 } as const
type VoteInput = typeof well | typeof failed | typeof lagging

function setUp(clock = createVirtualClock()) {
  const catalogue = createCatalogue()
  const activeVerifiers = createActiveVerifiers()
  const verifiers = verifierIds.map((id) => activeVerifiers.put(verifierOf(id)))
  const table = createObservationTable()
  const published = createPublishedDecisions(clock.now)
  const evaluated: EvaluationResult[] = []
  const log = silentLog
  const evaluator = createEvaluator({
    catalogue,
    table,
    activeVerifiers,
    ejections: createEjections(activeVerifiers, log),
    published,
    clock,
    log,
    onEvaluated: (evaluation) => void evaluated.push(evaluation),
    onTimeWentBack: () => table.clearSlot(0),
  })
  const listed = catalogue.put(serviceOf('a'))

  /** Each verifier reports what it saw; `undefined` is silence. */
  function report(...seen: (VoteInput | undefined)[]): void {
    for (const [index, verifier] of verifiers.entries()) {
      const { [index]: what } = seen
      if (!what) continue
      const rest = { at: clock.now(), rttMs: 5, height: null, timestamp: null }
      const last = table.read(listed.slot, verifier.column)
      const copy: LatestObservation | null = last && { ...last }
      const now = { ...rest, ...what }
      if (table.write(listed.slot, verifier.column, now)) evaluator.observed(listed, copy, now)
    }
  }

  /** Lets time pass a second at a time, with reports every ten; gives the seconds at which the decision changed. */
  async function pass(seconds: number, ...seen: (VoteInput | undefined)[]): Promise<string[]> {
    const changes: string[] = []
    for (let passed = 0; passed < seconds; passed++) {
      if (passed % 10 === 0) report(...seen)
      const before = evaluated.length
      await evaluator.evaluateDue()
      for (const { state, previous } of evaluated.slice(before)) {
        if (state.published !== previous.published) changes.push(`${state.published} after ${passed} s`)
      }
      clock.advance(second)
    }
    return changes
  }
  const read = () => JSON.parse(published.read('a').body).result
  return {
    clock,
    catalogue,
    activeVerifiers,
    table,
    published,
    evaluator,
    evaluated,
    listed,
    report,
    pass,
    read,
  }
}

let world: ReturnType<typeof setUp>
beforeEach(() => {
  world = setUp()
})

describe('decisions', () => {
  test('begin with UNKNOWN and the first quorum decides at once', async () => {
    covers('health-transition-from-unknown', 'health-quorum')
    expect(await world.pass(5, well)).toEqual([])
    expect(world.read()).toMatchObject({ decision: 'UNKNOWN', liveVerifiers: 1 })
    expect(await world.pass(5, undefined, well)).toEqual(['UP after 0 s'])
    expect(world.read()).toMatchObject({ decision: 'UP', liveVerifiers: 2 })
  })

  test('DOWN when it has held for 20 s, UP when that has held for 30 s', async () => {
    covers('health-transition-to-down', 'health-transition-recovery')
    await world.pass(30, well, well, well)
    expect(await world.pass(40, failed, failed, failed)).toEqual(['DOWN after 20 s'])
    expect(world.read()).toMatchObject({ decision: 'DOWN', liveVerifiers: 3, avgBlocksLatency: 0 })
    expect(await world.pass(50, well, well, well)).toEqual(['UP after 30 s'])
  })

  test('LATENCY when it has held for 30 s', async () => {
    covers('health-transition-to-latency')
    await world.pass(30, well, well, well)
    expect(await world.pass(50, lagging, lagging, well)).toEqual(['LATENCY after 30 s'])
    expect(world.read()).toMatchObject({ decision: 'LATENCY', avgBlocksLatency: 21, avgTimeLatency: 21 })
  })

  test('a dip shorter than the hold is none', async () => {
    await world.pass(30, well, well, well)
    expect(await world.pass(20, failed, failed, failed)).toEqual([])
    expect(await world.pass(60, well, well, well)).toEqual([])
  })

  test('one of three moves nothing', async () => {
    await world.pass(30, well, well, well)
    expect(await world.pass(120, well, well, failed)).toEqual([])
  })

  test('are taken at most once a second, and rarely while everybody repeats himself', async () => {
    for (let time = 0; time < 50; time++) {
      world.report(well, well, well)
      await world.evaluator.evaluateDue()
      world.clock.advance(20)
    }
    expect(world.evaluated).toHaveLength(1)
    for (let passed = 0; passed < 60; passed++) {
      world.report(well, well, well)
      await world.evaluator.evaluateDue()
      world.clock.advance(second)
    }
    expect(world.evaluated.length).toBeLessThanOrEqual(1 + 60 / 5)
    expect(world.read().timestamp * second).toBeGreaterThan(world.clock.now() - 7 * second)
  })
})

describe('a service of which nothing is known yet', () => {
  test('is DOWN after the same hold as any other', async () => {
    expect(await world.pass(19, failed, failed, failed)).toEqual([])
    expect(world.read()).toMatchObject({ decision: 'UNKNOWN', liveVerifiers: 3 })
    expect(await world.pass(5, failed, failed, failed)).toEqual(['DOWN after 1 s'])
  })

  test('is UP with the first answer, though its first probe failed', async () => {
    expect(await world.pass(5, failed, failed, failed)).toEqual([])
    expect(await world.pass(5, well, well, well)).toEqual(['UP after 0 s'])
  })

  test('shows no averages before it is decided', async () => {
    await world.pass(3, failed, failed, lagging)
    expect(world.read()).toMatchObject({ decision: 'UNKNOWN', avgBlocksLatency: 0, avgTimeLatency: 0 })
  })
})

describe('a quorum that is lost', () => {
  test('is UNKNOWN to whoever asks, though nobody evaluates', async () => {
    covers('health-transition-to-unknown')
    await world.pass(1, well, well, well)
    world.clock.set(someInstant + 32 * second)
    expect(world.read().decision).toBe('UP')
    world.clock.advance(1)
    expect(world.read()).toMatchObject({ decision: 'UNKNOWN', liveVerifiers: 0, avgBlocksLatency: 0 })
  })

  test('is decided as soon as it has run out', async () => {
    expect(await world.pass(10, well, well, well)).toEqual(['UP after 0 s'])
    expect(await world.pass(60, undefined, undefined, undefined)).toEqual(['UNKNOWN after 23 s'])
  })

  test('stands as long as a majority reports', async () => {
    await world.pass(10, well, well, well)
    expect(await world.pass(120, well, well)).toEqual([])
    expect(world.read()).toMatchObject({ decision: 'UP', liveVerifiers: 2 })
    expect(await world.pass(60, well)).toEqual(['UNKNOWN after 23 s'])
    expect(world.read().liveVerifiers).toBe(1)
  })
})

describe('who does not vote', () => {
  test('an ejected verifier, which is not live either', async () => {
    covers('health-live-verifiers-meaning')
    await world.pass(30, well, failed, failed)
    expect(world.read().decision).toBe('DOWN')
    for (const id of ['v1', 'v2']) {
      const entry = world.activeVerifiers.find(id)
      if (entry) entry.isEjected = true
    }
    world.evaluator.markAllDue()
    expect(await world.pass(1, well)).toEqual(['UNKNOWN after 0 s']) // one is no quorum of three
    expect(world.read().liveVerifiers).toBe(1)
    expect(world.evaluator.reports(world.listed, world.clock.now())).toHaveLength(3)
  })

  test('an isolated one', async () => {
    await world.pass(1, well, well, failed)
    expect(world.read().liveVerifiers).toBe(3)
    const entry = world.activeVerifiers.find('v2')
    if (entry) entry.isIsolated = true
    world.evaluator.markAllDue()
    await world.pass(5, well, well)
    expect(world.read()).toMatchObject({ decision: 'UP', liveVerifiers: 2 })
  })

  test('one whose observation is older than it may be', async () => {
    await world.pass(10, well, well, failed)
    await world.pass(40, well, well)
    expect(world.read().liveVerifiers).toBe(2)
  })
})

describe('after a restart', () => {
  covers('health-restart-keeps-decision')
  const since = someInstant - 60 * second
  const saved = healthOf('a', {
    published: 'DOWN',
    state: { ...initial(since), published: 'DOWN' },
    evaluatedAt: someInstant - 10 * second,
    quorumExpiresAt: someInstant + 20 * second,
  })

  test('the decision stands without a report until its quorum would have been lost', async () => {
    world.evaluator.restore(world.listed, saved)
    expect(world.read()).toMatchObject({ decision: 'DOWN', liveVerifiers: 3 })
    expect(await world.pass(19)).toEqual([])
    expect(world.read().decision).toBe('DOWN')
    expect(await world.pass(10)).toEqual(['UNKNOWN after 1 s'])
  })

  test('a first report without a quorum takes nothing away', async () => {
    world.evaluator.restore(world.listed, saved)
    expect(await world.pass(15, well)).toEqual([])
    expect(world.read()).toMatchObject({ decision: 'DOWN', liveVerifiers: 3 })
  })

  test('a new quorum goes on from it: DOWN becomes UP no sooner than without the restart', async () => {
    world.evaluator.restore(world.listed, saved)
    expect(await world.pass(40, well, well, well)).toEqual(['UP after 30 s'])
    expect(world.evaluated[0]).toMatchObject({ previousAt: saved.evaluatedAt, previous: saved.state })
  })
})

describe('when the machine was asleep', () => {
  test('the decision ended when its quorum did, whatever is reported after', async () => {
    await world.pass(10, well, well, well)
    world.evaluated.length = 0
    world.clock.advance(600 * second)
    expect(await world.pass(1, failed, failed, failed)).toEqual(['UNKNOWN after 0 s'])
    expect(world.evaluated.map(({ at }) => at)).toEqual([
      someInstant + 32 * second,
      someInstant + 610 * second,
    ])
  })

  test('a late tick is no such thing', async () => {
    await world.pass(10, well, well, well)
    world.clock.advance(24 * second)
    expect(await world.pass(1, well, well, well)).toEqual([])
  })
})

test('a clock that is corrected backwards holds nothing up', async () => {
  await world.pass(10, well, well, well)
  world.clock.advance(-3_600 * second)
  expect(await world.pass(1)).toEqual(['UNKNOWN after 0 s'])
  expect(world.read()).toMatchObject({ decision: 'UNKNOWN', liveVerifiers: 0 })
  expect(await world.pass(25, failed, failed, failed)).toEqual(['DOWN after 20 s'])
})

test('nor does it let a restored decision stand for an hour', async () => {
  await world.evaluator.evaluateDue()
  const quorumExpiresAt = someInstant + 20 * second
  world.evaluator.restore(world.listed, healthOf('a', { evaluatedAt: someInstant, quorumExpiresAt }))
  await world.evaluator.evaluateDue()
  expect(world.read().decision).toBe('UP')
  world.clock.advance(-3_600 * second)
  expect(await world.pass(1)).toEqual(['UNKNOWN after 0 s'])
})

test('an anchor is never judged, and a slot that is used again begins anew', async () => {
  await world.pass(10, well, well, well)
  world.evaluator.forget(world.listed.slot)
  world.table.clearSlot(world.listed.slot)
  world.catalogue.remove('a')
  const anchor = world.catalogue.put(serviceOf('anchor:testnet:0', {}, true))
  expect(anchor.slot).toBe(world.listed.slot)
  world.evaluated.length = 0
  world.evaluator.markDue(anchor.slot)
  await world.evaluator.evaluateDue()
  expect(world.evaluated).toEqual([])
  world.evaluator.forget(anchor.slot)
  world.catalogue.remove('anchor:testnet:0')
  world.catalogue.put(serviceOf('b'))
  world.evaluator.markDue(anchor.slot)
  await world.evaluator.evaluateDue()
  expect(world.evaluated).toMatchObject([{ previousAt: null, previous: { published: 'UNKNOWN' } }])
})

test('2,000 services are judged in slices between which others have their turn', async () => {
  const clock = createVirtualClock()
  let readings = 0
  const busy = setUp({
    ...clock,
    now() {
      readings++
      clock.advance(0.1) // as if each evaluation took that long
      return clock.now()
    },
  })
  for (let index = 1; index < 2_000; index++) busy.catalogue.put(serviceOf(`service-${index}`))
  const turns: number[] = []
  let isDone = false
  const probe = () => {
    turns.push(readings)
    if (!isDone) setImmediate(probe)
  }
  setImmediate(probe)
  await Promise.all([busy.evaluator.evaluateDue(), busy.evaluator.evaluateDue()])
  isDone = true
  expect(busy.evaluated).toHaveLength(2_000)
  expect(turns.length).toBeGreaterThan(30)
  const longest = turns.slice(1).reduce((most, at, index) => Math.max(most, at - (turns[index] ?? 0)), 0)
  expect(longest * 0.1).toBeLessThan(10) // ms
})
