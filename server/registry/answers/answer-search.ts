import type { RegistryAnswer, SearchInput, SearchOutput, SearchResult } from '../../../shared/registry.ts'
import type { RowIndex } from '../index/row-index.ts'
import { queryWords } from '../index/words.ts'
import { lineOf } from '../lines.ts'
import { mcpFactsOf } from '../mcp-facts.ts'
import { readConditions } from '../search/filters.ts'
import type { Condition } from '../search/filters.ts'
import { createFindEntries } from '../search/find-entries.ts'
import type { EntryQuestion, FoundEntries } from '../search/find-entries.ts'
import { answered, unknownName } from '../search/refusal.ts'
import type { ScoredEntry } from '../search/select-page.ts'
import type { Entries, HealthOfEntries } from './entries.ts'

const exampleCount = 5

export function createSearch(
  index: RowIndex,
  entries: Entries,
  health: HealthOfEntries,
  nameOf: (network: string) => string,
) {
  const { snapshot, categories } = index
  const findEntries = createFindEntries(index, snapshot.networks.map(nameOf))

  function questionOf(asked: SearchInput): RegistryAnswer<EntryQuestion> {
    const { query = '', chain, category, tags = [], filters = {}, limit, offset } = asked
    const network = chain === undefined ? null : entries.placeOfNetwork(chain)
    if (chain !== undefined && network === null) {
      return unknownName('unknown_chain', 'chain', chain, snapshot.networks)
    }
    const place = category === undefined ? null : categories.indexOf(category)
    if (category !== undefined && place === -1) {
      return unknownName('unknown_category', 'category', category, categories)
    }
    const conditions = readConditions(snapshot.columns, tags, filters)
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
      ...lineOf(row, index.providerOf),
      score,
      ...entries.healthOf(entry),
      execute_hint: {
        operation: mcpFactsOf(row.listing) === null ? 'get_details' : 'connect_mcp',
        service_id: serviceId,
        arguments: { chain },
      },
    }
  }

  /** What may explain an answer that is not what was hoped for. */
  function noteOn({ total, wordsFound }: FoundEntries, { words, conditions }: EntryQuestion): string | null {
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

  return (asked: SearchInput): RegistryAnswer<SearchOutput> => {
    const question = questionOf(asked)
    if (!question.ok) return question
    if (question.value.words.length === 0 && (asked.query ?? '').trim() !== '') {
      return answered({
        results: [],
        total: 0,
        next_offset: null,
        note: 'The query has no word to look for.',
      })
    }
    const found = findEntries(question.value)
    const next = asked.offset + found.page.length
    const note = noteOn(found, question.value)
    return answered({
      results: found.page.map(resultOf),
      total: found.total,
      next_offset: found.page.length > 0 && next < found.total ? next : null,
      ...(note !== null && { note }),
    })
  }
}
