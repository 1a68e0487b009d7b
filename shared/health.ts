import * as z from 'zod/mini'

import { ChainKey, Family } from './chains.ts'
import { parseJsonPath } from './json-path.ts'
import { DeclaredCapabilities } from './node-capabilities.ts'
import { lines, matching, nameText, text, webAddress } from './text.ts'

/** Decision values of the specification, in the order in which it lists them. */
export const decisions = ['UNKNOWN', 'UP', 'DOWN', 'LATENCY'] as const
export const Decision = z.enum(decisions).check(z.meta({ id: 'Decision' }))
export type Decision = z.infer<typeof Decision>

/** Opaque service identifier (1–128 characters). Ids in the wild are 32-byte hex or subgraph CIDs. */
export const serviceIdPattern = /^(?!\.{1,2}$)[A-Za-z0-9._:-]{1,128}$/
export const ServiceId = matching(
  serviceIdPattern,
  '1 to 128 characters of A-Z a-z 0-9 . _ : -, but neither . nor ..',
).check(z.meta({ description: 'the service identifier to query', examples: ['node-a'] }))

const count64 = (description: string) => z.int().check(z.minimum(0), z.meta({ format: 'int64', description }))

/** `HealthResult` of the specification. */
export const HealthResult = z
  .object({
    serviceId: z.string().check(z.meta({ description: 'echoes the requested service identifier' })),
    decision: Decision,
    liveVerifiers: z
      .int()
      .check(
        z.minimum(0),
        z.maximum(2_147_483_647),
        z.meta({ format: 'int32', description: 'number of verifiers currently reporting' }),
      ),
    avgBlocksLatency: count64('average block lag, in blocks'),
    avgTimeLatency: count64('average time lag, in seconds'),
    timestamp: z.int().check(z.meta({ format: 'int64', description: 'Unix timestamp in seconds' })),
  })
  .check(z.meta({ id: 'HealthResult' }))
export type HealthResult = z.infer<typeof HealthResult>

/** `HealthResponse` of the specification. */
export const HealthResponse = z.object({ result: HealthResult }).check(z.meta({ id: 'HealthResponse' }))
export type HealthResponse = z.infer<typeof HealthResponse>

const ms = (min: number, max: number) => z.int().check(z.minimum(min), z.maximum(max))

/**
 * Every threshold that a decision depends on. Durations in milliseconds unless the name says otherwise.
 * A service overrides its chain, a chain overrides the formula (`server/health/decide/policy.ts`).
 */
export const Policy = z.strictObject({
  intervalMs: ms(100, 600_000).check(
    z.meta({
      description:
        'how often a verifier probes; services of a chain are probed together, as often as the most demanding of them asks',
    }),
  ),
  timeoutMs: ms(100, 60_000), // how long one probe may take
  freshMs: ms(300, 3_600_000), // how long a report counts
  minLive: z.nullable(z.int().check(z.minimum(1), z.maximum(10_000))), // null: by `quorum`
  quorum: z.enum(['majority', 'bft']),
  enterBlocks: z.int().check(z.minimum(0), z.maximum(1_000_000_000)), // more lag than this is LATENCY
  enterSec: z.int().check(z.minimum(0), z.maximum(1_000_000_000)),
  exitRatio: z.number().check(z.minimum(0), z.maximum(1)), // while not UP, thresholds shrink to this share
  staleFactor: z.number().check(z.minimum(1), z.maximum(1_000_000)), // this many times a threshold is as bad as DOWN
  maxAgeMs: ms(1_000, 2_592_000_000), // how old the block of a subgraph may be whose chain is not watched
  maxRttMs: z.nullable(ms(1, 600_000)), // null: slow answers alone never matter
  downForMs: ms(0, 86_400_000), // how long a raw signal must hold
  latencyForMs: ms(0, 86_400_000),
  upForMs: ms(0, 86_400_000),
  maxUpForMs: ms(0, 86_400_000), // bound of the growing hold of a flapping service
  flapWindowMs: ms(0, 86_400_000),
  deepIntervalMs: ms(1_000, 86_400_000), // how often identity and fork are checked
  rateLimitedIs: z.enum(['ok', 'bad']),
})
export type Policy = z.infer<typeof Policy>

export const PolicyOverrides = z.partial(Policy)
export type PolicyOverrides = z.infer<typeof PolicyOverrides>

/** A name that people give and read. */
export const Label = nameText(100)

/** Headers that the exchange itself needs cannot be set. */
export const HeaderName = matching(
  /^(?!(?:host|connection|content-length|transfer-encoding|upgrade|te|trailer|expect)$)[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/i,
  'a header name other than those of the connection itself',
)
export const HeaderValue = matching(/^[\x20-\x7E]{0,4096}$/, 'printable ASCII')

const bound = z.optional(
  z.number().check(z.minimum(-Number.MAX_SAFE_INTEGER), z.maximum(Number.MAX_SAFE_INTEGER)),
)

/** What a JSON body must hold at one place: a value, a number between bounds, or anything at all. */
export const JsonRule = z
  .strictObject({
    path: text({ max: 500 }).check(
      z.refine(
        (path) => parseJsonPath(path) !== null,
        'expected a path to one value, such as $.data[0].status',
      ),
    ),
    equals: z.optional(z.union([lines({ min: 0, max: 1000 }), z.number(), z.boolean(), z.null()])),
    min: bound,
    max: bound,
  })
  .check(
    z.refine(({ min, max }) => min === undefined || max === undefined || min <= max, {
      path: ['min'],
      message: 'expected no more than max',
    }),
    z.refine(({ equals, min, max }) => equals === undefined || (min === undefined && max === undefined), {
      path: ['equals'],
      message: 'expected either a value or bounds',
    }),
  )
export type JsonRule = z.infer<typeof JsonRule>

/** A rule for `http` services: what is asked, which statuses are good, and what the body must hold. All of it has to be so. */
export const HttpRule = z.strictObject({
  method: z._default(z.enum(['GET', 'HEAD', 'POST']), 'GET'),
  statuses: z._default(z.array(z.int().check(z.minimum(100), z.maximum(599))).check(z.minLength(1)), [200]),
  contains: z.optional(lines({ max: 1000 })),
  matches: z.optional(text({ max: 500 })), // a regular expression of RE2's syntax
  json: z.optional(JsonRule),
  body: z.optional(lines({ max: 16_384 })), // sent with POST; shown to operators, so no place for a credential
  redirects: z.optional(z.int().check(z.minimum(0), z.maximum(5))), // how many are followed; none unless given
})
export type HttpRule = z.infer<typeof HttpRule>

/** Certificates that are trusted in place of the public ones. */
export const CaCertificates = lines({ max: 32_768 }).check(
  z.regex(
    /^\s*-----BEGIN CERTIFICATE-----/,
    'expected certificates in PEM, from -----BEGIN CERTIFICATE----- on',
  ),
)

/** Where a service is asked. May hold a credential: it is shown to nobody. */
export const ProbedEndpoint = webAddress(/^https?$/, 'an http or https address')

/** Where a service, or an upstream, takes WebSockets. */
export const WebSocketAddress = webAddress(/^wss?$/, 'a ws or wss address')

/** What operators sort services by, in words of their own: alerts and lists are narrowed by it. */
export const ServiceLabel = matching(
  /^[A-Za-z0-9](?:[A-Za-z0-9:._/-]{0,48}[A-Za-z0-9])?$/,
  'expected 1 to 50 letters, digits and : . _ / -, such as team:payments',
)
export const ServiceLabels = z.array(ServiceLabel).check(
  z.maxLength(20),
  z.refine((labels) => new Set(labels).size === labels.length, 'expected no label twice'),
)

/** The share of the time, in percent, for which a service should answer: what reports of a month count against. */
export const Objective = z.number().check(z.minimum(50), z.maximum(100))
export const usualObjective = 99.9

/** A service to watch, as the file and the operator API give it. */
export const ServiceSpec = z.strictObject({
  id: z.optional(ServiceId),
  name: Label,
  family: z.optional(Family), // that of the chain unless given; required where there is no chain
  chain: z.optional(ChainKey),
  provider: Label, // who runs it: only independent providers corroborate a reference head
  labels: z.optional(ServiceLabels),
  objective: z.optional(Objective), // in percent, for reports; 99.9 unless given
  endpoint: ProbedEndpoint,
  ws: z.optional(WebSocketAddress), // where new heads are subscribed to, besides the probes; may hold a credential
  headers: z.optional(z.record(HeaderName, HeaderValue)), // sent with each probe; may hold a credential
  ca: z.optional(CaCertificates), // of a private authority that signed the endpoint's certificate
  rule: z.optional(HttpRule),
  capabilities: z.optional(DeclaredCapabilities), // of a node of a chain
  policy: z._default(PolicyOverrides, {}),
})
export type ServiceSpec = z.infer<typeof ServiceSpec>
