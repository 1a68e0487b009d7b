import type { Assignments } from '../../../shared/verifier-protocol.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { ProbeRunner } from '../probes/run.ts'
import { createWakeUp } from '../wake-up.ts'
import { createConcurrencyLimit } from './concurrency-limit.ts'
import { createEarlyProbes } from './early-probes.ts'
import { chainPlanKey, planRounds, targetsById } from './plan.ts'
import type { RoundPlan } from './plan.ts'
import { createRetests } from './retests.ts'
import type { DueRetest } from './retests.ts'
import { type FinishedRound, createRounds } from './round.ts'
import { createProbeSchedule } from './schedule.ts'

/** Probes the assigned services: rounds in their turn, and single services right after a failure or a suspicion. */
export interface Prober {
  assign(assignments: Assignments): void
  /** Has a service probed soon, unless it is known to fail. */
  suspect(serviceId: string): void
  /** Has all services of a chain probed now, because one of them seems to be behind. */
  bringForward(chainKey: string): void
  /** Sets the shortest interval of every round, in ms; 0 removes the restriction. */
  slowDownTo(intervalMs: number): void
  /** Resolves once the signal aborts; rejects never. */
  run(signal: AbortSignal): Promise<'stopped'>
}

export interface ProberOptions {
  readonly runner: ProbeRunner
  readonly clock: Clock
  /** Returns a number in [0, 1). */
  readonly random: () => number
  readonly log: Log
  readonly onFinished: (round: FinishedRound) => void
  /** Is called with an error of the program itself. */
  readonly onBroken: (error: unknown) => void
}

/** With more concurrent probes, the round trips would measure the verifier's own queue. */
const probesAtOnce = 100

export function createProber({ runner, clock, random, log, onFinished, onBroken }: ProberOptions): Prober {
  const schedule = createProbeSchedule(random)
  const retests = createRetests(random)
  const earlyProbes = createEarlyProbes(random)
  const changed = createWakeUp()
  let assigned = targetsById([])
  const rounds = createRounds({
    runner,
    concurrency: createConcurrencyLimit(probesAtOnce),
    clock,
    onBrokenProbe: (serviceId, error) => log.error('a probe broke', { serviceId, error: String(error) }),
    onLate: (report) => void report.then(onFinished).catch(onBroken),
    onProbed(plan, { serviceId, endpoint }, error) {
      if (assigned.get(serviceId)?.target.endpoint !== endpoint) return // says nothing of where the service is now
      const now = clock.monotonic()
      retests.record(plan, serviceId, error, now)
      earlyProbes.record(plan, serviceId, error, now)
      if (error !== null) changed.notify()
    },
  })

  async function runRound(plan: RoundPlan, signal: AbortSignal): Promise<void> {
    const round = await rounds.run(plan, signal)
    schedule.finished(plan.key)
    changed.notify()
    onFinished(round)
  }

  async function runRetest({ serviceId, number }: DueRetest, signal: AbortSignal): Promise<void> {
    const planned = assigned.get(serviceId)
    if (planned) onFinished(await rounds.retest({ ...planned, number }, signal))
  }

  function startDue(now: number, signal: AbortSignal): Promise<void>[] {
    return [
      ...schedule.takeDue(now).map((plan) => runRound(plan, signal)),
      ...retests.takeDue(now).map((retest) => runRetest(retest, signal)),
      ...earlyProbes.takeDue(now).map((serviceId) => runRetest({ serviceId, number: 0 }, signal)),
    ]
  }

  /** In ms; null while nothing is due. */
  function untilNextDue(): number | null {
    const dueAt = Math.min(
      ...[schedule, retests, earlyProbes].map((source) => source.nextDueAt() ?? Infinity),
    )
    return dueAt === Infinity ? null : Math.max(0, dueAt - clock.monotonic())
  }

  return {
    assign(assignments) {
      const plans = planRounds(assignments)
      schedule.replacePlans(plans, clock.monotonic())
      assigned = targetsById(plans)
      const assignedIds = new Set(assigned.keys())
      for (const part of [rounds, retests, earlyProbes]) part.keepOnly(assignedIds)
      log.info('assigned', { services: assignments.targets.length, rounds: plans.length })
      changed.notify()
    },
    suspect(serviceId) {
      earlyProbes.suspect(serviceId, clock.monotonic())
      changed.notify()
    },
    bringForward(chainKey) {
      schedule.bringForward(chainPlanKey(chainKey), clock.monotonic())
      changed.notify()
    },
    slowDownTo: schedule.slowDownTo,
    async run(signal) {
      while (!signal.aborted) {
        for (const probing of startDue(clock.monotonic(), signal)) probing.catch(onBroken)
        await changed.wait(untilNextDue(), signal)
      }
      return 'stopped'
    },
  }
}
