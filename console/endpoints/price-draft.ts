import { endpointBounds } from '../../shared/endpoints.ts'
import type { CreditPrices } from '../../shared/endpoints.ts'

/** What an endpoint's own prices look like in the form. */
export interface PriceDraft {
  readonly methods: readonly PriceEntry[]
  /** For every other method; empty: as the installation has it. */
  readonly others: string
}

export interface PriceEntry {
  readonly method: string
  readonly credits: string
}

export type PriceReading =
  | { readonly kind: 'prices'; readonly prices: CreditPrices }
  | { readonly kind: 'wrong'; readonly error: string }

/** The name of the price of every method that is not named. */
const othersName = 'default'

export function priceDraft(prices: CreditPrices): PriceDraft {
  const methods = Object.entries(prices).filter(([method]) => method !== othersName)
  return {
    methods: methods.map(([method, credits]) => ({ method, credits: String(credits) })),
    others: prices[othersName] === undefined ? '' : String(prices[othersName]),
  }
}

/** Reads the prices; lines without a method and without a price are no lines. */
export function readPrices({ methods, others }: PriceDraft): PriceReading {
  const named = methods
    .map(({ method, credits }) => ({ method: method.trim(), credits: credits.trim() }))
    .filter(({ method, credits }) => method !== '' || credits !== '')
  const all = [...named, ...(others.trim() === '' ? [] : [{ method: othersName, credits: others.trim() }])]
  const prices: Record<string, number> = {}
  for (const { method, credits } of all) {
    if (method === '') return wrong(`Which method costs ${credits}?`)
    if (Object.hasOwn(prices, method)) return wrong(`${method} is named twice.`)
    if (!isPrice(credits)) return wrong(priceText(method))
    prices[method] = Number(credits)
  }
  return { kind: 'prices', prices }
}

const wrong = (error: string): PriceReading => ({ kind: 'wrong', error })

const isPrice = (text: string): boolean => /^\d+$/.test(text) && Number(text) <= endpointBounds.credits

const priceText = (method: string): string => {
  const bound = new Intl.NumberFormat('en').format(endpointBounds.credits)
  return `${method === othersName ? 'All other methods' : method}: a whole number of credits from 0 to ${bound}.`
}
