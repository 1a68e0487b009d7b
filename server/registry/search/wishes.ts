import type { RegistryIndex } from '../index/registry-index.ts'
import type { Wish } from './understand.ts'
import { createWordMatcher } from './word-matcher.ts'

/** How much of a wish for a network is fulfilled by what is not on it. */
const shares = { otherPlanIsThere: 0.55, otherPlanIsOnOneOfSeveral: 0.9, nameSaysSo: 0.75 } as const
const hintFactor = 1
const mostNetworks = 4

/** Says how much of the wishes of one query at a time each row fulfils. */
export function createWishes(index: RegistryIndex) {
  const { serviceOfRow, serviceCount, textOfRow, categoryOfRow, facetsOfRow, categories, snapshot } = index
  const rowCount = index.rows.length
  const { ofRow, ofService } = networkTables(index)
  const words = createWordMatcher(index.words)
  const { numbers: subChainOfRow, numberOf: numberOfSubChain } = subChainsOf(index)
  const named = Array.from({ length: mostNetworks }, () => new Uint8Array(index.words.textCount))

  // The wishes of the current query.
  const ofCategory = new Float32Array(categories.length)
  let networks: readonly { readonly network: number; readonly weight: number; readonly named: Uint8Array }[] =
    []
  let facets: readonly { readonly bit: number; readonly weight: number }[] = []
  let subChains: readonly { readonly subChain: number; readonly weight: number }[] = []
  let otherPlan: number = shares.otherPlanIsThere

  function networkShare(row: number, network: number, namesOfText: Uint8Array): number {
    if (network !== -1 && ofRow[network * rowCount + row] === 1) return 1
    const isNamed = namesOfText[textOfRow[row] ?? 0] === 1
    if (network !== -1 && ofService[network * serviceCount + (serviceOfRow[row] ?? 0)] === 1)
      return isNamed ? Math.max(otherPlan, shares.nameSaysSo) : otherPlan
    return isNamed ? shares.nameSaysSo : 0
  }

  function prepareCategories(wish: Wish & { readonly kind: 'category' }): void {
    ofCategory.fill(wish.isHint ? 0.87 * wish.weight : 0)
    for (const [place, category] of wish.categories.entries()) {
      const number = categories.indexOf(category)
      if (number !== -1) ofCategory[number] = wish.weight * (place === 0 ? 1 : 0.95)
    }
  }

  function coverageOf(row: number): number {
    let coverage = ofCategory[categoryOfRow[row] ?? 0] ?? 0
    const bits = facetsOfRow[row] ?? 0
    for (let place = 0; place < facets.length; place++) {
      const facet = facets[place]
      if (facet !== undefined && (bits & facet.bit) !== 0) coverage += facet.weight
    }
    for (let place = 0; place < networks.length; place++) {
      const wish = networks[place]
      if (wish !== undefined) coverage += wish.weight * networkShare(row, wish.network, wish.named)
    }
    for (let place = 0; place < subChains.length; place++) {
      const wish = subChains[place]
      if (wish !== undefined && subChainOfRow[row] === wish.subChain) coverage += wish.weight
    }
    return coverage
  }

  /** Whether a row fulfils a wish at least in part. */
  function isMet(wish: Wish, row: number): boolean {
    switch (wish.kind) {
      case 'category':
        return wish.categories.includes(categories[categoryOfRow[row] ?? 0] ?? '')
      case 'facet':
        return ((facetsOfRow[row] ?? 0) & (1 << wish.facet)) !== 0
      case 'subChain':
        return subChainOfRow[row] === numberOfSubChain(wish.subChain)
      case 'network':
        return networks.some(
          ({ network, named: names }) =>
            network === snapshot.networks.indexOf(wish.network) && networkShare(row, network, names) > 0,
        )
      case 'word':
        return false
    }
  }

  return {
    words,
    /** Makes these the wishes of the current query. */
    prepare(wishes: readonly Wish[]): void {
      words.clear()
      ofCategory.fill(0)
      const ofNetworks = wishes.filter((wish) => wish.kind === 'network').slice(0, mostNetworks)
      otherPlan = ofNetworks.length > 1 ? shares.otherPlanIsOnOneOfSeveral : shares.otherPlanIsThere
      networks = ofNetworks.map(({ network, terms, weight }, place) => {
        const names = named[place] ?? new Uint8Array(0)
        words.addHint(terms, names, hintFactor)
        return { network: snapshot.networks.indexOf(network), weight, named: names }
      })
      facets = wishes.flatMap((wish) =>
        wish.kind === 'facet' ? [{ bit: 1 << wish.facet, weight: wish.weight }] : [],
      )
      subChains = wishes.flatMap((wish) =>
        wish.kind === 'subChain' ? [{ subChain: numberOfSubChain(wish.subChain), weight: wish.weight }] : [],
      )
      for (const wish of wishes) {
        if (wish.kind === 'category') prepareCategories(wish)
        if (wish.kind === 'word') words.addWish(wish.terms, wish.weight)
      }
    },

    isMet,

    /** Returns how much a row fulfils of the wishes that are not words. */
    coverageOf,

    /** Returns the wishes that none of the services fulfils. */
    unmet(wishes: readonly Wish[], services: readonly Ranked[]): Wish[] {
      if (services.length === 0) return []
      const texts = new Set(services.map(({ row }) => textOfRow[row] ?? 0))
      return wishes.filter((wish) =>
        wish.kind === 'word'
          ? !words.isInAny(texts, wish.terms)
          : !services.some(({ row }) => isMet(wish, row)),
      )
    },
  }
}

interface Ranked {
  readonly row: number
}

/**
 * Returns the wishes that the best of the services does not fulfil, where no service fulfils all of them. Words and hints do
 * not count: services need not have all words of a long question.
 */
export function missedByBest(
  wishes: readonly Wish[],
  [best, ...others]: readonly Ranked[],
  isMet: (wish: Wish, row: number) => boolean,
): Wish[] {
  const must = wishes.filter((wish) => wish.kind !== 'word' && !(wish.kind === 'category' && wish.isHint))
  const missed = best === undefined ? [] : must.filter((wish) => !isMet(wish, best.row))
  const isFulfilled = missed.length > 0 && others.some(({ row }) => must.every((wish) => isMet(wish, row)))
  return isFulfilled ? [] : missed
}

/** For each network, whether each row, and each service, is on it: a query looks at few networks and many rows. */
function networkTables({ rows, serviceOfRow, serviceCount, snapshot }: RegistryIndex) {
  const count = snapshot.networks.length
  const ofRow = new Uint8Array(rows.length * count)
  const ofService = new Uint8Array(serviceCount * count)
  for (const [number, row] of rows.entries()) {
    for (const network of row.networks) {
      ofRow[network * rows.length + number] = 1
      ofService[network * serviceCount + (serviceOfRow[number] ?? 0)] = 1
    }
  }
  return { ofRow, ofService }
}

/** Numbers the parts of networks (mainnet, sepolia, …) that the rows are on. */
function subChainsOf({ rows }: RegistryIndex) {
  const names = new Map<string, number>()
  const numbers = Uint16Array.from(rows, ({ listing, subChain }) => {
    const cell = subChain ?? listing.cells.get('chain') ?? listing.offer?.cells.get('chain')
    const name = typeof cell === 'string' ? cell.toLowerCase() : ''
    const known = names.get(name) ?? names.size + 1
    names.set(name, known)
    return known
  })
  return { numbers, numberOf: (name: string): number => names.get(name) ?? 0 }
}
