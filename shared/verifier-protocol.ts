import * as z from 'zod/mini'

import { Chain, Family } from './chains.ts'
import { HttpRule, Label, Policy, ServiceId } from './health.ts'
import { latestInstant } from './instants.ts'
import { ServiceFacts } from './service-facts.ts'
import { idText, matching, text } from './text.ts'

/** Version of the wire format below; a server refuses what it does not know. */
export const protocolVersion = 1

/** Bounds that both sides keep. */
export const protocolLimits = {
  observationsPerBatch: 2_000,
  // Rounds share a batch up to this: reading one must not hold up the server, so only a single large round is larger.
  observationsShared: 400,
  batchBytes: 1_048_576,
  clockSkewMs: 60_000,
  assignmentsWaitMs: 25_000,
} as const

/** Texts that are signed begin with their purpose, so that one signature cannot serve for another. */
export const signingContext = {
  enroll: 'verifier-enroll-v1\n',
  report: 'health-report-v1\n',
  assignments: 'health-assignments-v1\n',
} as const

/** What a new verifier signs to show that it holds the private half of `publicKey` (base64). */
export const enrolmentText = (token: string, publicKey: string): string =>
  `${signingContext.enroll}${token}\n${publicKey}`

/** What is signed for a report: the SHA-256 (lowercase hex) of its raw, uncompressed body. */
export const reportText = (bodyHash: string): string => signingContext.report + bodyHash

/** What is signed to ask for the assignments. The time (epoch ms) limits how long a captured request is good. */
export const assignmentsText = (verifierId: string, time: number | string): string =>
  `${signingContext.assignments}${verifierId}\n${time}`

/** Value of the `verifier-signature` header. */
export const signatureHeader = (signature: string): string => `v1,${signature}`

/**
 * Why a probe failed, or (the last four) why an answer that did come is worthless. `PAUSED` is no failure: the probe was
 * not made, because the service had limited the verifier's rate, and the verifier's last vote is still the one that counts.
 */
export const probeErrors = [
  'DNS',
  'CONNECT',
  'TLS',
  'TIMEOUT',
  'HTTP_4XX',
  'RATE_LIMITED',
  'HTTP_5XX',
  'NOT_JSON',
  'RPC_ERROR',
  'TOO_LARGE',
  'BLOCKED_ADDRESS',
  'PAUSED',
  'STALE',
  'WRONG_CHAIN',
  'WRONG_GENESIS',
  'FUTURE_HEAD',
  'FORKED',
] as const
export const ProbeError = z.enum(probeErrors)
export type ProbeError = z.infer<typeof ProbeError>

/** Failures in which no byte of an answer arrived: many of them at once mean that the verifier itself is cut off. */
export const transportErrors: ReadonlySet<ProbeError> = new Set(['DNS', 'CONNECT', 'TLS', 'TIMEOUT'])

const base64 = (length: number) =>
  matching(/^[A-Za-z0-9+/]+={0,2}$/, `expected ${length} characters of Base64`).check(z.length(length))
const hashPrefix = matching(/^[0-9a-f]{16}$/, 'expected 8 bytes in lowercase hexadecimal')
const millis = z.int().check(z.minimum(0), z.maximum(latestInstant))

export const EnrollRequest = z.strictObject({
  token: idText(200),
  publicKey: base64(44), // raw 32 bytes of an Ed25519 key
  name: Label,
  region: Label,
  version: Label,
  families: z.array(Family).check(z.minLength(1), z.maxLength(50)),
  proof: base64(88), // signature over enroll context + token + "\n" + publicKey
})
export type EnrollRequest = z.infer<typeof EnrollRequest>

export const EnrollResponse = z.object({
  verifierId: z.string(),
  serverTimeMs: millis,
  intervalMs: millis,
  freshMs: millis,
})
export type EnrollResponse = z.infer<typeof EnrollResponse>

/** One thing to probe. `hidden` ones are anchors: they make a round comparable and are published nowhere. */
export const Target = z.object({
  serviceId: z.string(),
  chain: z.nullable(z.string()),
  provider: z.string(),
  family: Family,
  endpoint: z.string(),
  ws: z.optional(z.string()), // where the verifier subscribes to new heads, which only tell it when to probe
  headers: z.optional(z.record(z.string(), z.string())),
  ca: z.optional(z.string()),
  rule: z.optional(HttpRule),
  hidden: z.boolean(),
  policy: z.pick(Policy, {
    intervalMs: true,
    timeoutMs: true,
    enterBlocks: true,
    enterSec: true,
    maxRttMs: true,
    deepIntervalMs: true,
    rateLimitedIs: true,
  }),
})
export type Target = z.infer<typeof Target>

export const Assignments = z.object({
  etag: z.string(),
  serverTimeMs: millis,
  canaries: z.array(z.string()), // hosts whose silence means that the verifier is cut off
  // Addresses with a port that are asked where there are no such hosts, beside the gateway; empty: not even that. Left out
  // by servers before this field, whose verifiers ask the gateway alone.
  defaultCanaries: z.optional(z.array(z.string())),
  chains: z.array(Chain),
  targets: z.array(Target),
})
export type Assignments = z.infer<typeof Assignments>

/** What a field means to those who write a verifier from the API's description. */
const meaning = (description: string) => z.meta({ description })

/** One observation as a row. */
export const ObservationRow = z
  .tuple([
    z.int().check(z.minimum(0)),
    z.union([z.literal(0), z.literal(1)]),
    z.nullable(ProbeError),
    z.nullable(z.int().check(z.minimum(0))),
    z.nullable(z.int().check(z.minimum(0))),
    z.nullable(hashPrefix),
    millis,
    millis,
    z.optional(z.nullable(ProbeError)), // verifiers before this field leave it out
  ])
  .check(
    meaning(
      '[index into services, 1 if it answered or 0, error or null, height, timestamp of the block (s), first 8 bytes of its hash (hex), round trip (ms), offset of the probe inside the round (ms), error of the first try if the probe was made again within its round]; what is not known is null',
    ),
  )
export type ObservationRow = z.infer<typeof ObservationRow>

/** Hashes at one final height, to tell a fork from a lag: [index into `services`, first 8 bytes of the hash]. */
export const Checkpoint = z.strictObject({
  height: z.int().check(z.minimum(0)),
  hashes: z.array(z.tuple([z.int().check(z.minimum(0)), hashPrefix])),
})

/** What is new about a service: [index into `services`, facts]. */
export const FactsRow = z.tuple([z.int().check(z.minimum(0)), ServiceFacts])
export type FactsRow = z.infer<typeof FactsRow>

/** One verifier's near-simultaneous probing of one chain (`chain: null` for services without one). */
export const Round = z.strictObject({
  chain: z.nullable(text({ min: 0, max: 64 })),
  ageMs: millis.check(meaning("by the verifier's monotonic clock, from the round's start to sentAtMs")),
  spreadMs: millis.check(meaning('from the start of the first probe to that of the last one')),
  obs: z.array(ObservationRow),
  checkpoint: z.optional(Checkpoint),
  facts: z.optional(z.array(FactsRow)),
  retest: z.optional(z.literal(true)), // single services, probed again right after a failure
})
export type Round = z.infer<typeof Round>

export const ReportBatch = z.strictObject({
  v: z.literal(protocolVersion),
  verifierId: idText(64),
  seq: z
    .int()
    .check(
      z.minimum(1),
      meaning(
        'rises with each report: epoch microseconds, or one more than the last if that is more; a state that was lost does no harm then',
      ),
    ),
  sentAtMs: millis.check(meaning('epoch milliseconds')),
  isolated: z
    .boolean()
    .check(meaning('that the network of the verifier itself is cut off: nothing in this report counts')),
  backfill: z.boolean().check(meaning('of a time without the server: for history alone')),
  services: z.array(ServiceId).check(z.maxLength(protocolLimits.observationsPerBatch)),
  rounds: z.array(Round).check(z.maxLength(protocolLimits.observationsPerBatch)),
})
export type ReportBatch = z.infer<typeof ReportBatch>

export const ReportAck = z.object({
  ackSeq: z.int(),
  duplicate: z.boolean(),
  // Observations that say nothing here; left out for a duplicate, and by servers before this field.
  ignored: z.optional(z.int()).check(
    z.meta({
      description:
        'how many observations were left out: of services or chains that are not known (any more), of a chain or family that is not theirs, or older than 65 minutes',
    }),
  ),
  serverTimeMs: millis,
  intervalMs: millis, // 0: as assigned; more: the server asks every verifier to slow down to this
  assignmentsEtag: z.string(),
})
export type ReportAck = z.infer<typeof ReportAck>
