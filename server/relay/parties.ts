import type { Decision } from '../../shared/health.ts'
import type { LimitName } from '../../shared/limits.ts'
import type { Endpoint } from '../endpoints/endpoints.ts'
import type { KeyCaller } from '../keys/check.ts'
import type { QueryKey } from '../query-keys/query-keys.ts'

/** What the relay needs to know of a query key that was found good. */
export type RelayKey = Pick<QueryKey, 'id' | 'accountId' | 'endpoint' | 'rate' | 'credits' | 'allowedDomains'>

export type RelayVerdict =
  | { readonly kind: 'allowed'; readonly key: RelayKey }
  | { readonly kind: 'invalid' | 'ip_not_allowed' | 'domain_not_allowed' }

/** The query keys, as the relay asks for them. */
export interface RelayKeys {
  /** Without a promise while the memory is fresh. */
  authorize(value: string | null, endpoint: string, caller: KeyCaller): RelayVerdict | Promise<RelayVerdict>
  /** For preflights: says nothing about whether the key may be used. */
  findByValue(value: string): RelayKey | null
}

/** Endpoints by name. Another object of a name stands for a changed one: what was learned is then forgotten. */
export interface RelayEndpoints {
  find(name: string): Endpoint | undefined
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

/** Counts calls by key and method. */
export interface RelayMeter {
  /** Before anything goes upstream. Fault: `unavailable` when there is no room to count; nothing may go upstream then. */
  admit(key: RelayKey, calls: readonly MeteredCall[], bytesIn: number): Metered
  refuse(key: RelayKey, calls: readonly MeteredCall[], limit: LimitName): void
}

/** The decision about a monitored service. */
export type DecisionOf = (serviceId: string) => Decision
