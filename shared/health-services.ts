import * as z from 'zod/mini'

import { ChainKey, Family } from './chains.ts'
import {
  type Policy,
  type Decision,
  HeaderName,
  Label,
  ServiceId,
  CaCertificates,
  PolicyOverrides,
  ProbedEndpoint,
  ServiceLabels,
  WebSocketAddress,
  HttpRule,
  Objective,
  HeaderValue,
} from './health.ts'
import type { ServiceDetails } from './health-details.ts'
import { DeclaredCapabilities } from './node-capabilities.ts'
import { EpochMs } from './instants.ts'
import { remark } from './text.ts'

/** Announced work on a service. */
export interface Maintenance {
  /** Epoch ms; null: until somebody ends it. */
  readonly until: number | null
  readonly note: string
}

/** What of a service changes by itself. */
export interface ServiceState {
  readonly id: string
  readonly decision: Decision
  /** Unix seconds, as in `ServiceDetails.since`; null before the first evaluation. */
  readonly decisionSince: number | null
  readonly liveVerifiers: number
  readonly avgBlocksLatency: number
  /** Seconds. */
  readonly avgTimeLatency: number
  /** Unix seconds of the evaluation, as in `HealthResult.timestamp`. */
  readonly timestamp: number
  readonly maintenance: Maintenance | null
  /** Why it is not UP, in one sentence; null while it is UP, and before the first evaluation. */
  readonly reason: string | null
  /** The decision that the votes ask for by now: since when (Unix seconds), and for how long they must. */
  readonly pending: { readonly decision: Decision; readonly since: number; readonly neededSec: number } | null
}

/** Whether two states differ in nothing but the instant of their evaluation. */
export const isSameState = (one: ServiceState, other: ServiceState): boolean =>
  one.decision === other.decision &&
  one.decisionSince === other.decisionSince &&
  one.liveVerifiers === other.liveVerifiers &&
  one.avgBlocksLatency === other.avgBlocksLatency &&
  one.avgTimeLatency === other.avgTimeLatency &&
  one.reason === other.reason &&
  one.pending?.decision === other.pending?.decision &&
  one.pending?.since === other.pending?.since &&
  one.pending?.neededSec === other.pending?.neededSec &&
  one.maintenance?.until === other.maintenance?.until &&
  one.maintenance?.note === other.maintenance?.note

/** The worst of a span of time, such as half an hour; null where nobody watched. */
export type StripPart = Decision | 'MAINTENANCE' | null

const stripParts: readonly StripPart[] = ['DOWN', 'UNKNOWN', 'LATENCY', 'MAINTENANCE', 'UP', null]

/** Returns the worse of what two services were in the same span. */
export const worsePart = (one: StripPart, other: StripPart): StripPart =>
  stripParts.indexOf(one) < stripParts.indexOf(other) ? one : other

/** The last day of a service and its uptime, as a list of services shows them. */
export interface RecentHistory {
  readonly id: string
  /** The last 24 hours in halves of an hour, the oldest first. */
  readonly strip: readonly StripPart[]
  /** The same 24 hours, in milliseconds. */
  readonly day: {
    readonly upMs: number
    readonly latencyMs: number
    readonly downMs: number
    readonly unknownMs: number
    readonly maintenanceMs: number
    readonly notWatchedMs: number
  }
  /** (UP + LATENCY) / all time that counts, of 90 days at most; null where no time counts. */
  readonly availability: number | null
  /** The time that `availability` stands on: since the first decision, or as far back as it was read. */
  readonly watchedMs: number
  /** The median response time of the last hour, in milliseconds; null without a good answer. */
  readonly responseMs: number | null
}

/** The last day by chain, for a look at everything at once. */
export interface HealthByChain {
  /** When the first hour began, epoch ms. Hours are those of a clock in UTC; the last one is not over. */
  readonly from: number
  readonly chains: readonly ChainHours[]
}

export interface ChainHours {
  /** The key of the chain, or the family of services that read none. */
  readonly chain: string
  /** The worst that any of its services was in each of 24 hours, the oldest first. */
  readonly hours: readonly StripPart[]
}

/** What decides nothing, and is worth a word in a list all the same. */
export type ServiceAdvice =
  | { readonly kind: 'certificateRefused' }
  | { readonly kind: 'certificateEnds'; readonly days: number }
  | ({ readonly kind: 'answersDiffer' } & ServiceDetails['tries'])

/** What a list of services shows of one beside its state. */
export interface RecentService extends RecentHistory {
  readonly advice: readonly ServiceAdvice[]
}

/** What the nodes of a chain are measured by. */
export interface ChainReference {
  /** The key of the chain. */
  readonly chain: string
  readonly height: number
  /** Of that block, Unix seconds. */
  readonly timestamp: number
  readonly providers: number
}

/** How many services one page of a list usually shows, and one question may be about: as many ids as an address has room for. */
export const servicesPerPage = 50

/** The services of one page of a list. */
export const RecentHistoriesOf = z.strictObject({
  ids: z.array(ServiceId).check(z.minLength(1), z.maxLength(servicesPerPage)),
})

/** A service as everybody who is signed in sees it. Without endpoint and headers, which may hold credentials. */
export interface ServiceSummary extends ServiceState {
  readonly name: string
  readonly family: Family
  /** Null for families that read no chain. */
  readonly chain: ChainName | null
  readonly provider: string
  readonly labels: readonly string[]
  /** In percent; null: the usual one. */
  readonly objective: number | null
  /** Services of the file are changed there, and nowhere else. */
  readonly managedBy: 'file' | 'operator'
}

export interface ChainName {
  readonly key: string
  readonly name: string
}

/** A chain of which a service can be registered. */
export interface ChainChoice extends ChainName {
  readonly family: Family
}

/**
 * One event of the live list. The first ones bring every service, a part each; those after them what has changed since,
 * once a second at most.
 */
export interface LiveServices {
  readonly services: readonly ServiceState[]
  /** Another one than in the event before: services came, went or were edited, so the list is to be read again. */
  readonly listVersion: string
}

/** Everything behind the decision of one service. */
export interface ServicePage extends ServiceDetails {
  readonly summary: ServiceSummary
  /** Names of the verifiers in `votes`, by their ids. */
  readonly verifierNames: Readonly<Record<string, string>>
  /** Names of the endpoints that send calls to it. */
  readonly usedBy: readonly string[]
}

/** What a form that edits a service begins with. What may be a credential is not shown again. */
export interface ServiceSettings {
  readonly id: string
  readonly name: string
  readonly family: Family
  readonly chain: string | null
  readonly provider: string
  readonly labels: readonly string[]
  /** In percent; null: the usual one. */
  readonly objective: number | null
  readonly managedBy: 'file' | 'operator'
  /** Scheme, host and port of the endpoint; its user, path and query may hold a key. */
  readonly endpointOrigin: string
  /** The same of its WebSocket address; null where it has none. */
  readonly webSocketOrigin: string | null
  readonly headerNames: readonly string[]
  /** Whether certificates of an authority of its own are stored. */
  readonly hasCa: boolean
  /** Only for family http. */
  readonly rule: HttpRule | null
  /** What is declared of it. */
  readonly capabilities: DeclaredCapabilities
  /** The thresholds that the service itself sets. */
  readonly policy: PolicyOverrides
  /** What holds for those that it does not set. */
  readonly defaultPolicy: Policy
}

/** What default thresholds depend on: the chain of a service, and its family where that is not the chain's. */
export const PolicySubject = z.strictObject({ chain: z.optional(ChainKey), family: z.optional(Family) })
export type PolicySubject = z.infer<typeof PolicySubject>

/**
 * Changes of a service that an operator registered. What is left out stays as it is. Its id and its family stay, and
 * with them its history.
 */
export const ServiceUpdate = z.strictObject({
  id: ServiceId,
  name: z.optional(Label),
  provider: z.optional(Label),
  /** In place of all that it had. */
  labels: z.optional(ServiceLabels),
  /** Null: the usual one again. */
  objective: z.optional(z.nullable(Objective)),
  /** Null is for families that read no chain, which have none. */
  chain: z.optional(z.nullable(ChainKey)),
  endpoint: z.optional(ProbedEndpoint),
  /** Null removes the WebSocket address. */
  ws: z.optional(z.nullable(WebSocketAddress)),
  /** Null removes a header; those that are not named stay, unless the endpoint goes to another origin. */
  headers: z.optional(z.record(HeaderName, z.nullable(HeaderValue))),
  /** Null removes the certificates; the public authorities are trusted again. */
  ca: z.optional(z.nullable(CaCertificates)),
  /** Null: the usual one again. */
  rule: z.optional(z.nullable(HttpRule)),
  /** In place of everything that was declared. */
  capabilities: z.optional(DeclaredCapabilities),
  /** In place of all thresholds that the service set until now. */
  policy: z.optional(PolicyOverrides),
})
export type ServiceUpdate = z.infer<typeof ServiceUpdate>

/** Announces work on a service. `until`: epoch ms, null for until it is ended. */
export const MaintenanceStart = z.strictObject({
  id: ServiceId,
  until: z.nullable(EpochMs),
  note: z._default(remark(500), ''),
})
