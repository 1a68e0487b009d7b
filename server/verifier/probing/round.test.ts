import { expect, test } from 'bun:test'

import { waitUntil } from '../../../scripts/world/wait-until.ts'
import type { Target } from '../../../shared/verifier-protocol.ts'
import { createConcurrencyLimit } from './concurrency-limit.ts'
import type { ProbeFinding } from '../probes/probe.ts'
import type { ProbeRunner } from '../probes/run.ts'
import { type FinishedRound, createRounds } from './round.ts'
import { healthyRunner, movableClock, plan, target } from '../test-support/fixtures.ts'

const head = (height: number): ProbeFinding => ({
  ok: true,
  head: { height, timestamp: 1_800_000_000, hash8: '0123456789abcdef' },
  error: null,
})

/** A world of services that answer as the tables say. `asked` lists the calls in their order. */
function world(findings: Record<string, ProbeFinding[] | ProbeFinding>, limit = 100) {
  const clock = movableClock()
  const asked: string[] = []
  const hashes: Record<string, string | null> = {}
  const genesis: Record<string, string | null> = {}
  const chainIds: Record<string, string | null> = {}
  const broken: string[] = []
  const runner: ProbeRunner = {
    async probeHead({ serviceId }: Target) {
      asked.push(`head ${serviceId}`)
      clock.pass(20)
      await Promise.resolve()
      const found = findings[serviceId]
      const finding = Array.isArray(found) ? found.shift() : found
      if (!finding) throw new Error(`nothing planned for ${serviceId}`)
      return { ...finding, rttMs: 20 }
    },
    probeCheckpoint({ serviceId }, height) {
      asked.push(`hash ${serviceId} ${height}`)
      return Promise.resolve(hashes[serviceId] ?? null)
    },
    probeGenesis({ serviceId }) {
      asked.push(`genesis ${serviceId}`)
      return Promise.resolve(genesis[serviceId] ?? null)
    },
    probeFacts: () => Promise.resolve({}),
    probeChainId: ({ serviceId }) => Promise.resolve(chainIds[serviceId] ?? null),
  }
  const onBrokenProbe = (serviceId: string) => void broken.push(serviceId)
  const results: [string, string | null][] = []
  const late: Promise<FinishedRound>[] = []
  const rounds = createRounds({
    runner,
    concurrency: createConcurrencyLimit(limit),
    clock,
    onBrokenProbe,
    onProbed: (_, { serviceId }, error) => void results.push([serviceId, error]),
    onLate: (report) => void late.push(report),
  })
  const run = (ids: string[], signal = new AbortController().signal) =>
    rounds.run(plan(ids.map((id) => target(id))), signal)
  return { clock, asked, hashes, genesis, chainIds, broken, results, late, runner, rounds, run }
}

test('a round holds one observation of each service, with times from its own start', async () => {
  const { run, clock } = world({ a: head(100), b: { ok: false, error: 'TIMEOUT' } }, 1)
  const startedAt = clock.monotonic()
  const round = await run(['a', 'b'])
  expect(round).toMatchObject({ planKey: 'chain testnet', chainKey: 'testnet', startedAt, spreadMs: 20 })
  expect(round.finishedAt).toBe(startedAt + 40)
  expect(round.observations).toMatchObject([
    { serviceId: 'a', ok: 1, error: null, height: 100, hash8: '0123456789abcdef', rttMs: 20, offsetMs: 0 },
    { serviceId: 'b', ok: 0, error: 'TIMEOUT', height: null, rttMs: 20, offsetMs: 20 },
  ])
})

test('a quick failure is tried again once; a time-out and a refusal are not', async () => {
  const { run, asked } = world({
    a: [{ ok: false, error: 'CONNECT' }, head(100)],
    b: [
      { ok: false, error: 'HTTP_5XX' },
      { ok: false, error: 'CONNECT' },
    ],
    c: [{ ok: false, error: 'TIMEOUT' }],
    d: [{ ok: false, error: 'RATE_LIMITED' }],
    e: [{ ok: false, error: 'BLOCKED_ADDRESS' }],
  })
  const { observations } = await run(['a', 'b', 'c', 'd', 'e'])
  expect(observations.map(({ error }) => error)).toEqual([
    null,
    'CONNECT',
    'TIMEOUT',
    'RATE_LIMITED',
    'BLOCKED_ADDRESS',
  ])
  expect(observations.map(({ firstError }) => firstError)).toEqual(['CONNECT', 'HTTP_5XX', null, null, null])
  expect(asked.filter((call) => call.startsWith('head'))).toHaveLength(7)
})

test('a service that limits us is left alone, and is reported as not probed meanwhile', async () => {
  const { run, asked, clock } = world({ a: [{ ok: false, error: 'RATE_LIMITED' }, head(100)] })
  await run(['a'])
  clock.pass(10_000)
  const paused = await run(['a'])
  expect(paused.observations).toMatchObject([{ serviceId: 'a', ok: 0, error: 'PAUSED', rttMs: 0 }])
  expect(asked.filter((call) => call.startsWith('head'))).toHaveLength(1)
  clock.pass(10_000)
  expect((await run(['a'])).observations).toMatchObject([{ ok: 1, height: 100 }])
})

test('a service that says how long is left alone for as long', async () => {
  const { run, runner, asked, clock } = world({ a: head(100) })
  const { probeHead } = runner
  runner.probeHead = () =>
    Promise.resolve({ ok: false, error: 'RATE_LIMITED', rttMs: 20, retryAfterMs: 100_000 })
  await run(['a'])
  runner.probeHead = probeHead
  clock.pass(99_999)
  expect((await run(['a'])).observations).toMatchObject([{ error: 'PAUSED' }])
  clock.pass(1)
  expect((await run(['a'])).observations).toMatchObject([{ error: null }])
  expect(asked.filter((call) => call.startsWith('head'))).toHaveLength(1)
})

test('the result of each probe that was made is known at once', async () => {
  const { run, results } = world({ a: head(100), b: { ok: false, error: 'RATE_LIMITED' } })
  await run(['a', 'b'])
  await run(['a', 'b'])
  expect(results).toEqual([
    ['a', null],
    ['b', 'RATE_LIMITED'],
    ['a', null],
  ])
})

test('a retest is a round of its own, without a deep probe, and replaces no other of its plan', async () => {
  const { rounds, asked, clock } = world({ a: [{ ok: false, error: 'CONNECT' }, head(100)] })
  const startedAt = clock.monotonic()
  const retest = { plan: plan([target('a'), target('b')]), target: target('a'), number: 2 }
  const round = await rounds.retest(retest, new AbortController().signal)
  expect(round).toMatchObject({ planKey: 'retest 2 a', isRetest: true, startedAt, checkpoint: null })
  expect(round.observations).toMatchObject([{ serviceId: 'a', ok: 1, firstError: 'CONNECT', offsetMs: 20 }])
  expect(asked).toEqual(['head a', 'head a'])
})

test('the first answers choose a height that is final, and everybody who answered is asked for its hash', async () => {
  const { run, asked, hashes } = world({
    a: head(100),
    b: head(101),
    c: head(30_000_000),
    d: { ok: false, error: 'TIMEOUT' },
    e: { ok: true, head: { height: 7, timestamp: 0, hash8: null }, error: 'WRONG_CHAIN' },
  })
  Object.assign(hashes, { a: '00000000000000aa', b: '00000000000000AA', c: '00000000000000cc' })
  const { checkpoint } = await run(['a', 'b', 'c', 'd', 'e'])
  expect(checkpoint).toEqual({
    height: 91,
    hashes: [
      { serviceId: 'a', hash8: '00000000000000aa' },
      { serviceId: 'c', hash8: '00000000000000cc' },
    ],
  })
  expect(asked.filter((call) => call.startsWith('hash'))).toEqual([
    'hash a 91',
    'hash b 91',
    'hash c 91',
    'hash e 91',
  ])
})

test('hashes come with one round per interval; a newcomer brings the kept height back', async () => {
  const { run, clock, hashes } = world({ a: head(100), b: head(100) })
  Object.assign(hashes, { a: '00000000000000aa', b: '00000000000000bb' })
  expect((await run(['a'])).checkpoint).toMatchObject({ height: 90, hashes: [{ serviceId: 'a' }] })
  expect((await run(['a'])).checkpoint).toBeNull()
  expect((await run(['a', 'b'])).checkpoint).toBeNull()
  clock.pass(30_000)
  const repeated = (await run(['a', 'b'])).checkpoint
  expect(repeated).toMatchObject({ height: 90, hashes: [{ serviceId: 'a' }, { serviceId: 'b' }] })
  clock.pass(270_000)
  expect((await run(['a', 'b'])).checkpoint).not.toBeNull()
})

test('a short chain has no final height yet', async () => {
  const { run, asked } = world({ a: head(9) })
  expect((await run(['a'])).checkpoint).toBeNull()
  expect(asked).toEqual(['head a', 'genesis a'])
})

test('a wrong genesis is told at once and until a deep probe finds the right one', async () => {
  const { run, clock, genesis, hashes } = world({ a: head(100), b: head(200) })
  Object.assign(genesis, { a: '0xABCD000000000000', b: '0xffff000000000000' })
  Object.assign(hashes, { a: '00000000000000aa' })
  const errors = async () => (await run(['a', 'b'])).observations.map(({ ok, error }) => [ok, error])
  const first = await run(['a', 'b'])
  expect(first.checkpoint?.height).toBe(90) // the stranger's head has no say
  expect(first.observations.map(({ error }) => error)).toEqual([null, 'WRONG_GENESIS'])
  expect(await errors()).toEqual([
    [1, null],
    [1, 'WRONG_GENESIS'],
  ])
  clock.pass(300_000)
  genesis['b'] = null // no answer is no acquittal
  expect((await errors())[1]).toEqual([1, 'WRONG_GENESIS'])
  clock.pass(300_000)
  genesis['b'] = '0xabcd000000000000'
  expect((await errors())[1]).toEqual([1, null])
})

test('a chain id that no head names is told until a deep probe finds the right one', async () => {
  const { run, clock, chainIds } = world({ a: head(100), b: head(100) })
  Object.assign(chainIds, { a: '31337', b: '1' })
  const errors = async () => (await run(['a', 'b'])).observations.map(({ error }) => error)
  expect(await errors()).toEqual([null, 'WRONG_CHAIN'])
  clock.pass(300_000)
  chainIds['b'] = null // no answer is no acquittal
  expect(await errors()).toEqual([null, 'WRONG_CHAIN'])
  clock.pass(300_000)
  chainIds['b'] = '31337'
  expect(await errors()).toEqual([null, null])
})

test('a service at another address is not what the last one was, and is checked like a newcomer', async () => {
  const { clock, chainIds, rounds } = world({ a: head(100), b: head(100) })
  Object.assign(chainIds, { a: '31337', b: '1' })
  const errors = async (b: Partial<Target>) => {
    const round = await rounds.run(plan([target('a'), target('b', b)]), new AbortController().signal)
    return round.observations.map(({ error }) => error)
  }
  expect(await errors({})).toEqual([null, 'WRONG_CHAIN'])
  const moved = { endpoint: 'https://moved.example/' }
  expect(await errors(moved)).toEqual([null, null])
  expect(await errors({})).toEqual([null, 'WRONG_CHAIN'])
  clock.pass(30_000)
  chainIds['b'] = '2'
  expect(await errors(moved)).toEqual([null, 'WRONG_CHAIN'])
})

test('a service of another assignment starts without a past', async () => {
  const { run, genesis, rounds } = world({ a: head(100) })
  genesis['a'] = '0xffff000000000000'
  await run(['a'])
  rounds.keepOnly(new Set())
  expect((await run(['a'])).observations).toMatchObject([{ ok: 1, error: null }])
})

test('a deep probe that breaks costs nothing but its own answer', async () => {
  const { runner, rounds, broken } = world({ a: head(100), b: head(100) })
  runner.probeGenesis = () => Promise.reject(new Error('a mistake in the program'))
  runner.probeCheckpoint = ({ serviceId }) =>
    serviceId === 'a' ? Promise.reject(new Error('another')) : Promise.resolve('00000000000000bb')
  const { observations, checkpoint } = await rounds.run(
    plan([target('a'), target('b')]),
    new AbortController().signal,
  )
  expect(observations).toHaveLength(2)
  expect(checkpoint?.hashes).toEqual([{ serviceId: 'b', hash8: '00000000000000bb' }])
  expect(broken).toEqual(['a', 'b', 'a'])
})

test('a probe that breaks is our fault: the service is left out, and the others are not', async () => {
  const { run, broken } = world({ a: head(100), b: [] })
  const { observations } = await run(['a', 'b'])
  expect(observations.map(({ serviceId }) => serviceId)).toEqual(['a'])
  expect(broken).toEqual(['b'])
})

test('an aborted round ends at once and asks nobody any more', async () => {
  const controller = new AbortController()
  const { promise: answer, resolve } = Promise.withResolvers<ProbeFinding & { rttMs: number }>()
  const asked: string[] = []
  const runner: ProbeRunner = {
    ...healthyRunner,
    probeHead({ serviceId }) {
      asked.push(serviceId)
      return answer
    },
  }
  const concurrency = createConcurrencyLimit(1)
  const rounds = createRounds({
    runner,
    concurrency,
    clock: movableClock(),
    onBrokenProbe() {},
    onProbed() {},
    onLate() {},
  })
  const running = rounds.run(plan([target('a'), target('b')]), controller.signal)
  await waitUntil('one is asked', () => asked.length === 1)
  controller.abort()
  await expect(running).rejects.toBe(controller.signal.reason)
  resolve({ ...head(100), rttMs: 1 })
  await concurrency.run(() => Promise.resolve()) // its turn comes after that of every probe in line
  expect(asked).toEqual(['a'])
})
