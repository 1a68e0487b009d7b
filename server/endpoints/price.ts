import type { CreditPrices, MethodPrice } from '../../shared/endpoints.ts'

/** The prices of calls at one endpoint. */
export interface Prices {
  /** Returns the credits that a call costs. */
  of(method: string): number
  readonly byMethod: ReadonlyMap<string, MethodPrice>
  readonly otherMethods: MethodPrice
  /** A text that is equal for equal prices, whatever their order. */
  readonly text: string
}

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
  byMethod.delete(otherwise) // a caller may call a method of this name, too
  return {
    of: (method) => (byMethod.get(method) ?? otherMethods).credits,
    byMethod,
    otherMethods,
    text: JSON.stringify([otherMethods.credits, ...sortedCredits(byMethod)]),
  }
}

const named = (prices: CreditPrices, setBy: MethodPrice['setBy']): Map<string, MethodPrice> =>
  new Map(Object.entries(prices).map(([method, credits]) => [method, { credits, setBy }]))

const sortedCredits = (byMethod: ReadonlyMap<string, MethodPrice>): [string, number][] =>
  [...byMethod]
    .map(([method, { credits }]): [string, number] => [method, credits])
    .sort(([one], [other]) => (one < other ? -1 : 1))
