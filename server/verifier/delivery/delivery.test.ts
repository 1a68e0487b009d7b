import { expect, test } from 'bun:test'

import { waitUntil } from '../../../scripts/world/wait-until.ts'
import type { ReportBatch } from '../../../shared/verifier-protocol.ts'
import type { PendingRound } from './batch.ts'
import { createRoundBuffer } from './buffer.ts'
import { createDelivery } from './delivery.ts'
import { createVerifierIdentity } from '../identity/identity.ts'
import type { ReportOutcome, ServerClient } from '../server-client/server-client.ts'
import { createServerTime } from '../server-client/server-time.ts'
import { createMemoryState } from '../identity/state.ts'
import { silentLog } from '../../../scripts/world/database.ts'
import { movableClock, observation, round } from '../test-support/fixtures.ts'

const identity = createVerifierIdentity()
const serverNow = 1_800_000_000_000

const accepted = (batch: ReportBatch): ReportOutcome => ({
  kind: 'accepted',
  ack: {
    ackSeq: batch.seq,
    duplicate: false,
    serverTimeMs: serverNow,
    intervalMs: 0,
    assignmentsEtag: '',
  },
})

const pending = (id: string, finishedAt: number): PendingRound => ({
  ...round([observation(id)], { planKey: id, startedAt: finishedAt - 100, finishedAt }),
  isolated: false,
})

/** A delivery whose server answers as the script says, and then accepts everything. */
function setUp(
  script: ((batch: ReportBatch) => ReportOutcome)[],
  options: { random?: () => number; lastSeq?: number } = {},
) {
  const clock = movableClock()
  const buffer = createRoundBuffer()
  const state = createMemoryState('ver_1', options.lastSeq)
  const sent: ReportBatch[] = []
  const warnings: string[] = []
  const serverClient: ServerClient = {
    assignments: () => Promise.resolve({ kind: 'unchanged' }),
    ping: () => Promise.resolve(true),
    report(body) {
      const batch: ReportBatch = JSON.parse(new TextDecoder().decode(body))
      sent.push(batch)
      return Promise.resolve((script.shift() ?? accepted)(batch))
    },
  }
  const delivery = createDelivery({
    serverClient,
    identity,
    state,
    buffer,
    serverTime: createServerTime(clock),
    clock,
    random: options.random ?? (() => 0),
    log: { ...silentLog, warn: (message) => void warnings.push(message) },
    onAccepted: () => {},
  })
  const controller = new AbortController()
  const deliver = async (...rounds: PendingRound[]) => {
    for (const one of rounds) buffer.add(one, clock.monotonic())
    const running = delivery.run(controller.signal)
    delivery.wake()
    await waitUntil('all is delivered', () => buffer.next(clock.monotonic()) === null)
    controller.abort()
    await Promise.allSettled([running])
  }
  return { clock, buffer, state, sent, deliver, delivery, controller, warnings }
}

test('a batch is numbered by the clock, above the last number', async () => {
  const { clock, sent, deliver, state } = setUp([])
  await deliver(pending('a', clock.monotonic()))
  expect(sent).toMatchObject([
    {
      seq: clock.now() * 1_000,
      sentAtMs: clock.now(),
      backfill: false,
      services: ['a'],
      rounds: [{ ageMs: 100 }],
    },
  ])
  expect(state.lastSeq()).toBe(clock.now() * 1_000)
})

test('a refusal as replayed is answered with a higher number', async () => {
  const { clock, sent, deliver } = setUp([() => ({ kind: 'replayed', lastSeq: 5_000_000_000_000_000 })])
  await deliver(pending('a', clock.monotonic()))
  expect(sent.map(({ seq }) => seq)).toEqual([clock.now() * 1_000, 5_000_000_000_000_001])
})

test('a refusal as far ahead is answered with the number after the last that was accepted', async () => {
  const { clock, sent, deliver } = setUp([() => ({ kind: 'replayed', lastSeq: 77 })], {
    lastSeq: 2 ** 53 - 2,
  })
  await deliver(pending('a', clock.monotonic()))
  expect(sent.map(({ seq }) => seq)).toEqual([2 ** 53 - 1, clock.now() * 1_000])
})

test('a refusal of the very first try with its own number is no receipt', async () => {
  const { clock, sent, deliver } = setUp([({ seq }) => ({ kind: 'replayed', lastSeq: seq })])
  await deliver(pending('a', clock.monotonic()))
  expect(sent).toHaveLength(2)
})

test('where only the answer was lost, the refusal of the second try is the receipt', async () => {
  const { clock, sent, deliver } = setUp([
    () => ({ kind: 'unreachable' }),
    ({ seq }) => ({ kind: 'replayed', lastSeq: seq }),
  ])
  await deliver(pending('a', clock.monotonic()))
  expect(sent).toHaveLength(2)
  expect(sent[1]?.seq).toBe(sent[0]?.seq ?? 0)
})

test('a skewed clock is corrected in the next try, numbers included', async () => {
  const serverTimeMs = serverNow + 86_400_000
  const { clock, sent, deliver } = setUp([() => ({ kind: 'clock_skew', serverTimeMs })])
  await deliver(pending('a', clock.monotonic()))
  expect(sent[1]).toMatchObject({ sentAtMs: serverTimeMs, seq: serverTimeMs * 1_000 })
})

test('while the server is busy new rounds gather, and the newest of each plan goes first', async () => {
  const { clock, buffer, sent, deliver } = setUp([
    () => {
      clock.pass(10_000)
      buffer.add(pending('a', clock.monotonic()), clock.monotonic())
      return { kind: 'busy', retryAfterMs: 1 }
    },
  ])
  const start = clock.monotonic()
  await deliver(pending('a', start), pending('b', start))
  const shape = sent.map(({ backfill, rounds, services }) => [
    backfill,
    services,
    rounds.map(({ ageMs }) => ageMs),
  ])
  expect(shape).toEqual([
    [false, ['a', 'b'], [100, 100]],
    [false, ['b', 'a'], [10_100, 100]],
    [true, ['a'], [10_100]],
  ])
})

test('a batch that can never be accepted is dropped, and the next one goes', async () => {
  const { clock, sent, deliver } = setUp([() => ({ kind: 'rejected', message: 'no' })])
  const now = clock.monotonic()
  await deliver({ ...pending('a', now), isolated: true }, pending('b', now))
  expect(sent.map(({ services, isolated }) => [services, isolated])).toEqual([
    [['a'], true],
    [['b'], false],
  ])
})

const notFound = (): ReportOutcome => ({ kind: 'refused', status: 404, message: 'no server' })

test('a batch that a proxy refused waits for the server, and somebody is told once', async () => {
  const { clock, sent, deliver, warnings } = setUp([notFound, notFound])
  await deliver(pending('a', clock.monotonic()))
  expect(sent.map(({ services }) => services)).toEqual([['a'], ['a'], ['a']])
  expect(warnings).toEqual(['reports are refused on their way; trying again'])
})

test('corrections without end turn into waiting, not into a flood', async () => {
  const sentAt: number[] = []
  const refuse = (): ReportOutcome => {
    sentAt.push(performance.now())
    return { kind: 'clock_skew', serverTimeMs: serverNow }
  }
  const { clock, delivery, buffer, controller } = setUp(
    Array.from({ length: 100 }, () => refuse),
    { random: () => 0.2 },
  )
  buffer.add(pending('a', clock.monotonic()), clock.monotonic())
  const running = delivery.run(controller.signal)
  await waitUntil('it is sent five times', () => sentAt.length >= 5)
  controller.abort()
  await running
  expect((sentAt[4] ?? 0) - (sentAt[3] ?? 0)).toBeGreaterThan(90)
})

test('a revoked verifier stops', async () => {
  const { clock, delivery, buffer, controller, sent } = setUp([() => ({ kind: 'revoked' })])
  buffer.add(pending('a', clock.monotonic()), clock.monotonic())
  expect(await delivery.run(controller.signal)).toBe('revoked')
  expect(sent).toHaveLength(1)
})
