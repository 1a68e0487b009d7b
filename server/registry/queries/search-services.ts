import {
  type RegistryAnswer,
  type SearchInput,
  type SearchOutput,
  type SearchResult,
  searchLimits,
} from '../../../shared/registry.ts'
import type { RegistryIndex } from '../index/registry-index.ts'
import { toListItem } from '../list-item.ts'
import { mcpFactsOf } from '../mcp-facts.ts'
import { type FoundService, type FoundServices, type ServiceQuery, createFindServices } from '../search/find-services.ts'
import { createNotes } from '../search/notes.ts'
import { parseFilters } from '../search/parse-filters.ts'
import { createPhraseTable } from '../search/phrases.ts'
import { answered, unknownName } from '../search/refusal.ts'
import { type Wish, createUnderstand } from '../search/understand.ts'
import type { EntryReader, EntryHealth } from './entry-reader.ts'
import { createResultNetworks } from './result-networks.ts'

type Question = Pick<SearchInput, 'query' | 'chain' | 'category' | 'tags' | 'filters'>

export function createServiceSearch(
  index: RegistryIndex,
  entries: EntryReader,
  health: EntryHealth,
  nameOf: (network: string) => string,
) {
  const { snapshot, categories } = index
  const understand = createUnderstand(index.words, createPhraseTable(phraseSources(index, nameOf)))
  const findServices = createFindServices(index)
  const notes = createNotes(index, nameOf)
  const networksOf = createResultNetworks(index)

  function parseQuery(input: Question): RegistryAnswer<ServiceQuery> {
    const { query = '', chain, category, tags = [], filters = {} } = input
    const network = chain === undefined ? null : entries.placeOfNetwork(chain)
    if (chain !== undefined && network === null) {
      return unknownName('unknown_chain', 'chain', chain, snapshot.networks)
    }
    const place = category === undefined ? null : categories.indexOf(category)
    if (category !== undefined && place === -1) {
      return unknownName('unknown_category', 'category', category, categories)
    }
    const conditions = parseFilters(snapshot.columns, tags, filters)
    if (!conditions.ok) return conditions
    const { ofRows, health: decisions } = conditions.value
    const isHealthyEntry = (entry: number): boolean => {
      const linked = health.linked(entry)
      return linked !== null && decisions?.has(health.decisionOf(linked)) === true
    }
    const isHealthy = (row: number): boolean => networksOf.entriesOfRow(row, network).some(isHealthyEntry)
    return answered({
      understood: understand(query),
      network,
      category: place,
      conditions: ofRows,
      isHealthy: decisions === null ? null : isHealthy,
      isHealthyEntry: decisions === null ? null : isHealthyEntry,
      meritOfHealth: health.isAny() ? meritOfHealth(network) : null,
      // Without a question it is a list, in which each plan has its place.
      isFolded: query.trim() !== '' && filters['provider'] === undefined,
    })
  }

  const meritOfHealth =
    (network: number | null) =>
    (row: number): number => {
      let merit = 0
      for (const entry of networksOf.entriesOfRow(row, network)) {
        const linked = health.linked(entry)
        if (linked !== null) merit = meritOfDecision[health.decisionOf(linked)]
        if (merit > 0) break
      }
      return merit
    }

  function resultOf({ row: number, score }: FoundService, query: ServiceQuery): SearchResult {
    const entry = networksOf.entryFor(number, query)
    const { row, serviceId } = entries.at(entry)
    const chain = entries.chainOf(entry)
    const networks = networksOf.of(serviceId, chain)
    const plans = query.isFolded ? networksOf.otherPlans(entry) : []
    return {
      service_id: serviceId,
      chain,
      category: row.listing.category,
      ...toListItem(row, index.providerOf),
      score: Math.round(score * 100) / 100,
      networks: networks.slice(0, searchLimits.networks),
      ...(networks.length > searchLimits.networks && { network_count: networks.length }),
      ...(plans.length > 0 && { plans: plans.slice(0, searchLimits.plans) }),
      ...entries.healthOf(entry),
      execute_hint: {
        operation: mcpFactsOf(row.listing) === null ? 'get_details' : 'connect_mcp',
        service_id: serviceId,
        arguments: { chain },
      },
    }
  }

  function search(input: SearchInput): RegistryAnswer<SearchOutput> {
    const parsed = parseQuery(input)
    if (!parsed.ok) return parsed
    const query = parsed.value
    if (hasNoWord(input, query)) return answered(nothing('The query has no word to look for.'))
    const found = find(query)
    const { limit, offset } = input
    const page = found.services.slice(offset, offset + limit)
    const total = found.services.length
    const next = offset + page.length
    const note = total > 0 ? notes.onResults(query, found) : notes.onNothing(query, (other) => find(other).services.length)
    return answered({
      results: page.map((service) => resultOf(service, query)),
      total,
      next_offset: page.length > 0 && next < total ? next : null,
      ...(note !== null && { note }),
    })
  }

  /** Whether a wish names a network that this registry does not have, and that nothing in it speaks of. */
  const isElsewhere = (wish: Wish): boolean =>
    wish.kind === 'network' &&
    !snapshot.networks.includes(wish.network) &&
    !wish.terms.every(({ word }) => index.words.has(word))

  /** A question with words that mean nothing here has no results, instead of all of them. */
  const find = (query: ServiceQuery): FoundServices => {
    const { wishes, unknown, order } = query.understood
    const meansNothing = wishes.length === 0 && unknown.length > 0 && order === null
    if (meansNothing || wishes.some(isElsewhere)) return noServices
    const found = findServices(query)
    const isMissed = found.unmet.some(({ kind, ...wish }) => kind === 'network' && 'network' in wish && !snapshot.networks.includes(wish.network))
    return isMissed ? noServices : found
  }

  const hasNoWord = ({ query = '' }: Question, { understood }: ServiceQuery): boolean =>
    understood.isEmpty && query.trim() !== ''

  /** Returns all entries that `search` finds, the best first. */
  function entriesOf(input: Question): RegistryAnswer<number[]> {
    const parsed = parseQuery(input)
    if (!parsed.ok) return parsed
    const query = { ...parsed.value, isFolded: false }
    if (hasNoWord(input, query)) return answered([])
    return answered(find(query).services.flatMap(({ row }) => networksOf.entriesOfService(row, query.network)))
  }

  return { search, entriesOf }
}

const noServices: FoundServices = { services: [], unmet: [] }
const meritOfDecision = { UP: 0.4, LATENCY: -0.2, DOWN: -1, UNKNOWN: 0 } as const

const nothing = (note: string): SearchOutput => ({ results: [], total: 0, next_offset: null, note })

function phraseSources({ snapshot, categories, values }: RegistryIndex, nameOf: (network: string) => string) {
  return {
    networks: snapshot.networks,
    nameOf,
    categories: categories.map((key) => ({ key, label: snapshot.categories.get(key)?.label ?? key })),
    subChains: values.commonest('chain', 200).map((name) => name.toLowerCase()),
  }
}
