import { facetNamed } from '../index/facets.ts'
import { belowTools } from '../index/row-facts.ts'
import type { RegistryIndex } from '../index/registry-index.ts'
import type { Condition } from './parse-filters.ts'
import { createRowMatcher } from './row-matcher.ts'
import type { Understood, Wish } from './understand.ts'
import { createWishes, missedByBest } from './wishes.ts'

/** A validated query, whose network, category and columns exist. */
export interface ServiceQuery {
  readonly understood: Understood
  /** Returns what the words mean where all categories are looked in. */
  readonly understoodAnywhere: () => Understood
  /** Index into the snapshot's networks; null for any. */
  readonly network: number | null
  /** Index into the categories; null for any. */
  readonly category: number | null
  readonly conditions: readonly Condition[]
  /** Whether a row has the wanted health on a network that is asked for; null when health is not filtered. */
  readonly isHealthy: ((row: number) => boolean) | null
  /** The same of one entry. */
  readonly isHealthyEntry: ((entry: number) => boolean) | null
  /** Adds to the score of a row for its health; null when no service is monitored. */
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
  /** The wishes that the best result does not fulfil, where no result fulfils all of them. */
  readonly missedByBest: readonly Wish[]
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
/** How far services stand below those of a category that the question hints at. */
const besideHint = 4
const documentation = 1 << facetNamed('documentation')
const node = 1 << facetNamed('node')
/** How far nodes stand above other APIs (of explorers, of indexers) where a node is asked for. */
const aboveApis = 2
const testNetwork = 1 << facetNamed('on a test network')

export function createFindServices(index: RegistryIndex): FindServices {
  const { rows, serviceOfRow, textOfRow, categoryOfRow, facetsOfRow, facts, snapshot } = index
  const offerOfRow = numbersOf(index.serviceIds)
  const rowsWithin = createRowLists(index)
  const matchConditions = createRowMatcher(index)
  const wished = createWishes(index)
  // These arrays are reused, because queries run one after the other and allocating them costs more than a query.
  const candidates = new Uint32Array(rows.length)
  const coverages = new Float32Array(rows.length)
  const scores = new Float32Array(rows.length)
  const bestRow = new Int32Array(rows.length).fill(-1)

  /** Writes the rows that meet the conditions into `candidates`, and what they fulfil beside words into `coverages`. */
  function collect({ network, category, conditions, isHealthy }: ServiceQuery) {
    const met = matchConditions(conditions)
    const conditionCount = conditions.length
    const { coverage: ofWords } = wished.words
    const within = rowsWithin(network, category)
    let count = 0
    let [most, mostOfRow, mostOfWords] = [0, 0, 0]
    for (let place = 0; place < within.length; place++) {
      const row = within[place] ?? 0
      if (category !== null && categoryOfRow[row] !== category) continue
      if (conditionCount > 0 && met[row] !== conditionCount) continue
      if (isHealthy !== null && !isHealthy(row)) continue
      const words = ofWords[textOfRow[row] ?? 0] ?? 0
      const ofRow = wished.coverageOf(row)
      if (words + ofRow > most) [most, mostOfRow, mostOfWords] = [words + ofRow, ofRow, words]
      coverages[row] = ofRow
      candidates[count++] = row
    }
    return { count, most, leastOfRow: mostOfRow * tolerance, leastOfWords: mostOfWords * wordTolerance }
  }

  return (query) => {
    const { wishes, order } = query.understood
    wished.prepare(wishes)
    const { count, most, leastOfRow, leastOfWords } = collect(query)
    if (wishes.length > 0 && most === 0) return { services: [], unmet: wishes, missedByBest: [] }
    const score = createScore(query.understood)
    const keys = query.isFolded ? serviceOfRow : offerOfRow
    const found: number[] = []
    for (let place = 0; place < count; place++) {
      const row = candidates[place] ?? 0
      const ofWords = wished.words.coverage[textOfRow[row] ?? 0] ?? 0
      const ofRow = coverages[row] ?? 0
      if (ofRow < leastOfRow || ofWords < leastOfWords) continue
      const key = keys[row] ?? 0
      const known = bestRow[key] ?? -1
      const own = score(row, ofRow + ofWords)
      scores[row] = own
      if (known === -1) found.push(key)
      if (known === -1 || own > (scores[known] ?? 0)) bestRow[key] = row
    }
    const factor = order === 'healthiest' ? 4 : 1
    for (let place = 0; place < found.length; place++) {
      const key = found[place] ?? 0
      const row = bestRow[key] ?? 0
      bestRow[key] = -1
      found[place] = row
      if (query.meritOfHealth !== null) scores[row] = (scores[row] ?? 0) + query.meritOfHealth(row) * factor
    }
    const services = bestFirst(found, scores)
    return {
      services,
      unmet: wished.unmet(wishes, services),
      missedByBest: missedByBest(wishes, services, wished.isMet),
    }
  }

  /** Returns the function that scores a row by what it fulfils of the wishes. */
  function createScore({ wishes, order }: Understood): (row: number, coverage: number) => number {
    const all = wishes.reduce((sum, { weight }) => sum + weight, 0)
    const bits = wishes.reduce((sum, wish) => (wish.kind === 'facet' ? sum | (1 << wish.facet) : sum), 0)
    const ofTest = (bits & testNetwork) !== 0 || wishes.some(({ kind }) => kind === 'subChain') ? 0.5 : 0
    const ofNode = wishes.some(isForNode) ? aboveApis : 0
    const ofDocumentation = (bits & documentation) === 0 ? 0 : belowTools + 1
    const ofRelevance =
      relevanceFactor / Math.sqrt(Math.max(1, wishes.filter(({ kind }) => kind === 'word').length))
    const { relevance } = wished.words
    const ofNetworks = wishes.some(({ kind }) => kind === 'network') ? 0.6 / snapshot.networks.length : 0
    const hint = wishes.find((wish) => wish.kind === 'category' && wish.isHint)
    return (row, coverage) => {
      const own = facetsOfRow[row] ?? 0
      let score = (all === 0 ? 0 : (coverage / all) * coverageFactor) + (facts.merit[row] ?? 0)
      score += (relevance[textOfRow[row] ?? 0] ?? 0) * ofRelevance
      // What is listed for this network says more about it than what is listed for all.
      if (ofNetworks > 0) score -= (rows[row]?.networks.length ?? 0) * ofNetworks
      if (hint !== undefined && !wished.isMet(hint, row)) score -= besideHint
      if ((own & testNetwork) !== 0) score += ofTest
      if ((own & node) !== 0) score += ofNode
      if (facts.isDocumentation[row] === 1) score += ofDocumentation
      return order === 'cheapest' ? score + cheapness(facts.price[row] ?? Number.NaN) : score
    }
  }
}

/** All words for the category of APIs alone are words for nodes; "api" itself only hints at it. */
const isForNode = (wish: Wish): boolean =>
  wish.kind === 'category' && !wish.isHint && wish.categories.length === 1 && wish.categories[0] === 'apis'

/** Returns the function that lists, ascending, the rows on a network, or else of a category, or all. */
function createRowLists({ rows, categories, categoryOfRow, entriesOfNetwork, rowOfEntry }: RegistryIndex) {
  const all = Uint32Array.from(rows.keys())
  const onNetwork = entriesOfNetwork.map((entries) => entries.map((entry) => rowOfEntry[entry] ?? 0).sort())
  const ofCategory = categories.map((_, category) => all.filter((row) => categoryOfRow[row] === category))
  return (network: number | null, category: number | null): Uint32Array =>
    (network === null ? (category === null ? all : ofCategory[category]) : onNetwork[network]) ?? all
}

const placesPerScore = 2 ** 21
const scoreSteps = 10_000

/** Sorts rows by score, equal ones in the order given. Numbers are sorted in place of objects, which takes a fifth of the time. */
function bestFirst(found: readonly number[], scores: Float32Array): FoundService[] {
  const keys = Float64Array.from(
    found,
    (row, place) => Math.round((scores[row] ?? 0) * scoreSteps) * placesPerScore - place,
  ).sort()
  return Array.from({ length: keys.length }, (_, rank): FoundService => {
    const key = keys[keys.length - 1 - rank] ?? 0
    const steps = Math.ceil(key / placesPerScore)
    return { row: found[steps * placesPerScore - key] ?? 0, score: steps / scoreSteps }
  })
}

/** Returns up to 4: nothing costs least, and what is not said counts as dear. */
const cheapness = (price: number): number => (Number.isNaN(price) ? 0 : 4 / (1 + Math.log2(1 + price)))

/** Numbers texts; equal texts have one number. */
function numbersOf(texts: readonly string[]): Uint32Array {
  const numbers = new Map<string, number>()
  return Uint32Array.from(texts, (text) => {
    const known = numbers.get(text) ?? numbers.size
    numbers.set(text, known)
    return known
  })
}
