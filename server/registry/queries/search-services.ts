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
import {
  type FoundService,
  type FoundServices,
  type ServiceQuery,
  createFindServices,
} from '../search/find-services.ts'
import { createNotes } from '../search/notes.ts'
import { answered } from '../search/refusal.ts'
import type { Wish } from '../search/understand.ts'
import type { EntryReader, EntryHealth } from './entry-reader.ts'
import { type Question, createParseQuestion } from './parse-question.ts'
import { createResultNetworks } from './result-networks.ts'

/** About 1 kB each. */
const mostShown = 8_192

export function createServiceSearch(
  index: RegistryIndex,
  entries: EntryReader,
  health: EntryHealth,
  nameOf: (network: string) => string,
) {
  const { snapshot } = index
  const findServices = createFindServices(index)
  const notes = createNotes(index, nameOf)
  const networksOf = createResultNetworks(index)
  const parseQuestion = createParseQuestion(index, entries, health, {
    nameOf,
    entriesOfRow: networksOf.entriesOfRow,
  })

  /** What a result has whatever was asked. Making it takes longer than finding it, and results are found again and again. */
  function makeShown(entry: number, isFolded: boolean) {
    const { row, serviceId } = entries.at(entry)
    const chain = entries.chainOf(entry)
    const networks = networksOf.of(serviceId, chain)
    const plans = isFolded ? networksOf.otherPlans(entry, searchLimits.plans) : []
    return {
      item: {
        service_id: serviceId,
        chain,
        category: row.listing.category,
        ...toListItem(row, index.providerOf),
      },
      standing: {
        networks: networks.slice(0, searchLimits.networks),
        ...(networks.length > searchLimits.networks && { network_count: networks.length }),
        ...(plans.length > 0 && { plans }),
      },
      execute_hint: {
        operation: mcpFactsOf(row.listing) === null ? 'get_details' : 'connect_mcp',
        service_id: serviceId,
        arguments: { chain },
      },
    } as const
  }

  const shownEntries = new Map<number, ReturnType<typeof makeShown>>()

  function shownOf(entry: number, isFolded: boolean) {
    const key = entry * 2 + Number(isFolded)
    const known = shownEntries.get(key)
    if (known !== undefined) return known
    if (shownEntries.size >= mostShown) shownEntries.clear()
    const shown = makeShown(entry, isFolded)
    shownEntries.set(key, shown)
    return shown
  }

  function resultOf({ row, score }: FoundService, query: ServiceQuery): SearchResult {
    const entry = networksOf.entryFor(row, query)
    const { item, standing, execute_hint } = shownOf(entry, query.isFolded)
    return {
      ...item,
      score: Math.round(score * 100) / 100,
      ...standing,
      ...entries.healthOf(entry),
      execute_hint,
    }
  }

  function search(input: SearchInput): RegistryAnswer<SearchOutput> {
    const parsed = parseQuestion(input)
    if (!parsed.ok) return parsed
    const query = parsed.value
    if (hasNoWord(input, query)) return answered(nothing('The query has no word to look for.'))
    const found = find(query)
    const { limit, offset } = input
    const page = found.services.slice(offset, offset + limit)
    const total = found.services.length
    const next = offset + page.length
    const note =
      total > 0
        ? notes.onResults(query, found)
        : notes.onNothing(query, (other) => find(other).services.length)
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
    const isMissed = found.unmet.some(
      (wish) => wish.kind === 'network' && !snapshot.networks.includes(wish.network),
    )
    return isMissed ? noServices : found
  }

  /** Returns all entries that `search` finds, the best first. */
  function entriesOf(input: Question): RegistryAnswer<number[]> {
    const parsed = parseQuestion(input)
    if (!parsed.ok) return parsed
    const query = { ...parsed.value, isFolded: false }
    if (hasNoWord(input, query)) return answered([])
    return answered(
      find(query).services.flatMap(({ row }) => networksOf.entriesOfService(row, query.network)),
    )
  }

  return { search, entriesOf }
}

const noServices: FoundServices = { services: [], unmet: [] }

const nothing = (note: string): SearchOutput => ({ results: [], total: 0, next_offset: null, note })

const hasNoWord = ({ query = '' }: Question, { understood }: ServiceQuery): boolean =>
  understood.isEmpty && query.trim() !== ''
