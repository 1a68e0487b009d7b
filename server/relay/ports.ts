import type { Decision } from '../../shared/health.ts'
import type { LimitName } from '../../shared/limits.ts'
import type { FinishedRequest, RequestAttempt } from '../../shared/request-log.ts'
import type { Endpoint } from '../endpoints/endpoints.ts'
import type { KeyCaller } from '../keys/check.ts'
import type { QueryKey } from '../query-keys/query-keys.ts'

/** What the relay uses of a valid query key. */
export type RelayKey = Pick<
  QueryKey,
  | 'id'
  | 'accountId'
  | 'endpoint'
  | 'moreEndpoints'
  | 'rate'
  | 'credits'
  | 'further'
  | 'allowedDomains'
  | 'allowedMethods'
  | 'allowedContracts'
  | 'debugEndsAt'
>

/** Whether a key value may be used at an endpoint, by this caller. */
export type RelayAuthorization =
  | { readonly kind: 'allowed'; readonly key: RelayKey }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'ip_not_allowed' | 'domain_not_allowed'; readonly key: RelayKey }

/** The query keys, as the relay uses them. */
export interface RelayKeys {
  /**
   * Returns a promise only for a key that is not in memory, or while memory is out of date. Throws Faults: `unavailable`,
   * `rate_limited`.
   */
  authorize(
    value: string | null,
    endpoint: string,
    caller: KeyCaller,
  ): RelayAuthorization | Promise<RelayAuthorization>
  /** Returns the key for what comes before its check, whether or not it may be used. */
  findByValue(value: string, caller: Pick<KeyCaller, 'address'>): RelayKey | null | Promise<RelayKey | null>
}

/**
 * The endpoints by name. When `find` returns another object than before, the endpoint was changed, and the relay forgets
 * what it learned about it.
 */
export interface RelayEndpoints {
  find(name: string): Endpoint | undefined
}

export interface MeteredCall {
  readonly method: string
  readonly credits: number
}

/** A call was answered with a result, with a JSON-RPC error, or by no upstream. */
export type MeteredOutcome = 'ok' | 'error' | 'unanswered'

/** The same, with results of the cache told apart. */
export type SettledOutcome = MeteredOutcome | 'cached'

/** What is known of calls when they have ended. */
export interface EndedCalls {
  readonly bytesOut: number
  readonly tookMs: number
  /** The credits that are returned, for each call. */
  readonly creditsBack: readonly number[]
  /** What was sent upstream for the request. */
  readonly attempts?: readonly RequestAttempt[]
}

/** The count of an admitted request, to be completed once, when the request is answered. */
export interface OpenCount {
  settle(outcomes: readonly SettledOutcome[], ended: EndedCalls): void
}

/** Counts calls by key and method. */
export interface RelayMeter {
  /**
   * Counts calls before any of them goes upstream. Throws Fault `unavailable` when there is no room to count; nothing
   * may go upstream then.
   */
  admit(key: RelayKey, calls: readonly MeteredCall[], bytesIn: number): OpenCount
  /** Counts calls that a limit did not admit. */
  refuse(key: RelayKey, calls: readonly MeteredCall[], limit: LimitName): void
}

/** Returns the health decision about a monitored service. */
export type DecisionOf = (serviceId: string) => Decision

/** What a monitored node can be asked for. */
export interface NodeBounds {
  /** The oldest block whose state it has for certain; null: not known. */
  lowestState(): number | null
  /** The most blocks of one call for logs, as its operator has declared; null: not declared. */
  logBlocks(): number | null
}

export type NodeBoundsOf = (serviceId: string) => NodeBounds

/** Is told which monitored service failed a call, at every such failure: it decides what becomes of that. */
export type SuspectService = (serviceId: string) => void

/** What the relay has to do with health beside its decisions. */
export interface MonitoredNodes {
  readonly suspect: SuspectService
  readonly boundsOf: NodeBoundsOf
}

/** Receives every finished request with a key that is known. It must be quick, because it is on the path of a call. */
export interface RelayRequestLog {
  add(request: FinishedRequest): void
}
