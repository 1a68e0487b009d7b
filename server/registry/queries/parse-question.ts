import type { RegistryAnswer, SearchInput } from '../../../shared/registry.ts'
import type { RegistryIndex } from '../index/registry-index.ts'
import type { ServiceQuery } from '../search/find-services.ts'
import { type Condition, parseFilters } from '../search/parse-filters.ts'
import { createPhraseTable } from '../search/phrases.ts'
import { answered, unknownName } from '../search/refusal.ts'
import { createUnderstand } from '../search/understand.ts'
import type { EntryHealth, EntryReader } from './entry-reader.ts'
import type { ResultNetworks } from './result-networks.ts'

export interface Question extends Pick<SearchInput, 'query' | 'chain' | 'category' | 'tags' | 'filters'> {
  /** The chain of the network that is meant; null or absent: whichever. */
  readonly subChain?: string | null
}

const meritOfDecision = { UP: 0.4, LATENCY: -0.2, DOWN: -1, UNKNOWN: 0 } as const

/** Creates the function that makes a query of what was asked, or refuses a chain, category or filter that is unknown. */
export function createParseQuestion(
  index: RegistryIndex,
  entries: EntryReader,
  health: EntryHealth,
  { understand, entriesOfRow }: { readonly understand: Understand } & Pick<ResultNetworks, 'entriesOfRow'>,
) {
  const { snapshot, categories } = index

  const meritOfHealth =
    (network: number | null) =>
    (row: number): number => {
      const merits = entriesOfRow(row, network).map((entry) => {
        const linked = health.linked(entry)
        return linked === null ? 0 : meritOfDecision[health.decisionOf(linked)]
      })
      return merits.find((merit) => merit > 0) ?? Math.min(0, ...merits)
    }

  return (input: Question): RegistryAnswer<ServiceQuery> => {
    const { query = '', chain, subChain = null, category, tags = [], filters = {} } = input
    const network = chain === undefined ? null : entries.placeOfNetwork(chain)
    if (chain !== undefined && network === null) {
      return unknownName('unknown_chain', 'chain', chain, snapshot.networks, [['chain']])
    }
    const place = category === undefined ? null : categories.indexOf(category)
    if (category !== undefined && place === -1) {
      return unknownName('unknown_category', 'category', category, categories, [['category']])
    }
    const conditions = parseFilters(snapshot.columns, tags, filters)
    if (!conditions.ok) return conditions
    const { ofRows, health: decisions } = conditions.value
    const isHealthyEntry = (entry: number): boolean => {
      const linked = health.linked(entry)
      return linked !== null && decisions?.has(health.decisionOf(linked)) === true
    }
    return answered({
      understood: understand(query, category ?? null),
      understoodAnywhere: () => understand(query, null),
      network,
      category: place,
      conditions: subChain === null ? ofRows : [...ofRows, ofSubChain(subChain)],
      isHealthy: decisions === null ? null : (row) => entriesOfRow(row, network).some(isHealthyEntry),
      isHealthyEntry: decisions === null ? null : isHealthyEntry,
      meritOfHealth: health.isAny() ? meritOfHealth(network) : null,
      // Without a question it is a list, in which each plan has its place.
      isFolded: query.trim() !== '' && filters['provider'] === undefined,
    })
  }
}

/** What a row says of the network as a whole holds for each of its chains. */
const ofSubChain = (subChain: string): Condition => ({
  kind: 'any',
  column: 'chain',
  values: [subChain],
  orNone: true,
})

export type Understand = ReturnType<typeof createUnderstand>

/** Creates the function that reads questions about one index. Operators give networks names while it is in use. */
export function createUnderstandOf(index: RegistryIndex, nameOf: (network: string) => string): Understand {
  const namesNow = (): string => index.snapshot.networks.map(nameOf).join('\n')
  const read = (): Understand =>
    createUnderstand(index.words, createPhraseTable(phraseSources(index, nameOf)))
  let names = namesNow()
  let understand = read()
  return (query, within) => {
    const now = namesNow()
    if (now !== names) [names, understand] = [now, read()]
    return understand(query, within)
  }
}

const phraseSources = (
  { snapshot, categories, values }: RegistryIndex,
  nameOf: (network: string) => string,
) => ({
  networks: snapshot.networks,
  nameOf,
  categories,
  subChains: values.commonest('chain', 200).map((name) => name.toLowerCase()),
})
