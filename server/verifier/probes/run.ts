import type { Chain } from '../../../shared/chains.ts'
import type { ServiceFacts } from '../../../shared/service-facts.ts'
import type { ProbeError, Target } from '../../../shared/verifier-protocol.ts'
import type { Clock } from '../../platform/clock.ts'
import {
  EgressError,
  type EgressRequest,
  type EgressResponse,
  type StreamingEgress,
} from '../../platform/egress.ts'
import { retryAfterOf } from '../../platform/retry-after.ts'
import { createConcurrencyLimit } from '../probing/concurrency-limit.ts'
import { certificateFacts, certificateProblemOf } from './certificate-facts.ts'
import { errorOfEgress } from './egress-failure.ts'
import { createProbes } from './families.ts'
import { type Probe, type ProbeExchange, type ProbeFinding, ProbeFailure } from './probe.ts'
import { createSocketCertificates } from './socket-certificates.ts'

export type TimedFinding = ProbeFinding & {
  rttMs: number
  /** How long the service asked to be left alone, in ms, if it refused the probe and said so. */
  retryAfterMs?: number | null
  /** What the probe found out by the way. */
  facts?: ServiceFacts
}

/** Asks services how they are, each in the way of its family. */
export interface ProbeRunner {
  /**
   * One attempt within the target's `timeoutMs`. `rttMs` is that of the last exchange to which an answer came, in whole
   * milliseconds, without the look-up of its name; 0 when none came.
   */
  probeHead(target: Target, chain: Chain | null): Promise<TimedFinding>
  /** First 8 bytes of the hash at a height; null where the family or this service gives no such answer. */
  probeCheckpoint(target: Target, height: number): Promise<string | null>
  /** The genesis hash in full; null where the family or this service gives no such answer. */
  probeGenesis(target: Target): Promise<string | null>
  /** The chain id, where the head does not name it; null where the family or this service gives no such answer. */
  probeChainId(target: Target): Promise<string | null>
  /** What else can be found out within `timeoutMs` of a service whose head is known; nothing in families without such calls. */
  probeFacts(target: Target, height: number): Promise<ServiceFacts>
}

export interface ProbeRunnerOptions {
  egress: Omit<StreamingEgress, 'fetch' | 'refusalOf'>
  monotonic: Clock['monotonic']
}

/** A block's answer names its transactions: 8,000 of an EVM chain are half a megabyte. */
const usualBytes = 2 << 20
/** What a larger answer may hold, of which few are read at once: a hundred would fill the memory. */
const mostBytes = 16 << 20
const largeAtOnce = 8

interface Attempt<Value> {
  outcome: { ok: true; value: Value } | { ok: false; error: ProbeError; retryAfterMs?: number | null }
  rttMs: number
  facts: ServiceFacts
}

/**
 * Every failure of a service is a finding. The promises reject only when the egress was closed meanwhile
 * (`EgressError` `ABORTED`), or for a mistake in the program or in a target's headers.
 */
export function createProbeRunner({ egress, monotonic }: ProbeRunnerOptions): ProbeRunner {
  const probes = createProbes()
  const socketCertificates = createSocketCertificates(egress)
  const largeAnswers = createConcurrencyLimit(largeAtOnce)

  /** Asks again for an answer that was too large for the many, with a deadline of its own: our limit is not its fault. */
  async function requestLarge(
    request: Omit<EgressRequest, 'maxBytes'>,
    timeoutMs: number,
  ): Promise<EgressResponse> {
    try {
      return await egress.request({ ...request, maxBytes: usualBytes })
    } catch (error) {
      if (!(error instanceof EgressError) || error.code !== 'TOO_LARGE') throw error
      return largeAnswers.run(() => egress.request({ ...request, timeoutMs, maxBytes: mostBytes }))
    }
  }

  async function attempt<Value>(
    target: Target,
    ask: (probe: Probe, exchange: ProbeExchange) => Promise<Value>,
  ): Promise<Attempt<Value>> {
    const deadlineAt = monotonic() + target.policy.timeoutMs
    let rttMs = 0
    let retryAfterMs: number | null = null
    let facts: ServiceFacts = {}

    const exchange: ProbeExchange = async (request) => {
      await egress.resolve(request.url, timeLeft(deadlineAt - monotonic()))
      const startedAt = monotonic()
      const sent = { ...request, timeoutMs: timeLeft(deadlineAt - startedAt), ca: target.ca }
      const response = await requestLarge(sent, target.policy.timeoutMs)
      rttMs = Math.round(monotonic() - startedAt)
      retryAfterMs = retryAfterOf(response.headers)
      facts = certificateFacts(response)
      return response
    }

    try {
      return { outcome: { ok: true, value: await ask(probes[target.family], exchange) }, rttMs, facts }
    } catch (error) {
      const failure = probeErrorOf(error)
      if (failure === 'TLS') facts = { certificateProblem: certificateProblemOf(error) }
      const isLimited = failure === 'RATE_LIMITED'
      return { outcome: { ok: false, error: failure, ...(isLimited && { retryAfterMs }) }, rttMs, facts }
    }
  }

  async function answerOrNull(
    target: Target,
    ask: (probe: Probe, exchange: ProbeExchange) => Promise<string | null> | undefined,
  ): Promise<string | null> {
    const { outcome } = await attempt(target, async (probe, exchange) => (await ask(probe, exchange)) ?? null)
    return outcome.ok ? outcome.value : null
  }

  return {
    async probeHead(target, chain) {
      const { outcome, rttMs, facts } = await attempt(target, (probe, exchange) =>
        probe.head(target, chain, exchange),
      )
      const all = socketCertificates.addTo(target, facts)
      const more = { rttMs, ...(Object.keys(all).length > 0 && { facts: all }) }
      return outcome.ok ? { ...outcome.value, ...more } : { ...outcome, ...more }
    },
    probeCheckpoint: (target, height) =>
      answerOrNull(target, (probe, exchange) => probe.hashAt?.(target, height, exchange)),
    probeGenesis: (target) => answerOrNull(target, (probe, exchange) => probe.genesis?.(target, exchange)),
    probeChainId: (target) => answerOrNull(target, (probe, exchange) => probe.chainId?.(target, exchange)),
    async probeFacts(target, height) {
      const facts: ServiceFacts = {}
      const note = (found: ServiceFacts) => void Object.assign(facts, found)
      await attempt(target, async (probe, exchange) => probe.facts?.(target, height, exchange, note))
      await socketCertificates.check(target)
      return facts
    },
  }
}

/**
 * Returns what is left of a deadline in whole milliseconds.
 * @throws ProbeFailure `TIMEOUT` where it is over
 */
function timeLeft(ms: number): number {
  if (ms <= 0) throw new ProbeFailure('TIMEOUT')
  return Math.ceil(ms)
}

/** Rethrows what is not the service's fault. */
function probeErrorOf(failure: unknown): ProbeError {
  if (failure instanceof ProbeFailure) return failure.error
  const error = failure instanceof EgressError ? errorOfEgress[failure.code] : null
  if (error === null) throw failure
  return error
}
