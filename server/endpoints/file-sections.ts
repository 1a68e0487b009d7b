import type { Chain } from '../../shared/chains.ts'
import type { CreditPrices, EndpointSpec } from '../../shared/endpoints.ts'
import type { Limit } from '../../shared/limits.ts'
import { type DefaultLimits, type QueryKeyDefaults, defaultQueryKeyType } from '../../shared/query-keys.ts'
import type { Declaration } from './active-endpoints.ts'

/** The sections of the configuration file about endpoints and query keys. */
export interface EndpointSections {
  readonly endpoints: readonly EndpointSpec[]
  readonly queryKeyTypes: readonly string[]
  readonly creditPrices: CreditPrices
  readonly queryKeyDefaults: QueryKeyDefaults
}

export type FileSections = ReturnType<typeof createFileSections>

/** Holds the active sections of the configuration file. */
export function createFileSections() {
  let sections: EndpointSections = {
    endpoints: [],
    queryKeyTypes: [defaultQueryKeyType],
    creditPrices: {},
    queryKeyDefaults: {},
  }

  return {
    set(now: EndpointSections): void {
      sections = now
    },
    has: (name: string): boolean => sections.endpoints.some((spec) => spec.name === name),
    keyTypes: (): readonly string[] => sections.queryKeyTypes,
    creditPrices: (): CreditPrices => sections.creditPrices,
    defaultLimits(): DefaultLimits {
      const { rateLimit, rateLimitPeriod, creditsLimit, creditsLimitPeriod } = sections.queryKeyDefaults
      return { rate: limitOf(rateLimit, rateLimitPeriod), credits: limitOf(creditsLimit, creditsLimitPeriod) }
    },
    declarations: (findChain: (key: string) => Chain | undefined): Declaration[] =>
      sections.endpoints.map((spec) => ({ spec, managedBy: 'file', family: familyOf(spec, findChain) })),
  }
}

const limitOf = (units: number | undefined, period: Limit['period'] | undefined): Limit | null =>
  units === undefined || period === undefined ? null : { units, period }

/** Returns the family of an endpoint's chain, which exists because sections are checked before they are activated. */
function familyOf({ chain }: EndpointSpec, findChain: (key: string) => Chain | undefined): Chain['family'] {
  const found = findChain(chain)
  if (found === undefined) throw new TypeError(`a checked endpoint of an unknown chain ${chain}`)
  return found.family
}
