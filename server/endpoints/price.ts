import type { CreditPrices, MethodPrice } from '../../shared/endpoints.ts'

/** What calls cost at one endpoint. */
export interface Prices {
  /** Credits of a call. */
  of(method: string): number
  readonly byMethod: ReadonlyMap<string, MethodPrice>
  readonly otherMethods: MethodPrice
  /** Equal for equal prices, whatever the order in which they were given. */
  readonly text: string
}

/** Under this name stands what every method costs that is not named. */
const otherwise = 'default'

const builtInPrice: MethodPrice = { credits: 20, setBy: 'gatehouse' }

/** The endpoint's price of a method goes before the installation's, and the endpoint's default before the installation's. */
export function resolvePrices(ofEndpoint: CreditPrices, ofInstallation: CreditPrices): Prices {
  const installation = named(ofInstallation, 'installation')
  const endpoint = named(ofEndpoint, 'endpoint')
  const otherMethods = endpoint.get(otherwise) ?? installation.get(otherwise) ?? builtInPrice
  const byMethod = new Map([...installation, ...endpoint])
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
