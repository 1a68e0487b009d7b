import type { BodyBounds, EndpointSettings } from '../../shared/call-settings.ts'
import type { Chain, Family } from '../../shared/chains.ts'
import type { CreditPrices, KnownMethods, MethodRules } from '../../shared/endpoints.ts'
import type { UpstreamBudget } from '../../shared/upstream-budget.ts'
import type { ConditionalPrices } from './price.ts'

/** A named route to upstreams, ready to be used. */
export interface Endpoint {
  readonly name: string
  /** Undefined: the chain of an endpoint of the console is not described any more. */
  readonly chain: Chain | undefined
  readonly family: Family
  /** Those that can be used, in the order in which they were given; empty when there is none. */
  readonly upstreams: readonly Upstream[]
  /** Which methods or paths may be called. */
  readonly methods: MethodRules
  /** How its calls are relayed. */
  readonly settings: EndpointSettings
  readonly bodyBounds: BodyBounds
  /** Whether its nodes are called by paths (REST), in place of methods of JSON-RPC. */
  readonly isRest: boolean
  /** In credits. */
  priceOf(method: string): number
  readonly conditionalPrices: ConditionalPrices
  /** Changes with the prices. */
  readonly pricesVersion: string
}

/** What is known of the methods of nodes. */
export interface EndpointMethods {
  readonly knownMethodsOf: (family: Family) => KnownMethods
  /** Returns the prices that hold where neither the endpoint nor the installation sets one. */
  readonly builtInPricesOf: (family: Family) => CreditPrices
}

/** A node behind an endpoint. Address and headers hold secrets: they belong into no answer, error or log. */
export interface Upstream {
  /** Without secrets: how metrics and logs name it, by its place unless it is a service. */
  readonly id: string
  /** Without secrets, and the same wherever it stands among the others: its service, or the hash of its address. */
  readonly identity: string
  readonly url: string
  readonly webSocketUrl: string | null
  /** With lower-case names, credentials of the address included. */
  readonly headers: Readonly<Record<string, string>>
  readonly weight: number
  /** Those of a higher one are asked when nobody of a lower one can be. */
  readonly tier: number
  readonly budget: UpstreamBudget | null
  /** Whether long answers are asked for compressed. */
  readonly compression: boolean
  /** Whose health decision steers what is sent there; null: it is not monitored. */
  readonly serviceId: string | null
}
