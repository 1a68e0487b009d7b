import * as z from 'zod/mini'

import { EndpointSettings } from './call-settings.ts'
import { ChainKey, type Family } from './chains.ts'
import { type Decision, HeaderName, HeaderValue, ServiceId, WebSocketAddress } from './health.ts'
import type { ChainName } from './health-services.ts'
import type { Limit } from './limits.ts'
import { MethodPattern, PricedCall } from './method-pattern.ts'
import { queryKeyBounds } from './query-keys.ts'
import { idText, matching, webAddress } from './text.ts'
import { type BudgetUse, UpstreamBudget } from './upstream-budget.ts'

/** Bounds of an endpoint. */
export const endpointBounds = {
  upstreams: 20,
  methodPatterns: 200,
  weight: 1_000,
  tier: 9,
  credits: 1_000_000,
} as const

/** Lower case, because it is part of an address that people type. */
export const EndpointName = matching(
  /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/,
  'expected lower-case letters, digits and inner hyphens',
).check(z.maxLength(queryKeyBounds.endpointChars))

const Credits = z.int().check(z.minimum(0), z.maximum(endpointBounds.credits))

/**
 * What a call costs by its method or path pattern, in credits. `default` is for every method that is not named. `cached` is the most that a
 * call costs whose result comes from the cache; `logsPer1000Blocks` is added to the price of a call for logs for every
 * thousand blocks begun after the first.
 */
export const CreditPrices = z.record(PricedCall, Credits)
export type CreditPrices = z.infer<typeof CreditPrices>

const weight = z._default(z.int().check(z.minimum(1), z.maximum(endpointBounds.weight)), 1)

/** Those of tier 1 are asked when nobody of tier 0 can be, and so on; 0 unless given. */
const tier = z.optional(z.int().check(z.minimum(0), z.maximum(endpointBounds.tier)))

/** Unless given, of upstreams that are called by https: others are near, where compressing takes longer than sending. */
const compression = z.optional(z.boolean())

const HttpAddress = webAddress(/^https?$/, 'an http or https address')

/** One thing of several that exclude each other. */
const isOneOf = (...given: readonly unknown[]): boolean =>
  given.filter((value) => value !== undefined).length === 1

/**
 * A node behind an endpoint: a monitored service, whose health decision steers the relay, or any other address.
 * Addresses and headers never leave the server again.
 */
export const UpstreamSpec = z
  .strictObject({
    service: z.optional(ServiceId),
    url: z.optional(HttpAddress),
    ws: z.optional(WebSocketAddress), // for subscriptions; unless given, the http address with ws in its place
    headers: z.optional(z.record(HeaderName, HeaderValue)), // a service has its own
    weight,
    tier,
    budget: z.optional(UpstreamBudget), // what it may be asked in a period
    compression, // whether long answers are asked for compressed
  })
  .check(
    z.refine(({ service, url }) => isOneOf(service, url), 'expected either service or url'),
    z.refine(({ service, headers }) => service === undefined || headers === undefined, {
      path: ['headers'],
      error: 'not allowed beside service, which has headers of its own',
    }),
  )
export type UpstreamSpec = z.infer<typeof UpstreamSpec>

const upstreamsOf = <Upstream extends z.ZodMiniType>(Upstream: Upstream) =>
  z.array(Upstream).check(z.minLength(1), z.maxLength(endpointBounds.upstreams))
const patterns = z._default(z.array(MethodPattern).check(z.maxLength(endpointBounds.methodPatterns)), [])

/** Whether methods that no table names are relayed. */
export const UnknownMethods = z.enum(['refuse', 'allow'])

/** Which methods may be called. `method-access.ts` says what follows from it. */
export const MethodRules = z.strictObject({
  allow: patterns, // blank: all but node control, key use and unknown methods
  deny: patterns, // wins
  unknown: z._default(UnknownMethods, 'refuse'),
})
export type MethodRules = z.infer<typeof MethodRules>

const methods = z._default(MethodRules, { allow: [], deny: [], unknown: 'refuse' })

/** A named route to upstreams, in the declarative file and in the console. */
export const EndpointSpec = z.strictObject({
  name: EndpointName,
  chain: ChainKey,
  upstreams: upstreamsOf(UpstreamSpec), // in the order in which they are preferred when all else is equal
  methods,
  credits: z._default(CreditPrices, {}), // before those of the installation
  settings: z._default(EndpointSettings, { byMethod: {} }),
})
export type EndpointSpec = z.infer<typeof EndpointSpec>

/**
 * An upstream in a change of an endpoint. `keep` names one that it has, whose address and headers stay as far as
 * nothing else is given for them.
 */
export const UpstreamChange = z
  .strictObject({
    keep: z.optional(idText(200)), // the id of the upstream
    service: z.optional(ServiceId),
    url: z.optional(HttpAddress),
    ws: z.optional(z.nullable(WebSocketAddress)), // null: that of the http address again
    headers: z.optional(z.record(HeaderName, z.nullable(HeaderValue))), // null removes one
    weight,
    tier,
    budget: z.optional(z.nullable(UpstreamBudget)), // what it may be asked in a period; null: no budget
    compression: z.nullable(compression), // whether long answers are asked for compressed; null: as its address has it
  })
  .check(
    z.refine(
      ({ keep, service, url }) => isOneOf(service, url ?? keep),
      'expected either service, or url, or keep',
    ),
    z.refine(({ service, headers }) => service === undefined || headers === undefined, {
      path: ['headers'],
      error: 'not allowed beside service, which has headers of its own',
    }),
  )
export type UpstreamChange = z.infer<typeof UpstreamChange>

/**
 * A change of an endpoint that was made in the console. What is left out stays; lists are replaced as a whole. Its name
 * stays, as query keys refer to it.
 */
export const EndpointUpdate = z.strictObject({
  name: EndpointName,
  revision: idText(100), // as it was read: another change meanwhile is a conflict
  chain: z.optional(ChainKey),
  upstreams: z.optional(upstreamsOf(UpstreamChange)),
  methods: z.optional(MethodRules),
  credits: z.optional(CreditPrices),
  settings: z.optional(EndpointSettings),
})
export type EndpointUpdate = z.infer<typeof EndpointUpdate>

export const EndpointByName = z.strictObject({ name: EndpointName })

export const MethodsOfChain = z.strictObject({ chain: ChainKey })

/** The methods that are known for a family of nodes. A name with `*` at its end stands for all that begin like it. */
export interface KnownMethods {
  readonly ordinary: readonly string[]
  readonly nodeControl: readonly string[]
  readonly keyUse: readonly string[]
}

/** How the upstreams of an endpoint are, as its verifiers and its configuration say. */
export interface EndpointHealth {
  readonly upstreams: number
  /** DOWN, or not usable as they are configured. */
  readonly down: number
  /** LATENCY: asked when there is none that is better. */
  readonly late: number
}

/** An endpoint as everybody who is signed in sees it. */
export interface EndpointChoice {
  readonly name: string
  readonly chain: ChainName
  readonly family: Family
  /** Where calls go, with `{key}` in the place of the key. */
  readonly url: string
  readonly webSocketUrl: string
  readonly health: EndpointHealth
}

/** What a form that creates a query key offers. */
export interface QueryKeyChoices {
  readonly endpoints: readonly EndpointChoice[]
  /** Kinds of keys that the operator has listed, never empty. */
  readonly keyTypes: readonly string[]
  /** What holds for a key of which no limit is given; null: no limit. */
  readonly defaultLimits: { readonly rate: Limit | null; readonly credits: Limit | null }
}

/** An upstream as operators see it: without its path, its query and the values of its headers. */
export interface UpstreamListItem {
  /** The id of the service, or its place among the upstreams: stable and without secrets. */
  readonly id: string
  /** Null: it is not monitored. */
  readonly serviceId: string | null
  /** Host and port; null while the service is not registered. */
  readonly host: string | null
  /** Host and port for subscriptions where they are given by themselves. */
  readonly webSocketHost: string | null
  readonly headerNames: readonly string[]
  readonly weight: number
  readonly tier: number
  readonly budget: UpstreamBudget | null
  /** Whether long answers are asked for compressed, if that is configured; null: as the scheme of its address has it. */
  readonly compression: boolean | null
  /** How far its budget is used; null without one, or while it was not asked since the start. */
  readonly budgetUse: BudgetUse | null
  /** Of the service; null: it is not monitored. */
  readonly decision: Decision | null
  /** Why nothing is sent there at present; null: it is used. */
  readonly outBecause: string | null
}

/** An endpoint as operators see it. */
export interface EndpointListItem {
  readonly name: string
  readonly chain: ChainName
  readonly family: Family
  readonly managedBy: 'file' | 'operator'
  readonly url: string
  readonly webSocketUrl: string
  readonly upstreams: readonly UpstreamListItem[]
  /** What is wrong with it, in a sentence for operators; null: all is well. */
  readonly problem: string | null
}

/** What a form that edits an endpoint begins with. */
export interface EndpointDetails extends EndpointListItem {
  readonly methods: MethodRules
  /** Those that the endpoint itself sets. */
  readonly credits: CreditPrices
  readonly settings: EndpointSettings
  /** To be sent back with a change; null: it is changed in the file. */
  readonly revision: string | null
}

export interface MethodPrice {
  readonly credits: number
  readonly setBy: 'endpoint' | 'installation' | 'gatehouse'
}

/** What calls cost at an endpoint. */
export interface EndpointPrices {
  readonly name: string
  /** Changes with the prices; relay answers carry it. */
  readonly version: string
  /** By method, in alphabetical order. */
  readonly methods: readonly (MethodPrice & { readonly method: string })[]
  /** For every method that is not among them. */
  readonly otherMethods: MethodPrice
}

/** What one harmless call to an upstream came to. */
export type UpstreamTest =
  | { readonly id: string; readonly ok: true; readonly latencyMs: number }
  | {
      readonly id: string
      readonly ok: false
      readonly latencyMs: number | null
      readonly message: string
      /** The host of its address, where that is private and an operator may allow it. */
      readonly privateHost?: string
    }
