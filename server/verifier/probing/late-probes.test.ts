import { expect, test } from 'bun:test'

import { waitUntil } from '../../../scripts/world/wait-until.ts'
import type { ProbeFinding } from '../probes/probe.ts'
import type { ProbeRunner } from '../probes/run.ts'
import { healthyRunner, movableClock, plan, target } from '../test-support/fixtures.ts'
import { createConcurrencyLimit } from './concurrency-limit.ts'
import type { RoundPlan } from './plan.ts'
import { type FinishedRound, createRounds } from './round.ts'

type TimedFinding = ProbeFinding & { rttMs: number }

const timeOut: TimedFinding = { ok: false, error: 'TIMEOUT', rttMs: 45_000 }
const answer: TimedFinding = {
  ok: true,
  head: { height: 100, timestamp: 1_800_000_000, hash8: null },
  error: null,
  rttMs: 3,
}

/** Three services that answer at once, and one whose probes end when the test says so. Rounds last for a moment. */
function world(runner: Partial<ProbeRunner> = {}) {
  const clock = movableClock()
  const asked: string[] = []
  const hanging: ((finding: TimedFinding) => void)[] = []
  const late: Promise<FinishedRound>[] = []
  const rounds = createRounds({
    runner: {
      ...healthyRunner,
      probeHead({ serviceId }) {
        asked.push(serviceId)
        if (serviceId !== 'slow') return Promise.resolve(answer)
        return new Promise((resolve) => hanging.push(resolve))
      },
      ...runner,
    },
    concurrency: createConcurrencyLimit(100),
    clock,
    onBrokenProbe() {},
    onProbed() {},
    onLate: (report) => void late.push(report),
  })
  const intervalMs = 20
  const targets = ['a', 'slow', 'b', 'c'].map((id) => target(id))
  const never = new AbortController().signal
  const run = (changes: Partial<RoundPlan> = {}, signal = never) =>
    rounds.run(plan(targets, { intervalMs, ...changes }), signal)
  async function end(finding: TimedFinding): Promise<void> {
    await waitUntil('one hangs', () => hanging.length > 0)
    hanging.shift()?.(finding)
  }
  return { clock, asked, late, rounds, run, end, intervalMs }
}

const idsOf = ({ observations }: FinishedRound) => observations.map(({ serviceId }) => serviceId)

test('a service that hangs keeps nobody of its chain from being reported, and follows alone', async () => {
  const { clock, late, run, end } = world()
  const startedAt = clock.monotonic()
  expect(idsOf(await run())).toEqual(['a', 'b', 'c'])
  expect(late).toHaveLength(1)
  clock.pass(45_000)
  await end(timeOut)
  const report = await late[0]
  expect(report).toMatchObject({ planKey: 'late slow', isRetest: true, startedAt, checkpoint: null })
  expect(report?.observations).toMatchObject([{ serviceId: 'slow', ok: 0, error: 'TIMEOUT', offsetMs: 0 }])
})

test('a service is not asked again while it has not answered', async () => {
  const { asked, late, run, end } = world()
  await run()
  expect(idsOf(await run())).toEqual(['a', 'b', 'c'])
  expect(asked.filter((id) => id === 'slow')).toHaveLength(1)
  await end(timeOut)
  await late[0]
  await run()
  expect(asked.filter((id) => id === 'slow')).toHaveLength(2)
})

test('a round does not wait for a service that outlasted the last one, until it is quick again', async () => {
  const { clock, late, run, end, intervalMs } = world()
  await run()
  clock.pass(intervalMs)
  await end(timeOut)
  await late[0]

  expect(idsOf(await run())).toEqual(['a', 'b', 'c'])
  await end(answer) // within the interval
  expect(await late[1]).toMatchObject({ observations: [{ serviceId: 'slow', ok: 1, height: 100 }] })

  const round = run({ intervalMs: 10_000 })
  await end(answer)
  expect(idsOf(await round)).toEqual(['a', 'slow', 'b', 'c'])
  expect(late).toHaveLength(2)
})

test('nobody waits for what is late when the verifier stops', async () => {
  const { late, run } = world()
  const controller = new AbortController()
  await run({}, controller.signal)
  controller.abort()
  await expect(late[0]).rejects.toBe(controller.signal.reason)
})

test('a deep probe that hangs delays no report, and what it finds goes with a later one', async () => {
  const { promise: genesis, resolve } = Promise.withResolvers<null>()
  const deep = world({
    probeHead: () => Promise.resolve(answer),
    probeGenesis: () => genesis,
    probeCheckpoint: () => Promise.resolve('00000000000000aa'),
  })
  expect(await deep.run()).toMatchObject({ observations: [{}, {}, {}, {}], checkpoint: null })
  expect((await deep.run()).checkpoint).toBeNull()
  resolve(null)
  await new Promise(setImmediate)
  expect((await deep.run()).checkpoint).toMatchObject({ height: 90 })
})
