import type { Chain } from '../../../shared/chains.ts'
import type { ProbeError, Target } from '../../../shared/verifier-protocol.ts'
import type { Clock } from '../../platform/clock.ts'
import type { ProbeRunner, TimedFinding } from '../probes/run.ts'
import type { ConcurrencyLimit } from './concurrency-limit.ts'
import type { ProbeTiming } from './observation.ts'
import type { RoundPlan } from './plan.ts'
import { type ProbeResult, createRateLimitBackOff } from './rate-limit-back-off.ts'

/** Failures that are not retried in the same round, because a retry would repeat them or make them worse. */
const notTriedAgain: ReadonlySet<ProbeError> = new Set([
  'TIMEOUT',
  'RATE_LIMITED',
  'HTTP_4XX',
  'TOO_LARGE',
  'BLOCKED_ADDRESS',
])

export interface Probed {
  target: Target
  finding: TimedFinding
  timing: ProbeTiming
  /** The error of the first try, where there were two. */
  firstError: ProbeError | null
}

/** A probe that a round has started. */
export interface Attempt {
  readonly target: Target
  readonly end: Promise<void>
  hasEnded: boolean
  /** Null also where the probe broke. */
  probed: Probed | null
}

interface AttemptsOptions {
  readonly runner: Pick<ProbeRunner, 'probeHead'>
  readonly concurrency: ConcurrencyLimit
  readonly clock: Clock
  readonly onBrokenProbe: (serviceId: string, error: unknown) => void
  readonly onProbed: (plan: RoundPlan, target: Target, error: ProbeError | null) => void
  /** Is called with each finding, also that of a first try. */
  readonly onHead: (target: Target, finding: TimedFinding) => void
}

/** Probes of single services: each is tried again once where that helps, and left alone where it limits us. */
export function createAttempts({ runner, concurrency, clock, ...options }: AttemptsOptions) {
  const { onBrokenProbe, onProbed, onHead } = options
  const backOff = createRateLimitBackOff()
  /** Probes of rounds that have not ended: nobody is asked again meanwhile, except at another address. */
  const underWay = new Set<string>()
  /** The addresses of services that outlasted their last round, by the services' ids. */
  const slow = new Map<string, string>()
  async function probeOnce(target: Target, chain: Chain | null, roundAt: number): Promise<Probed> {
    const offsetMs = clock.monotonic() - roundAt
    const finding = await runner.probeHead(target, chain)
    onHead(target, finding)
    return { target, finding, timing: { offsetMs, rttMs: finding.rttMs }, firstError: null }
  }

  async function probe(
    target: Target,
    plan: RoundPlan,
    roundAt: number,
    signal: AbortSignal,
  ): Promise<Probed> {
    if (backOff.isPaused(target, clock.monotonic())) {
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
      backOff.record(target, resultOf(probed, plan), clock.monotonic())
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

  return {
    /** Resolves to null where the probe broke. */
    probe: probeOrReport,
    /** Starts the probes of a round, but for services that are still being probed. */
    startAll: (plan: RoundPlan, roundAt: number, signal: AbortSignal): Attempt[] =>
      plan.targets
        .filter((target) => !underWay.has(keyOf(target)))
        .map((target) => start(target, plan, roundAt, signal)),
    /** Whether the service outlasted its last round. */
    isSlow: ({ serviceId, endpoint }: Target): boolean => slow.get(serviceId) === endpoint,
    outlasted: ({ serviceId, endpoint }: Target): void => void slow.set(serviceId, endpoint),
    keepOnly(serviceIds: ReadonlySet<string>): void {
      backOff.keepOnly(serviceIds)
      for (const serviceId of slow.keys()) if (!serviceIds.has(serviceId)) slow.delete(serviceId)
    },
  }
}

const keyOf = ({ serviceId, endpoint }: Target): string => `${serviceId} ${endpoint}`

const resultOf = ({ finding }: Probed, { intervalMs }: RoundPlan): ProbeResult => ({
  error: finding.ok ? null : finding.error,
  retryAfterMs: finding.retryAfterMs ?? null,
  intervalMs,
})
