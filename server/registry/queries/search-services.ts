import type { RegistryAnswer, SearchInput, SearchOutput, SearchResult } from '../../../shared/registry.ts'
import type { RegistryIndex } from '../index/registry-index.ts'
import { queryWords } from '../index/words.ts'
import { toListItem } from '../list-item.ts'
import { mcpFactsOf } from '../mcp-facts.ts'
import { type Condition, parseFilters } from '../search/parse-filters.ts'
import { type EntryQuery, type FoundEntries, createFindEntries } from '../search/find-entries.ts'
import { answered, unknownName } from '../search/refusal.ts'
import type { ScoredEntry } from '../search/select-page.ts'
import type { EntryReader, EntryHealth } from './entry-reader.ts'

const exampleCount = 5

export function createServiceSearch(
  index: RegistryIndex,
  entries: EntryReader,
  health: EntryHealth,
  nameOf: (network: string) => string,
) {
  const { snapshot, categories } = index
  const findEntries = createFindEntries(index, snapshot.networks.map(nameOf))

  function parseQuery(input: SearchInput): RegistryAnswer<EntryQuery> {
    const { query = '', chain, category, tags = [], filters = {}, limit, offset } = input
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
    const isHealthy = (entry: number): boolean => {
      const linked = health.linked(entry)
      return linked !== null && decisions?.has(health.decisionOf(linked)) === true
    }
    return answered({
      words: queryWords(query),
      network,
      category: place,
      conditions: ofRows,
      isHealthy: decisions === null ? null : isHealthy,
      limit,
      offset,
    })
  }

  function resultOf({ entry, score }: ScoredEntry): SearchResult {
    const { row, serviceId } = entries.at(entry)
    const chain = entries.chainOf(entry)
    return {
      service_id: serviceId,
      chain,
      category: row.listing.category,
      ...toListItem(row, index.providerOf),
      score,
      ...entries.healthOf(entry),
      execute_hint: {
        operation: mcpFactsOf(row.listing) === null ? 'get_details' : 'connect_mcp',
        service_id: serviceId,
        arguments: { chain },
      },
    }
  }

  /** Returns a sentence that explains an empty or partial result, or null. */
  function noteOn({ total, wordsFound }: FoundEntries, { words, conditions }: EntryQuery): string | null {
    if (total > 0) {
      if (wordsFound === words.length) return null
      return `No service has all words of the query; these have ${wordsFound} of ${words.length}.`
    }
    const missing = conditions.find((condition) => condition.kind === 'any' && !isThere(condition))
    return missing?.kind === 'any' ? noRowHas(missing) : null
  }

  const isThere = ({ column, values }: Extract<Condition, { kind: 'any' }>): boolean =>
    values.some((value) => index.values.rowsWith(column, value).length > 0)

  function noRowHas({ column, values }: Extract<Condition, { kind: 'any' }>): string {
    const known = index.values.commonest(column, exampleCount)
    const examples =
      known.length === 0 ? 'no row has any value there' : `there are, for instance, ${known.join('; ')}`
    return `No row has ${values.join(' or ')} in ${column}; ${examples}.`
  }

  function search(input: SearchInput): RegistryAnswer<SearchOutput> {
    const parsed = parseQuery(input)
    if (!parsed.ok) return parsed
    if (parsed.value.words.length === 0 && (input.query ?? '').trim() !== '') {
      return answered({
        results: [],
        total: 0,
        next_offset: null,
        note: 'The query has no word to look for.',
      })
    }
    const found = findEntries(parsed.value)
    const next = input.offset + found.page.length
    const note = noteOn(found, parsed.value)
    return answered({
      results: found.page.map(resultOf),
      total: found.total,
      next_offset: found.page.length > 0 && next < found.total ? next : null,
      ...(note !== null && { note }),
    })
  }

  /** Returns all entries that `search` finds, the best first. */
  function entriesOf(input: Pick<SearchInput, 'query' | 'chain' | 'category'>): RegistryAnswer<number[]> {
    const parsed = parseQuery({ ...input, limit: index.entryCount, offset: 0 })
    if (!parsed.ok) return parsed
    const hasNoWord = parsed.value.words.length === 0 && (input.query ?? '').trim() !== ''
    return answered(hasNoWord ? [] : findEntries(parsed.value).page.map(({ entry }) => entry))
  }

  return { search, entriesOf }
}
