import * as z from 'zod/mini'

import { Family } from './chains.ts'
import { Decision, Policy } from './health.ts'
import { DeclaredCapabilities, capabilityContradictions } from './node-capabilities.ts'
import { ServiceFacts } from './service-facts.ts'
import { probeErrors } from './verifier-protocol.ts'

const seconds = (description: string) => z.int().check(z.meta({ format: 'int64', description }))

/** What a verifier holds against a service. */
export const Objection = z.enum([
  ...probeErrors,
  'FAILED',
  'INCONSISTENT',
  'BLOCKS_BEHIND',
  'SECONDS_BEHIND',
  'SLOW',
])
export type Objection = z.infer<typeof Objection>

/** One verifier's vote on a service, with its reason and how old it is. */
export const VoteDetails = z
  .object({
    verifierId: z.string(),
    region: z.string(),
    vote: z.enum(['OK', 'LAG', 'BAD']),
    reason: z.nullable(Objection),
    lagBlocks: z.number(),
    lagSec: z.number(),
    rttMs: z.number(),
    ageMs: z.int(),
    counts: z.boolean().check(z.meta({ description: 'false while the verifier is ejected' })),
  })
  .check(z.meta({ id: 'VoteDetails' }))
export type VoteDetails = z.infer<typeof VoteDetails>

/** Why a decision is what it is: votes with reason and freshness, reference, thresholds, advisories. */
export const ServiceDetails = z
  .object({
    serviceId: z.string(),
    name: z.string(),
    family: Family,
    chain: z.nullable(z.string()),
    provider: z.string(),
    managedBy: z.enum(['file', 'operator']),
    decision: Decision,
    since: seconds('Unix second since which the decision holds'),
    reason: z.string(),
    pending: z.nullable(
      z
        .object({
          decision: Decision,
          heldSec: z.int(),
          neededSec: z.int(),
          failures: z.optional(z.object({ count: z.int(), needed: z.int() })),
        })
        .check(
          z.meta({
            description:
              'the change that the votes ask for: how long they did, and how long they must; with `failures` where so many in a row are enough',
          }),
        ),
    ),
    quorum: z.object({ assigned: z.int(), needed: z.int() }),
    expected: z.int().check(
      z.meta({
        description: 'verifiers assigned, and those that report but joined too recently to be assigned',
      }),
    ),
    votes: z.array(VoteDetails),
    head: z
      .nullable(
        z.object({
          height: z.number(),
          timestamp: seconds('timestamp of that block, in seconds'),
          ageMs: z.int().check(z.meta({ description: 'how long ago it was seen' })),
        }),
      )
      .check(z.meta({ description: 'the newest block of the service itself, as the latest probe saw it' })),
    reference: z.nullable(
      z.object({
        height: z.number(),
        timestamp: seconds('timestamp of the reference block, in seconds'),
        providers: z.int(),
        corroborated: z.boolean(),
      }),
    ),
    gap: z
      .nullable(
        z.object({
          blocks: z.int(),
          isBehind: z.boolean().check(z.meta({ description: 'false where the other one is' })),
          since: seconds('Unix second since which they are apart'),
        }),
      )
      .check(
        z.meta({
          description:
            'how far apart the only two providers of a chain are, or two nodes of its only provider; null while they are close, and where more are watched',
        }),
      ),
    tries: z.object({ count: z.int(), failed: z.int(), behind: z.int() }).check(
      z.meta({
        description:
          'what the last ten probes of each verifier found, second tries included: tries that failed, and answers that were too far behind',
      }),
    ),
    thresholds: Policy,
    labels: z.array(z.string().check(z.meta({ description: 'such as archive, pruned or no trace_block' }))),
    facts: z.nullable(ServiceFacts),
    factsAt: z.nullable(seconds('Unix second at which the newest of `facts` was reported')),
    declared: DeclaredCapabilities,
    contradictions: z.array(
      z
        .enum(capabilityContradictions)
        .check(z.meta({ description: 'what is declared otherwise than verifiers found it' })),
    ),
    advisories: z.array(
      z.enum([
        'FLAPPING',
        'CHAIN_STALLED',
        'UNCORROBORATED',
        'MAINTENANCE',
        'HEAD_OLD',
        'VERIFIER_SILENT',
        'SYNCING',
        'CERTIFICATE_EXPIRES',
        'CERTIFICATE_REFUSED',
        'CAPABILITY_CONTRADICTED',
      ]),
    ),
  })
  .check(z.meta({ id: 'ServiceDetails' }))
export type ServiceDetails = z.infer<typeof ServiceDetails>

export const historyRanges = ['15m', '1h', '6h', '24h', '7d', '30d', '90d'] as const

const share = (description: string) => z.nullable(z.number().check(z.meta({ description })))

/** Decisions over time: transitions, incidents, uptime and the rollups for a chart. */
export const ServiceHistory = z
  .object({
    serviceId: z.string(),
    range: z.enum(historyRanges),
    from: seconds('Unix seconds'),
    to: seconds('Unix seconds'),
    uptime: z.object({
      availability: share('(UP + LATENCY) / (total − not watched − UNKNOWN − maintenance)'),
      healthy: share('UP / (total − not watched − UNKNOWN − maintenance)'),
      unknownShare: share('UNKNOWN / (total − not watched − maintenance)'),
      watchedMs: z.number().check(z.meta({ description: 'time of the range since the first decision' })),
    }),
    /** The range in equal parts. */
    bar: z.array(
      z.object({
        at: seconds('start of the part, Unix seconds'),
        upMs: z.number(),
        latencyMs: z.number(),
        downMs: z.number(),
        unknownMs: z.number(),
        maintenanceMs: z.number(),
        notWatchedMs: z.number(),
      }),
    ),
    transitions: z.array(
      z.object({ at: seconds('Unix seconds'), from: Decision, to: Decision, reason: z.string() }),
    ),
    incidents: z.array(
      z.object({
        openedAt: seconds('Unix seconds'),
        closedAt: z.nullable(seconds('Unix seconds')),
        worst: z.enum(['LATENCY', 'DOWN']),
        cause: z.string(),
        transitions: z.int(),
        reasons: z
          .array(z.object({ at: seconds('Unix seconds'), decision: Decision, reason: z.string() }))
          .check(
            z.meta({
              description:
                'why, each in one sentence, and since when: the first one, and the newest of those that followed',
            }),
          ),
        reasonsLeftOut: z
          .int()
          .check(z.meta({ description: 'how many were left out after the first of `reasons`' })),
      }),
    ),
    buckets: z.array(
      z.object({
        at: seconds('start of the bucket, Unix seconds'),
        upMs: z.number(),
        latencyMs: z.number(),
        downMs: z.number(),
        probes: z.int(),
        failures: z.int(),
        lagBlocksAvg: z.number(),
        lagBlocksMax: z.number(),
        lagSecAvg: z.number(),
        rttP50Ms: z.number(),
        rttP95Ms: z.number(),
      }),
    ),
  })
  .check(z.meta({ id: 'ServiceHistory' }))
export type ServiceHistory = z.infer<typeof ServiceHistory>
export type HistoryRange = (typeof historyRanges)[number]
