import { isPattern } from '../../shared/method-pattern.ts'
import type { InvalidField } from '../../shared/faults.ts'
import type { Limit } from '../../shared/limits.ts'
import type { DefaultLimits, QueryKeyForm } from '../../shared/query-keys.ts'

/** What an input says about limits: null, that there is none; nothing, that it is as usual. */
export type GivenLimits = Pick<
  QueryKeyForm,
  'rateLimit' | 'rateLimitPeriod' | 'creditsLimit' | 'creditsLimitPeriod'
>

/** The limits that hold for a key: those given, or else the installation's of this moment. */
export const effectiveLimits = (given: GivenLimits, defaults: DefaultLimits): DefaultLimits => ({
  rate: limitOf(given.rateLimit, given.rateLimitPeriod, defaults.rate),
  credits: limitOf(given.creditsLimit, given.creditsLimitPeriod, defaults.credits),
})

function limitOf(
  units: number | null | undefined,
  period: Limit['period'] | undefined,
  usual: Limit | null,
): Limit | null {
  if (units === null) return null
  return units === undefined || period === undefined ? usual : { units, period }
}

interface CallLists {
  readonly allowedMethods: readonly string[]
  readonly allowedContracts: readonly string[]
  readonly moreEndpoints: readonly string[]
}

/** The lists of what a key may call, each entry once. Addresses are compared in lower case. */
export const callListsOf = ({ allowedMethods, allowedContracts, moreEndpoints }: CallLists): CallLists => ({
  allowedMethods: [...new Set(allowedMethods)],
  allowedContracts: [...new Set(allowedContracts.map((address) => address.toLowerCase()))],
  moreEndpoints: [...new Set(moreEndpoints)],
})

/** What an installation knows. */
export interface KnownNames {
  readonly endpoints: readonly string[]
  readonly types: readonly string[]
}

/** Names that the installation does not know, each with the known ones. `endpoint` is not looked at when absent. */
export function unknownNames(
  given: {
    readonly type: string
    readonly endpoint?: string
    readonly moreEndpoints?: readonly string[]
  },
  known: KnownNames,
): InvalidField[] {
  const problems: InvalidField[] = []
  if (!known.types.includes(given.type)) {
    problems.push({ path: ['type'], message: oneOf(known.types, 'no kind of key is configured') })
  }
  if (given.endpoint !== undefined && !known.endpoints.includes(given.endpoint)) {
    problems.push({ path: ['endpoint'], message: oneOf(known.endpoints, 'no endpoint is configured') })
  }
  return [...problems, ...unknownFurther(given.moreEndpoints ?? [], { moreEndpoints: [] }, known)]
}

/** Names of further endpoints that the installation does not know. One that was removed may stay in the list. */
export const unknownFurther = (
  names: readonly string[],
  before: Pick<CallLists, 'moreEndpoints'>,
  { endpoints }: KnownNames,
): InvalidField[] =>
  names.flatMap((name, place) =>
    isPattern(name) || endpoints.includes(name) || before.moreEndpoints.includes(name)
      ? []
      : [{ path: ['moreEndpoints', place], message: oneOf(endpoints, 'no endpoint is configured') }],
  )

const maxListed = 100

function oneOf(names: readonly string[], none: string): string {
  if (names.length === 0) return none
  const listed = names.slice(0, maxListed).map((name) => JSON.stringify(name))
  if (names.length > maxListed) listed.push('…')
  return listed.length === 1 ? `expected ${listed[0]}` : `expected one of ${listed.join(', ')}`
}
