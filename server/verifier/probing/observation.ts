import type { ProbeError } from '../../../shared/verifier-protocol.ts'
import { ObservationRow } from '../../../shared/verifier-protocol.ts'
import type { ProbeFinding } from '../probes/probe.ts'
import type { Contradiction } from './deep-probe.ts'

/** The result of one probe of one service, with all that a row of a report holds. */
export interface Observation {
  serviceId: string
  provider: string
  ok: 0 | 1
  error: ProbeError | null
  height: number | null
  timestamp: number | null
  hash8: string | null
  rttMs: number
  /** Milliseconds from the round's start to the probe's start. */
  offsetMs: number
  /** The error of the first try, if the probe was tried again within its round. */
  firstError: ProbeError | null
}

/** When a probe ran, in milliseconds by the monotonic clock. */
export interface ProbeTiming {
  offsetMs: number
  rttMs: number
}

export interface ObservedService {
  serviceId: string
  provider: string
}

const wholeMillis = (ms: number): number => Math.max(0, Math.round(ms))

/**
 * Turns a finding into an observation. An answer with values that the wire does not carry (a negative height, 2^53)
 * counts as a failed probe. `contradiction` is the result of the last deep probe.
 */
export function observe(
  service: ObservedService,
  finding: ProbeFinding,
  timing: ProbeTiming,
  contradiction: Contradiction | null,
): Observation {
  const failed = (error: ProbeError): Observation => ({
    serviceId: service.serviceId,
    provider: service.provider,
    ok: 0,
    error,
    height: null,
    timestamp: null,
    hash8: null,
    rttMs: wholeMillis(timing.rttMs),
    offsetMs: wholeMillis(timing.offsetMs),
    firstError: null,
  })
  if (!finding.ok) return failed(finding.error)
  const { head } = finding
  const observation: Observation = {
    ...failed('RPC_ERROR'),
    ok: 1,
    error: finding.error ?? contradiction,
    height: head?.height ?? null,
    timestamp: head?.timestamp ?? null,
    hash8: head?.hash8 ?? null,
  }
  return ObservationRow.safeParse(toRow(observation, 0)).success ? observation : failed('RPC_ERROR')
}

/** Returns the observation in the wire format; `index` is the place of its service in the batch's `services`. */
export function toRow(seen: Observation, index: number): ObservationRow {
  const { ok, error, height, timestamp, hash8, rttMs, offsetMs, firstError } = seen
  if (firstError === null) return [index, ok, error, height, timestamp, hash8, rttMs, offsetMs]
  return [index, ok, error, height, timestamp, hash8, rttMs, offsetMs, firstError]
}
