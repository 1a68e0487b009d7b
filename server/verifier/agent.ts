import type { Assignments } from '../../shared/verifier-protocol.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import { followAssignments } from './assignment-feed.ts'
import { splitRound } from './batch.ts'
import { createBuffer } from './buffer.ts'
import { createDelivery } from './delivery.ts'
import { createDoorbell, pause, untilAborted } from './doorbell.ts'
import { createGate } from './gate.ts'
import type { Identity } from './identity.ts'
import { createIsolationCheck } from './isolation-check.ts'
import { planRounds } from './plan.ts'
import type { RoundPlan } from './plan.ts'
import type { ProbeRunner } from './probes/run.ts'
import type { Reach } from './reach.ts'
import { createRounds } from './round.ts'
import type { FinishedRound } from './round.ts'
import { createSchedule } from './schedule.ts'
import type { ServerLink } from './server-link.ts'
import { createServerTime } from './server-time.ts'
import type { VerifierState } from './state.ts'

export interface AgentOptions {
  link: ServerLink
  runner: ProbeRunner
  /** Asks the canary hosts that the assignments name. */
  reach: Reach
  identity: Identity
  state: VerifierState
  clock: Clock
  /** Gives [0, 1). */
  random: () => number
  log: Log
}

export type AgentEnd = { kind: 'stopped' } | { kind: 'revoked' } | { kind: 'failed'; error: unknown }

/** Probes what the server assigns and reports what it finds. */
export interface Agent {
  /** To be called once. */
  start(): void
  /** Ends everything at once; what was not reported yet is lost. Resolves when nothing runs any more. */
  stop(): Promise<void>
  /** Resolves when the agent has ended, for whatever reason; never rejects. */
  readonly ended: Promise<AgentEnd>
}

/** More at once, and the round trips would measure the verifier's own queue. */
const probesAtOnce = 100
/** Rounds that finish within this time share a batch. */
const flushMs = 1_000

export function createAgent(options: AgentOptions): Agent {
  const { link, runner, reach, clock, random, log } = options
  const serverTime = createServerTime(clock)
  const schedule = createSchedule(random)
  const buffer = createBuffer()
  const isolationCheck = createIsolationCheck(link, reach, clock)
  const rounds = createRounds({
    runner,
    gate: createGate(probesAtOnce),
    clock,
    onBrokenProbe: (serviceId, error) => log.error('a probe broke', { serviceId, error: String(error) }),
  })
  const delivery = createDelivery({
    ...options,
    buffer,
    serverTime,
    onAccepted: (ack) => schedule.slowDownTo(ack.intervalMs),
  })
  const scheduleChanged = createDoorbell()
  const roundFinished = createDoorbell()
  const finishedRounds: FinishedRound[] = []
  const stopping = new AbortController()
  const { promise: ended, resolve: end } = Promise.withResolvers<AgentEnd>()

  function follow(assignments: Assignments): void {
    serverTime.learn(assignments.serverTimeMs)
    const plans = planRounds(assignments)
    schedule.follow(plans, clock.monotonic())
    isolationCheck.follow(assignments)
    rounds.keepOnly(new Set(assignments.targets.map(({ serviceId }) => serviceId)))
    log.info('assigned', { services: assignments.targets.length, rounds: plans.length })
    scheduleChanged.ring()
  }

  async function conduct(plan: RoundPlan, signal: AbortSignal): Promise<void> {
    const round = await rounds.run(plan, signal)
    schedule.finished(plan.key)
    scheduleChanged.ring()
    if (round.observations.length === 0) return
    finishedRounds.push(round)
    roundFinished.ring()
  }

  async function probe(signal: AbortSignal): Promise<'stopped'> {
    while (!signal.aborted) {
      for (const plan of schedule.takeDue(clock.monotonic())) {
        conduct(plan, signal).catch((error: unknown) => fail(error, signal))
      }
      const dueAt = schedule.nextDueAt()
      const waitMs = dueAt === null ? null : Math.max(0, dueAt - clock.monotonic())
      await scheduleChanged.wait(waitMs, signal)
    }
    return 'stopped'
  }

  async function flush(signal: AbortSignal): Promise<'stopped'> {
    while (!signal.aborted) {
      await roundFinished.wait(null, signal)
      await pause(flushMs, signal)
      const flushed = finishedRounds.splice(0)
      const isolated = await untilAborted(isolationCheck.judge(flushed), signal)
      for (const part of flushed.flatMap(splitRound)) buffer.add({ ...part, isolated }, clock.monotonic())
      delivery.wake()
    }
    return 'stopped'
  }

  function fail(error: unknown, signal: AbortSignal): void {
    if (signal.aborted) return // what is cut off by a stop may fail as it likes
    log.error('the verifier failed', { error: String(error) })
    finish({ kind: 'failed', error })
  }

  function finish(result: AgentEnd): void {
    stopping.abort()
    end(result)
  }

  async function run(signal: AbortSignal): Promise<void> {
    const loops = [
      followAssignments({ link, clock, random, log, onAssignments: follow }, signal),
      probe(signal),
      flush(signal),
      delivery.run(signal),
    ]
    const watched = loops.map(async (loop) => {
      try {
        if ((await loop) === 'revoked') finish({ kind: 'revoked' })
      } catch (error) {
        fail(error, signal)
      }
    })
    await Promise.all(watched)
    finish({ kind: 'stopped' })
  }

  let running: Promise<void> | null = null
  return {
    start() {
      running = run(stopping.signal)
    },
    async stop() {
      finish({ kind: 'stopped' })
      await running
    },
    ended,
  }
}
