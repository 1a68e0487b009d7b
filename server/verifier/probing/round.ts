import type { Chain } from '../../../shared/chains.ts'
import type { ProbeError, Target } from '../../../shared/verifier-protocol.ts'
import type { Clock } from '../../platform/clock.ts'
import { createDeepProbe } from './deep-probe.ts'
import type { AnsweringTarget, CheckpointFinding } from './deep-probe.ts'
import { untilAborted } from '../../platform/deadline.ts'
import type { ConcurrencyLimit } from './concurrency-limit.ts'
import { observe } from './observation.ts'
import type { Observation, ProbeTiming } from './observation.ts'
import type { RoundPlan } from './plan.ts'
import type { ProbeFinding } from '../probes/probe.ts'
import type { ProbeRunner } from '../probes/run.ts'
import { createRateLimitBackOff } from './rate-limit-back-off.ts'

/** One near-simultaneous probing of a plan's services. */
export interface FinishedRound {
  planKey: string
  chainKey: string | null
  /** Monotonic milliseconds. */
  startedAt: number
  finishedAt: number
  /** Milliseconds from the first probe's start to the last one's. */
  spreadMs: number
  observations: Observation[]
  checkpoint: CheckpointFinding | null
}

export interface Rounds {
  /** Runs one round of a plan. Rejects with the signal's reason when it aborts. */
  run(plan: RoundPlan, signal: AbortSignal): Promise<FinishedRound>
  /** Discards the state (pauses, genesis checks) of every other service. */
  keepOnly(serviceIds: ReadonlySet<string>): void
}

/** Failures that are not retried in the same round, because a retry would repeat them or make them worse. */
const notTriedAgain: ReadonlySet<ProbeError> = new Set([
  'TIMEOUT',
  'RATE_LIMITED',
  'HTTP_4XX',
  'TOO_LARGE',
  'BLOCKED_ADDRESS',
])

interface Probed {
  target: Target
  finding: ProbeFinding
  timing: ProbeTiming
}

export interface RoundsOptions {
  runner: ProbeRunner
  concurrency: ConcurrencyLimit
  clock: Clock
  /** Is called when the runner rejected. The service is left out of the round, because the fault is not its own. */
  onBrokenProbe: (serviceId: string, error: unknown) => void
}

export function createRounds({ runner, concurrency, clock, onBrokenProbe }: RoundsOptions): Rounds {
  const backOff = createRateLimitBackOff()
  const deepProbe = createDeepProbe({ runner, concurrency, clock, onBrokenProbe })

  async function probeOnce(target: Target, chain: Chain | null, roundAt: number): Promise<Probed> {
    const offsetMs = clock.monotonic() - roundAt
    const finding = await runner.probeHead(target, chain)
    return { target, finding, timing: { offsetMs, rttMs: finding.rttMs } }
  }

  async function probe(
    target: Target,
    plan: RoundPlan,
    roundAt: number,
    signal: AbortSignal,
  ): Promise<Probed> {
    const paused = backOff.pausedSince(target.serviceId, clock.monotonic())
    if (paused) {
      const offsetMs = clock.monotonic() - roundAt
      const finding = { ok: false, error: 'RATE_LIMITED' } as const
      return { target, finding, timing: { offsetMs, rttMs: paused.rttMs } }
    }
    return concurrency.run(async () => {
      signal.throwIfAborted()
      let probed = await probeOnce(target, plan.chain, roundAt)
      if (!probed.finding.ok && !notTriedAgain.has(probed.finding.error) && !signal.aborted) {
        probed = await probeOnce(target, plan.chain, roundAt)
      }
      const error = probed.finding.ok ? null : probed.finding.error
      backOff.record(target.serviceId, error, probed.timing.rttMs, plan.intervalMs, clock.monotonic())
      return probed
    })
  }

  async function probeOrReport(
    target: Target,
    plan: RoundPlan,
    roundAt: number,
    signal: AbortSignal,
  ): Promise<Probed | null> {
    try {
      return await probe(target, plan, roundAt, signal)
    } catch (error) {
      if (!signal.aborted) onBrokenProbe(target.serviceId, error)
      return null
    }
  }

  async function runRound(plan: RoundPlan, signal: AbortSignal): Promise<FinishedRound> {
    const startedAt = clock.monotonic()
    const attempts = plan.targets.map((target) => probeOrReport(target, plan, startedAt, signal))
    const probed = (await Promise.all(attempts)).filter((one) => one !== null)
    const checkpoint = await deepProbe.run(plan, probed.flatMap(answering), signal)
    const observations = probed.map(({ target, finding, timing }) =>
      observe(target, finding, timing, deepProbe.contradictionOf(target.serviceId)),
    )
    return {
      planKey: plan.key,
      chainKey: plan.chainKey,
      startedAt,
      finishedAt: clock.monotonic(),
      spreadMs: spreadOf(observations),
      observations,
      checkpoint,
    }
  }

  return {
    run: (plan, signal) => untilAborted(runRound(plan, signal), signal),
    keepOnly(serviceIds) {
      backOff.keepOnly(serviceIds)
      deepProbe.keepOnly(serviceIds)
    },
  }
}

function answering({ target, finding }: Probed): AnsweringTarget[] {
  if (!finding.ok) return []
  const height = finding.head?.height
  const isUsable =
    finding.error === null && height !== undefined && Number.isSafeInteger(height) && height >= 0
  return [{ target, height: isUsable ? height : null }]
}

function spreadOf(observations: readonly Observation[]): number {
  const offsets = observations.map(({ offsetMs }) => offsetMs)
  return offsets.length === 0 ? 0 : Math.max(...offsets) - Math.min(...offsets)
}
