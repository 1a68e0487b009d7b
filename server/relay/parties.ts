import type { Chain, Family } from '../../shared/chains.ts'
import type { Decision } from '../../shared/health.ts'
import type { Limit, LimitName } from '../../shared/limits.ts'

/** What the relay needs to know of a query key. */
export interface RelayKey {
  readonly id: string
  readonly rate: Limit | null
  readonly credits: Limit | null
  /** Whether it is bound to pages of some domains; empty: any may use it. */
  readonly allowedDomains: readonly unknown[]
}

/** Where a request came from; worked out when somebody asks. */
export interface RelayCaller {
  readonly address: string | null
  readonly origin: string | null
}

export type Verdict<Key extends RelayKey = RelayKey> =
  | { readonly kind: 'allowed'; readonly key: Key }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'ip_not_allowed' }
  | { readonly kind: 'domain_not_allowed' }

/** The query keys, as the relay asks for them. */
export interface RelayKeys {
  /** A key of another endpoint is `invalid`, as is none. Without a promise while the memory is fresh. */
  authorize(value: string | null, endpoint: string, caller: RelayCaller): Verdict | Promise<Verdict>
  /** For preflights: says nothing about whether the key may be used. */
  findByValue(value: string): RelayKey | null
  /** Whether pages of this origin may use the key. */
  isOriginAllowed(key: RelayKey, origin: string | null): boolean
}

/** A node that calls can be passed on to. */
export interface RelayUpstream {
  /** Stable and without secrets: for metrics and logs. */
  readonly id: string
  readonly url: string
  /** For subscriptions; null: it takes none. */
  readonly webSocketUrl: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly weight: number
  /** The monitored service that it is, whose decision steers the choice. */
  readonly serviceId: string | null
}

/** A named route. Another object stands for a changed one: what was learned about its upstreams is then forgotten. */
export interface RelayEndpoint {
  readonly name: string
  readonly chain: Pick<Chain, 'finalityDepth'> | undefined
  readonly family: Family
  readonly upstreams: readonly RelayUpstream[]
  allows(method: string): boolean
  /** Credits. */
  priceOf(method: string): number
}

export interface RelayEndpoints {
  find(name: string): RelayEndpoint | undefined
}

export interface MeteredCall {
  readonly method: string
  readonly credits: number
}

/** What became of a call: answered with a result, with a JSON-RPC error, or by no upstream. */
export type CallOutcome = 'ok' | 'error' | 'unanswered'

export interface Metered {
  settle(
    outcomes: readonly CallOutcome[],
    ended: {
      readonly bytesOut: number
      readonly tookMs: number
      /** Of each call. */
      readonly creditsBack: readonly number[]
    },
  ): void
}

export interface RelayMeter {
  /** Counts the calls of a request, before anything goes upstream. */
  admit(
    key: { readonly id: string; readonly endpoint: string },
    calls: readonly MeteredCall[],
    bytesIn: number,
  ): Metered
  refuse(
    key: { readonly id: string; readonly endpoint: string },
    calls: readonly MeteredCall[],
    limit: LimitName,
  ): void
}

/** The decision about a monitored service; null where there is none. */
export type DecisionOf = (serviceId: string) => Decision | null
