import { expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { waitUntil } from '../../../scripts/world/wait-until.ts'
import { ReportBatch, protocolLimits } from '../../../shared/verifier-protocol.ts'
import { createRoundBuffer } from './buffer.ts'
import { createDelivery } from './delivery.ts'
import { createVerifierIdentity } from '../identity/identity.ts'
import type { ReportOutcome, ServerClient } from '../server-client/server-client.ts'
import { createServerTime } from '../server-client/server-time.ts'
import { createMemoryState } from '../identity/state.ts'
import { silentLog } from '../../../scripts/world/database.ts'
import { movableClock, observation, round } from '../test-support/fixtures.ts'

/*
 * Verifier and server under losses, repetitions, restarts of either and clocks that jump. Whatever happened, once the
 * faults end every new round gets through: nothing locks a verifier out.
 */

const identity = createVerifierIdentity()
const always0 = () => 0

/** What happens to one exchange. */
const faults = ['none', 'request lost', 'answer lost', 'delivered twice', 'busy'] as const
type Fault = (typeof faults)[number]

/** The rules of health.md: numbers only rise, the same bytes again are a duplicate, a skewed clock is refused. */
function modelServer(clock: { now(): number }) {
  let last = { seq: 0, body: '' }
  const taken: ReportBatch[] = []

  function receive(body: string): ReportOutcome {
    const batch = ReportBatch.parse(JSON.parse(body))
    const ack = { ackSeq: batch.seq, serverTimeMs: clock.now(), intervalMs: 0, assignmentsEtag: '' }
    if (batch.seq === last.seq && body === last.body)
      return { kind: 'accepted', ack: { ...ack, duplicate: true } }
    if (batch.seq <= last.seq) return { kind: 'replayed', lastSeq: last.seq }
    if (Math.abs(clock.now() - batch.sentAtMs) > protocolLimits.clockSkewMs) {
      return { kind: 'clock_skew', serverTimeMs: clock.now() }
    }
    last = { seq: batch.seq, body }
    taken.push(batch)
    return { kind: 'accepted', ack: { ...ack, duplicate: false } }
  }

  return {
    receive,
    taken,
    /** A restarted server takes nothing that can have been sent before. */
    restart() {
      last = { seq: Math.max(last.seq, clock.now() * 1_000), body: '' }
    },
  }
}

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('round' as const), gapMs: fc.nat(5_000) }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('fault' as const), fault: fc.constantFrom(...faults) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart server' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('restart verifier' as const),
      losesState: fc.boolean(),
      jumpMs: fc.integer({ min: -40_000_000_000, max: 40_000_000_000 }),
    }),
  },
)

test('losses, repetitions, restarts and jumping clocks never lock a verifier out', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const serverClock = movableClock()
      const clock = movableClock()
      const pass = (ms: number) => {
        clock.pass(ms)
        serverClock.pass(ms)
      }
      const server = modelServer(serverClock)
      const planned: Fault[] = []
      let calls = 0
      const serverClient: ServerClient = {
        assignments: () => Promise.resolve({ kind: 'unchanged' }),
        ping: () => Promise.resolve(true),
        report(bytes) {
          calls += 1
          const body = new TextDecoder().decode(bytes)
          const fault = planned.shift() ?? 'none'
          if (fault === 'busy') return Promise.resolve({ kind: 'busy', retryAfterMs: 0 })
          if (fault === 'request lost') return Promise.resolve({ kind: 'unreachable' })
          const outcome = server.receive(body)
          if (fault === 'answer lost') return Promise.resolve({ kind: 'unreachable' })
          return Promise.resolve(fault === 'delivered twice' ? server.receive(body) : outcome)
        },
      }

      function startVerifier(lastSeq: number) {
        const buffer = createRoundBuffer()
        const state = createMemoryState('ver_1', lastSeq)
        const delivery = createDelivery({
          serverClient,
          identity,
          state,
          buffer,
          serverTime: createServerTime(clock),
          clock,
          random: always0,
          log: silentLog,
          onAccepted: () => {},
        })
        const controller = new AbortController()
        const running = delivery.run(controller.signal)
        return {
          state,
          report(id: string) {
            const seen = round([observation(id)], {
              startedAt: clock.monotonic(),
              finishedAt: clock.monotonic(),
            })
            buffer.add({ ...seen, isolated: false }, clock.monotonic())
            delivery.wake()
          },
          settle: () => waitUntil('all is delivered', () => buffer.next(clock.monotonic()) === null),
          async stop() {
            controller.abort()
            await Promise.allSettled([running])
          },
        }
      }

      let verifier = startVerifier(0)
      const reported: string[] = []
      for (const action of steps) {
        switch (action.do) {
          case 'round':
            pass(action.gapMs)
            reported.push(`round-${reported.length}`)
            verifier.report(reported.at(-1) ?? '')
            break
          case 'fault':
            planned.push(action.fault)
            break
          case 'restart server':
            // A start takes time: no batch is numbered in the very millisecond of the floor.
            pass(1)
            server.restart()
            pass(1)
            break
          case 'restart verifier':
            await verifier.settle()
            await verifier.stop()
            clock.jump(action.jumpMs)
            verifier = startVerifier(action.losesState ? 0 : verifier.state.lastSeq())
            break
        }
      }
      await verifier.settle()
      const callsBefore = calls
      planned.length = 0
      verifier.report('last')
      await verifier.settle()
      await verifier.stop()

      expect(calls - callsBefore).toBeLessThanOrEqual(4)
      const arrived = new Set(server.taken.flatMap(({ services }) => services))
      expect(arrived).toEqual(new Set([...reported, 'last']))
      const numbers = server.taken.map(({ seq }) => seq)
      expect(numbers).toEqual([...new Set(numbers)].toSorted((left, right) => left - right))
    }),
    { numRuns: 150 },
  )
})
