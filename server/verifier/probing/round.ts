import type { ProbeError, Target } from '../../../shared/verifier-protocol.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Attempt, type Probed, createAttempts } from './attempts.ts'
import { createDeepProbe } from './deep-probe.ts'
import type { AnsweringTarget, CheckpointFinding } from './deep-probe.ts'
import { untilAborted } from '../../platform/deadline.ts'
import { createWakeUp } from '../wake-up.ts'
import type { ConcurrencyLimit } from './concurrency-limit.ts'
import { observe } from './observation.ts'
import type { Observation } from './observation.ts'
import type { RoundPlan } from './plan.ts'
import { type FoundFacts, createFactsLedger } from './service-facts.ts'
import type { ProbeRunner, TimedFinding } from '../probes/run.ts'

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

/** A probe of one service of a plan out of its turn. */
export interface Retest {
  readonly plan: RoundPlan
  readonly target: Target
  /** 1 to 3; 0 for a probe that follows a suspicion, and not a failure. */
  readonly number: number
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
  const facts = createFactsLedger()
  const deepProbe = createDeepProbe({ runner, concurrency, clock, onBrokenProbe, onFacts: facts.note })
  const attempts = createAttempts({ runner, concurrency, clock, onBrokenProbe, onProbed, onHead })

  function onHead(target: Target, finding: TimedFinding): void {
    if (finding.facts) facts.note(target, finding.facts)
    if (finding.ok && (finding.otherChain || deepProbe.contradictionOf(target) !== 'WRONG_CHAIN'))
      facts.note(target, { otherChain: finding.otherChain })
  }

  /** Plans whose deep probe has not ended, and what one found that no round has taken along yet. */
  const searching = new Set<string>()
  const found = new Map<string, CheckpointFinding>()

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

  /**
   * One service that hangs must not make what the others of its chain answered too old to count. They are reported without it
   * once the next round is due, and before that where it outlasted its last round too.
   */
  async function runRound(plan: RoundPlan, signal: AbortSignal): Promise<FinishedRound> {
    const startedAt = clock.monotonic()
    const started = attempts.startAll(plan, startedAt, signal)
    const punctual = started.filter(({ target }) => !attempts.isSlow(target))
    await waitFor(punctual.length > 0 ? punctual : started, plan, signal)

    const { probed, late } = split(started)
    if (late.length > 0) {
      for (const { target } of late) attempts.outlasted(target)
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
    awaited: readonly Attempt[],
    signal: AbortSignal,
  ): Promise<FinishedRound> {
    do await waitFor(awaited, plan, signal)
    while (!awaited.some(({ hasEnded }) => hasEnded))

    const { probed, late } = split(awaited)
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
    const probed = await attempts.probe(target, plan, startedAt, signal)
    // With a key of its own it makes no other round look older than the newest of its plan.
    const planKey = `retest ${number} ${target.serviceId}`
    return { ...finish(plan, startedAt, probed ? [probed] : []), planKey, checkpoint: null, isRetest: true }
  }

  return {
    run: (plan, signal) => untilAborted(runRound(plan, signal), signal),
    retest: (retest, signal) => untilAborted(runRetest(retest, signal), signal),
    keepOnly(serviceIds) {
      attempts.keepOnly(serviceIds)
      deepProbe.keepOnly(serviceIds)
      facts.keepOnly(serviceIds)
    },
  }
}

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
