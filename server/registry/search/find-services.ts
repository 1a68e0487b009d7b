import { facetNamed } from '../index/facets.ts'
import type { RegistryIndex } from '../index/registry-index.ts'
import type { Condition } from './parse-filters.ts'
import { createRowMatcher } from './row-matcher.ts'
import type { Understood, Wish } from './understand.ts'
import { createWordMatcher } from './word-matcher.ts'

/** A validated query, whose network, category and columns exist. */
export interface ServiceQuery {
  readonly understood: Understood
  /** Index into the snapshot's networks; null for any. */
  readonly network: number | null
  /** Index into the categories; null for any. */
  readonly category: number | null
  readonly conditions: readonly Condition[]
  /** Whether a row is healthy on a network that is asked for; null when health is not filtered. */
  readonly isHealthy: ((row: number) => boolean) | null
  /** Adds to the score of a row for its health. */
  readonly meritOfHealth: ((row: number) => number) | null
  /** Whether plans of one service are one result. */
  readonly isFolded: boolean
}

export interface FoundService {
  /** The row of the plan that fits best. */
  readonly row: number
  readonly score: number
}

export interface FoundServices {
  /** The best first. */
  readonly services: readonly FoundService[]
  /** The wishes that no result fulfils. */
  readonly unmet: readonly Wish[]
}

/**
 * Finds services: those that meet all conditions and fulfil the most of what is wished for. Services that fulfil clearly
 * less than the best are no results. They are ordered by how much they fulfil, then by the words they have, then by merit.
 */
export type FindServices = (query: ServiceQuery) => FoundServices

/** Part of what the best result fulfils that another one must fulfil, too. */
const tolerance = 0.86
/** The same for words, of which the best result may have more than another one needs. */
const wordTolerance = 0.6
const coverageFactor = 24
const relevanceFactor = 0.5

export function createFindServices(index: RegistryIndex): FindServices {
  const { rows, serviceOfRow, serviceCount, listingOfRow, categoryOfRow, facetsOfRow, facts, snapshot } = index
  const networkCount = snapshot.networks.length
  const { ofRow, ofService } = networkTables(index)
  const offerOfRow = numbersOf(index.serviceIds)
  const matchConditions = createRowMatcher(index)
  const matcher = createWordMatcher(index.words)
  // These arrays are reused, because queries run one after the other and allocating them costs more than a query.
  const strong = Array.from({ length: 4 }, () => new Uint8Array(index.words.listingCount))
  const scores = new Float32Array(rows.length)
  const coverages = new Float32Array(rows.length)
  const wordCoverages = new Float32Array(rows.length)
  const bestRow = new Int32Array(Math.max(serviceCount, rows.length)).fill(-1)
  const documentation = 1 << facetNamed('documentation')
  const testNetwork = 1 << facetNamed('on a test network')

  /** Prepares the part of a wish that is checked for each row: returns how much of it a row fulfils. */
  function rowCheck(wish: Wish, place: number, wishes: readonly Wish[]): ((row: number) => number) | null {
    switch (wish.kind) {
      case 'word':
        matcher.addWish(wish.terms, wish.weight)
        return null
      case 'network': {
        const names = strong[place % strong.length] ?? new Uint8Array(index.words.listingCount)
        matcher.addHint(wish.terms, names, 0.4)
        const network = snapshot.networks.indexOf(wish.network)
        const isOneOfSeveral = wishes.filter(({ kind }) => kind === 'network').length > 1
        return (row) => {
          if (network !== -1 && ofRow[row * networkCount + network] === 1) return 1
          if (network !== -1 && ofService[(serviceOfRow[row] ?? 0) * networkCount + network] === 1) return isOneOfSeveral ? 0.9 : 0.55
          return names[listingOfRow[row] ?? 0] === 1 ? 0.75 : 0
        }
      }
      case 'category': {
        const places = wish.categories.map((category) => index.categories.indexOf(category))
        const [first = -1, ...others] = places
        return (row) => {
          const own = categoryOfRow[row] ?? -1
          if (own === first) return 1
          return others.includes(own) ? 0.95 : wish.isHint ? 0.6 : 0
        }
      }
      case 'facet': {
        const bit = 1 << wish.facet
        return (row) => (((facetsOfRow[row] ?? 0) & bit) === 0 ? 0 : 1)
      }
      case 'subChain':
        return (row) => (subChainOf(row) === wish.subChain ? 1 : 0)
    }
  }

  const subChains = rows.map(({ listing, subChain }) => {
    const cell = subChain ?? listing.cells.get('chain') ?? listing.offer?.cells.get('chain')
    return typeof cell === 'string' ? cell.toLowerCase() : ''
  })
  const subChainOf = (row: number): string => subChains[row] ?? ''

  return (query) => {
    const { understood, network, category, conditions, isHealthy } = query
    const { wishes, order } = understood
    matcher.clear()
    const checks = wishes.flatMap((wish, place) => {
      const check = rowCheck(wish, place, wishes)
      return check === null ? [] : [{ check, weight: wish.weight, kind: wish.kind }]
    })
    const met = matchConditions(conditions)
    const all = wishes.reduce((sum, { weight }) => sum + weight, 0)
    const wantsTest = wishes.some((wish) => wish.kind === 'subChain' || (wish.kind === 'facet' && 1 << wish.facet === testNetwork))
    const wantsDocumentation = wishes.some((wish) => wish.kind === 'facet' && 1 << wish.facet === documentation)
    const wordCount = Math.max(1, wishes.filter(({ kind }) => kind === 'word').length)

    function scoreOf(row: number, coverage: number): number {
      const relevance = (matcher.relevance[listingOfRow[row] ?? 0] ?? 0) / Math.sqrt(wordCount)
      let score = (all === 0 ? 0 : (coverage / all) * coverageFactor) + relevance * relevanceFactor + (facts.merit[row] ?? 0)
      const bits = facetsOfRow[row] ?? 0
      if (wantsTest && (bits & testNetwork) !== 0) score += 0.5
      if (wantsDocumentation && (bits & documentation) !== 0) score += 1.2
      if (order === 'cheapest') score += cheapness(facts.price[row] ?? Number.NaN)
      return score
    }

    const keys = query.isFolded ? serviceOfRow : offerOfRow
    const found: number[] = []
    let most = 0
    let mostWords = 0
    const inNetwork = network
    for (let row = 0; row < rows.length; row++) {
      if (category !== null && categoryOfRow[row] !== category) continue
      if (inNetwork !== null && ofRow[row * networkCount + inNetwork] !== 1) continue
      if (conditions.length > 0 && met[row] !== conditions.length) continue
      const ofWords = matcher.coverage[listingOfRow[row] ?? 0] ?? 0
      let coverage = ofWords
      for (const { check, weight } of checks) coverage += weight * check(row)
      if (all > 0 && coverage < 0.01) continue
      if (isHealthy !== null && !isHealthy(row)) continue
      if (coverage > most) {
        most = coverage
        mostWords = ofWords
      }
      const key = keys[row] ?? 0
      const score = scoreOf(row, coverage)
      const known = bestRow[key] ?? -1
      if (known === -1) found.push(key)
      if (known === -1 || score > (scores[known] ?? 0)) bestRow[key] = row
      scores[row] = score
      coverages[row] = coverage
      wordCoverages[row] = ofWords
    }
    const services: FoundService[] = []
    const bestOf: number[] = []
    for (const key of found) {
      const row = bestRow[key] ?? 0
      bestRow[key] = -1
      const ofWords = wordCoverages[row] ?? 0
      if (ofWords < mostWords * wordTolerance) continue
      if ((coverages[row] ?? 0) - ofWords < (most - mostWords) * tolerance) continue
      services.push({ row, score: (scores[row] ?? 0) + (query.meritOfHealth?.(row) ?? 0) * (order === 'healthiest' ? 4 : 1) })
      bestOf.push(row)
    }
    services.sort((one, other) => other.score - one.score || one.row - other.row)
    const unmet = wishes.filter((wish, place) => services.length > 0 && !isMet(wish, place, bestOf))
    return { services, unmet }
  }

  /** Whether any of the rows fulfils a wish. */
  function isMet(wish: Wish, place: number, found: readonly number[]): boolean {
    if (wish.kind === 'word') {
      const have = new Set<number>()
      for (const { word } of wish.terms) index.words.find(word, (listing) => have.add(listing))
      return found.some((row) => have.has(listingOfRow[row] ?? 0))
    }
    const check = rowCheck(wish, place, [])
    return check === null || found.some((row) => check(row) > 0)
  }
}

/** Returns up to 4: nothing costs least, and what is not said counts as dear. */
const cheapness = (price: number): number => (Number.isNaN(price) ? 0 : 4 / (1 + Math.log2(1 + price)))

/** For each row, and for each service, whether it is on each network. */
function networkTables({ rows, serviceOfRow, serviceCount, snapshot }: RegistryIndex) {
  const count = snapshot.networks.length
  const ofRow = new Uint8Array(rows.length * count)
  const ofService = new Uint8Array(serviceCount * count)
  for (const [number, row] of rows.entries()) {
    for (const network of row.networks) {
      ofRow[number * count + network] = 1
      ofService[(serviceOfRow[number] ?? 0) * count + network] = 1
    }
  }
  return { ofRow, ofService }
}

/** Numbers texts; equal texts have one number. */
function numbersOf(texts: readonly string[]): Uint32Array {
  const numbers = new Map<string, number>()
  return Uint32Array.from(texts, (text) => {
    const known = numbers.get(text) ?? numbers.size
    numbers.set(text, known)
    return known
  })
}
