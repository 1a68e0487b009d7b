import type { CreditPrices, MethodPrice } from '../../shared/endpoints.ts'

/** The prices of calls at one endpoint. */
export interface Prices {
  /** Returns the credits that a call costs. */
  of(method: string): number
  readonly byMethod: ReadonlyMap<string, MethodPrice>
  readonly otherMethods: MethodPrice
  readonly conditional: ConditionalPrices
  /** Those of them that are set, by the name that they have beside methods. */
  readonly conditionalByName: ReadonlyMap<string, MethodPrice>
  /** A text that is equal for equal prices, whatever their order. */
  readonly text: string
}

/** Prices that depend on more than the method. Their names stand among those of methods. */
export interface ConditionalPrices {
  /** What a call costs at most when its result comes from the cache; null: what it costs otherwise. */
  readonly cached: number | null
  /** What a call for logs costs more for every thousand blocks begun after the first. */
  readonly logsPer1000Blocks: number
}

const conditionalNames = ['cached', 'logsPer1000Blocks'] as const

/** The name of the price of methods that have none of their own. */
const otherwise = 'default'

const ordinaryPrice: MethodPrice = { credits: 20, setBy: 'gatehouse' }

/**
 * Resolves prices: those of the endpoint take precedence over those of the installation, and its default over theirs.
 * Built-in prices hold where neither of them has a default.
 */
export function resolvePrices(
  ofEndpoint: CreditPrices,
  ofInstallation: CreditPrices,
  builtIn: CreditPrices,
): Prices {
  const installation = named(ofInstallation, 'installation')
  const endpoint = named(ofEndpoint, 'endpoint')
  const ownDefault = endpoint.get(otherwise) ?? installation.get(otherwise)
  const otherMethods = ownDefault ?? ordinaryPrice
  const byMethod = new Map([
    ...(ownDefault === undefined ? named(builtIn, 'gatehouse') : []),
    ...installation,
    ...endpoint,
  ])
  const conditionalByName = new Map(
    conditionalNames.flatMap((name): [string, MethodPrice][] => {
      const price = byMethod.get(name)
      return price === undefined ? [] : [[name, price]]
    }),
  )
  // A caller may call methods of these names, too.
  for (const name of [otherwise, ...conditionalNames]) byMethod.delete(name)
  return {
    of: (method) => (byMethod.get(method) ?? otherMethods).credits,
    byMethod,
    otherMethods,
    conditional: {
      cached: conditionalByName.get('cached')?.credits ?? null,
      logsPer1000Blocks: conditionalByName.get('logsPer1000Blocks')?.credits ?? 0,
    },
    conditionalByName,
    text: JSON.stringify([
      otherMethods.credits,
      ...sortedCredits(byMethod),
      ...sortedCredits(conditionalByName),
    ]),
  }
}

const named = (prices: CreditPrices, setBy: MethodPrice['setBy']): Map<string, MethodPrice> =>
  new Map(Object.entries(prices).map(([method, credits]) => [method, { credits, setBy }]))

const sortedCredits = (byMethod: ReadonlyMap<string, MethodPrice>): [string, number][] =>
  [...byMethod]
    .map(([method, { credits }]): [string, number] => [method, credits])
    .sort(([one], [other]) => (one < other ? -1 : 1))
