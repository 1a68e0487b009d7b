import type { Chain } from '../../../shared/chains.ts'
import type { ProbeError, Target } from '../../../shared/verifier-protocol.ts'
import type { Clock } from '../../platform/clock.ts'
import { createDeepProbe } from './deep-probe.ts'
import type { AnsweringTarget, CheckpointFinding } from './deep-probe.ts'
import { untilAborted } from '../../platform/deadline.ts'
import { createWakeUp } from '../wake-up.ts'
import type { ConcurrencyLimit } from './concurrency-limit.ts'
import { observe } from './observation.ts'
import type { Observation, ProbeTiming } from './observation.ts'
import type { RoundPlan } from './plan.ts'
import { type FoundFacts, createFactsLedger } from './service-facts.ts'
import type { ProbeRunner, TimedFinding } from '../probes/run.ts'
import { createRateLimitBackOff } from './rate-limit-back-off.ts'
import type { ProbeResult } from './rate-limit-back-off.ts'
import type { Retest } from './retests.ts'

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
  /** Whether it is of services out of their turn, which say nothing about the rest of their chain. */
  isRetest: boolean
  /** What is new about services of this round beside their heads. */
  facts: readonly FoundFacts[]
}

export interface Rounds {
  /**
   * Runs one round of a plan, which ends at the latest when the next one is due. Rejects with the signal's reason when it
   * aborts.
   */
  run(plan: RoundPlan, signal: AbortSignal): Promise<FinishedRound>
  /** Runs a round of one service of a plan, without a deep probe. */
  retest(retest: Retest, signal: AbortSignal): Promise<FinishedRound>
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
  finding: TimedFinding
  timing: ProbeTiming
  /** The error of the first try, where there were two. */
  firstError: ProbeError | null
}

/** A probe that a round has started. */
interface Attempt {
  readonly target: Target
  readonly end: Promise<void>
  hasEnded: boolean
  /** Null also where the probe broke. */
  probed: Probed | null
}

export interface RoundsOptions {
  runner: ProbeRunner
  concurrency: ConcurrencyLimit
  clock: Clock
  /** Is called when the runner rejected. The service is left out of the round, because the fault is not its own. */
  onBrokenProbe: (serviceId: string, error: unknown) => void
  /** Is called with the result of each probe that was made, while others of its round may be under way. */
  onProbed: (plan: RoundPlan, target: Target, error: ProbeError | null) => void
  /** Is called with the report to come of services that a round did not wait for. It rejects when the signal aborts. */
  onLate: (report: Promise<FinishedRound>) => void
}

export function createRounds({ runner, concurrency, clock, ...options }: RoundsOptions): Rounds {
  const { onBrokenProbe, onProbed, onLate } = options
  const backOff = createRateLimitBackOff()
  const facts = createFactsLedger()
  const deepProbe = createDeepProbe({ runner, concurrency, clock, onBrokenProbe, onFacts: facts.note })

  /** Probes of rounds that have not ended: nobody is asked again meanwhile, except at another address. */
  const underWay = new Set<string>()
  /** The addresses of services that outlasted their last round, by the services' ids. */
  const slow = new Map<string, string>()
  /** Plans whose deep probe has not ended, and what one found that no round has taken along yet. */
  const searching = new Set<string>()
  const found = new Map<string, CheckpointFinding>()

  async function probeOnce(target: Target, chain: Chain | null, roundAt: number): Promise<Probed> {
    const offsetMs = clock.monotonic() - roundAt
    const finding = await runner.probeHead(target, chain)
    if (finding.facts) facts.note(target, finding.facts)
    if (finding.ok && (finding.otherChain || deepProbe.contradictionOf(target) !== 'WRONG_CHAIN'))
      facts.note(target, { otherChain: finding.otherChain })
    return { target, finding, timing: { offsetMs, rttMs: finding.rttMs }, firstError: null }
  }

  async function probe(
    target: Target,
    plan: RoundPlan,
    roundAt: number,
    signal: AbortSignal,
  ): Promise<Probed> {
    if (backOff.isPaused(target.serviceId, clock.monotonic())) {
      const timing = { offsetMs: clock.monotonic() - roundAt, rttMs: 0 }
      return { target, finding: { ok: false, error: 'PAUSED', rttMs: 0 }, timing, firstError: null }
    }
    return concurrency.run(async () => {
      signal.throwIfAborted()
      let probed = await probeOnce(target, plan.chain, roundAt)
      const { finding } = probed
      if (!finding.ok && !notTriedAgain.has(finding.error) && !signal.aborted) {
        probed = { ...(await probeOnce(target, plan.chain, roundAt)), firstError: finding.error }
      }
      backOff.record(target.serviceId, resultOf(probed, plan), clock.monotonic())
      onProbed(plan, target, probed.finding.error)
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

  function finish(plan: RoundPlan, startedAt: number, probed: readonly Probed[]) {
    const observations = probed.map(({ target, finding, timing, firstError }) => ({
      ...observe(target, finding, timing, deepProbe.contradictionOf(target)),
      firstError,
    }))
    const finishedAt = clock.monotonic()
    return {
      chainKey: plan.chainKey,
      startedAt,
      finishedAt,
      spreadMs: spreadOf(observations),
      observations,
      facts: facts.takeDue(
        probed.map(({ target }) => target),
        finishedAt,
      ),
    }
  }

  function start(target: Target, plan: RoundPlan, roundAt: number, signal: AbortSignal): Attempt {
    const key = keyOf(target)
    underWay.add(key)
    const attempt = { target, hasEnded: false, probed: null as Probed | null }
    async function end(): Promise<void> {
      attempt.probed = await probeOrReport(target, plan, roundAt, signal)
      attempt.hasEnded = true
      underWay.delete(key)
      if (clock.monotonic() - roundAt < plan.intervalMs) slow.delete(target.serviceId)
    }
    return Object.assign(attempt, { end: end() })
  }

  /**
   * One service that hangs must not make what the others of its chain answered too old to count. They are reported without it
   * once the next round is due, and before that where it outlasted its last round too.
   */
  async function runRound(plan: RoundPlan, signal: AbortSignal): Promise<FinishedRound> {
    const startedAt = clock.monotonic()
    const attempts = plan.targets
      .filter((target) => !underWay.has(keyOf(target)))
      .map((target) => start(target, plan, startedAt, signal))
    const punctual = attempts.filter(({ target }) => slow.get(target.serviceId) !== target.endpoint)
    await waitFor(punctual.length > 0 ? punctual : attempts, plan, signal)

    const { probed, late } = split(attempts)
    if (late.length > 0) {
      for (const { target } of late) slow.set(target.serviceId, target.endpoint)
      onLate(untilAborted(reportLate(plan, startedAt, late, signal), signal))
    }
    const leftMs = Math.max(0, startedAt + plan.intervalMs - clock.monotonic())
    const checkpoint = await runDeepProbe(plan, probed, leftMs, signal)
    return { ...finish(plan, startedAt, probed), planKey: plan.key, checkpoint, isRetest: false }
  }

  /** Late heads were read too long after those of their round to be compared with them. */
  async function reportLate(
    plan: RoundPlan,
    startedAt: number,
    attempts: readonly Attempt[],
    signal: AbortSignal,
  ): Promise<FinishedRound> {
    do await waitFor(attempts, plan, signal)
    while (!attempts.some(({ hasEnded }) => hasEnded))

    const { probed, late } = split(attempts)
    if (late.length > 0) onLate(untilAborted(reportLate(plan, startedAt, late, signal), signal))
    const planKey = `late ${probed[0]?.target.serviceId}`
    return { ...finish(plan, startedAt, probed), planKey, checkpoint: null, isRetest: true }
  }

  /** What is found only after the round was due goes with the next one. */
  async function runDeepProbe(
    plan: RoundPlan,
    probed: readonly Probed[],
    leftMs: number,
    signal: AbortSignal,
  ): Promise<CheckpointFinding | null> {
    const { key } = plan
    if (!searching.has(key)) {
      searching.add(key)
      const search = deepProbe
        .run(plan, probed.flatMap(answering), signal)
        .then((finding) => finding && found.set(key, finding))
        .finally(() => searching.delete(key))
      await forAtMost(search, leftMs, signal)
    }
    const finding = found.get(key) ?? null
    found.delete(key)
    return finding
  }

  async function runRetest({ plan, target, number }: Retest, signal: AbortSignal): Promise<FinishedRound> {
    const startedAt = clock.monotonic()
    const probed = await probeOrReport(target, plan, startedAt, signal)
    // With a key of its own it makes no other round look older than the newest of its plan.
    const planKey = `retest ${number} ${target.serviceId}`
    return { ...finish(plan, startedAt, probed ? [probed] : []), planKey, checkpoint: null, isRetest: true }
  }

  return {
    run: (plan, signal) => untilAborted(runRound(plan, signal), signal),
    retest: (retest, signal) => untilAborted(runRetest(retest, signal), signal),
    keepOnly(serviceIds) {
      backOff.keepOnly(serviceIds)
      deepProbe.keepOnly(serviceIds)
      facts.keepOnly(serviceIds)
      for (const serviceId of slow.keys()) if (!serviceIds.has(serviceId)) slow.delete(serviceId)
    },
  }
}

const keyOf = ({ serviceId, endpoint }: Target): string => `${serviceId} ${endpoint}`

function split(attempts: readonly Attempt[]): { probed: Probed[]; late: Attempt[] } {
  const probed = attempts.flatMap((attempt) => attempt.probed ?? [])
  return { probed, late: attempts.filter(({ hasEnded }) => !hasEnded) }
}

async function waitFor(attempts: readonly Attempt[], { intervalMs }: RoundPlan, signal: AbortSignal) {
  await forAtMost(Promise.all(attempts.map(({ end }) => end)), intervalMs, signal)
  signal.throwIfAborted()
}

/** Resolves once the work has ended or the time is over, and rejects where the work does so before. */
async function forAtMost(work: Promise<unknown>, ms: number, signal: AbortSignal): Promise<void> {
  const over = createWakeUp()
  await Promise.race([work, over.wait(ms, signal)]).finally(over.notify)
}

const resultOf = ({ finding }: Probed, { intervalMs }: RoundPlan): ProbeResult => ({
  error: finding.ok ? null : finding.error,
  retryAfterMs: finding.retryAfterMs ?? null,
  intervalMs,
})

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
