import * as fc from 'fast-check'

import type { Decision, Policy } from '../../../../shared/health.ts'
import type { ChainParams, HeadObservation } from '../reference-head.ts'
import type { KnownDecision } from '../state-machine.ts'
import type { Report } from '../vote.ts'

/** What the tests of this folder share: one moment, one policy, one chain, and generators around them. */

export const now = 1_800_000_000_000
export const nowSec = now / 1000
export const windowMs = 30_000
export const runs = { numRuns: 2_000 }
/** For properties that the draft checked as 300 × 10 nested runs. */
export const manyRuns = { numRuns: 3_000 }

export const policy: Policy = {
  intervalMs: 10_000,
  timeoutMs: 4_000,
  freshMs: 30_000,
  minLive: 1,
  quorum: 'majority',
  enterBlocks: 5,
  enterSec: 60,
  exitRatio: 0.5,
  staleFactor: 20,
  maxAgeMs: 900_000,
  maxRttMs: null,
  downForMs: 20_000,
  latencyForMs: 30_000,
  upForMs: 30_000,
  maxUpForMs: 300_000,
  flapWindowMs: 1_800_000,
  deepIntervalMs: 300_000,
  rateLimitedIs: 'bad',
}

/** Like Ethereum. */
export const params: ChainParams = { blockMs: 12_000, futureTolSec: 15, headAgeGraceSec: 60, corroborate: 2 }

const severities: Readonly<Record<KnownDecision, number>> = { UP: 0, LATENCY: 1, DOWN: 2 }
export function severityOf(decision: Decision): number {
  if (decision === 'UNKNOWN') throw new Error('UNKNOWN has no severity')
  return severities[decision]
}

export const published = fc.constantFrom<Decision>('UNKNOWN', 'UP', 'LATENCY', 'DOWN')
export const known = fc.constantFrom<KnownDecision>('UP', 'LATENCY', 'DOWN')
export const policies = fc.record({
  rateLimitedIs: fc.constantFrom<Policy['rateLimitedIs']>('ok', 'bad'),
  maxRttMs: fc.constantFrom(null, 3_000),
})

const liveInstant = fc.integer({ min: now - 29_000, max: now })

/** Any live report of a verifier. */
export const reportOf = (verifierId: string, at = liveInstant): fc.Arbitrary<Report> =>
  fc.record({
    verifierId: fc.constant(verifierId),
    at,
    ok: fc.boolean(),
    error: fc.constantFrom(null, null, null, 'WRONG_CHAIN' as const, 'RATE_LIMITED' as const),
    lagBlocks: fc.oneof(fc.integer({ min: 0, max: 400 }), fc.constantFrom(0, Number.MAX_SAFE_INTEGER, -5)),
    lagSec: fc.oneof(fc.integer({ min: 0, max: 4_000 }), fc.constantFrom(0, Number.MAX_SAFE_INTEGER)),
    rttMs: fc.integer({ min: 0, max: 10_000 }),
  })

/** Live reports of so many different verifiers. */
export const reports = (min: number, max: number, prefix = 'v'): fc.Arbitrary<Report[]> =>
  fc
    .integer({ min, max })
    .chain((count) => fc.tuple(...Array.from({ length: count }, (_, index) => reportOf(`${prefix}${index}`))))

export const shuffled = <T>(items: readonly T[]): fc.Arbitrary<T[]> =>
  fc.shuffledSubarray([...items], { minLength: items.length, maxLength: items.length })

/** A report without fault, but for the given fields. */
export const report = (verifier: number, fields: Partial<Report> = {}): Report => ({
  verifierId: `x${verifier}`,
  at: now - 1,
  ok: true,
  error: null,
  lagBlocks: 0,
  lagSec: 0,
  rttMs: 10,
  ...fields,
})

/** A head seen one second ago at a service of a provider of its own, but for the given fields. */
export function seen(
  service: number,
  height: number,
  fields: Partial<HeadObservation> = {},
): HeadObservation {
  const at = fields.at ?? now - 1_000
  return {
    serviceId: `s${service}`,
    provider: `p${service}`,
    verifierId: 'v0',
    at,
    height,
    timestamp: Math.floor(at / 1000) - 5,
    ...fields,
  }
}

export const honestHeights = (minLength: number, maxLength: number): fc.Arbitrary<number[]> =>
  fc.array(fc.integer({ min: 1_000, max: 1_003 }), { minLength, maxLength })

export const lyingHeight: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(0, 1, 500, 1_021, 1_025, 31_000_000, Number.MAX_SAFE_INTEGER),
  fc.integer({ min: 900, max: 1_200 }),
  fc.integer({ min: 999, max: 1_008 }),
)
export const lyingTimestamp: fc.Arbitrary<number> = fc.integer({ min: nowSec - 4_000, max: nowSec + 4_000 })
