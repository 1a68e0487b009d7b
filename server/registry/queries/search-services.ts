import {
  type ListedMcpServer,
  type RegistryAnswer,
  type SearchInput,
  type SearchOutput,
  type SearchResult,
} from '../../../shared/registry.ts'
import type { RegistryIndex } from '../index/registry-index.ts'
import { toListItem } from '../list-item.ts'
import { mcpCategory, mcpFactsOf } from '../mcp-facts.ts'
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
import { type Question, type Understand, createParseQuestion } from './parse-question.ts'
import { createResultNetworks } from './result-networks.ts'
import { createShownOf } from './shown-results.ts'

/** What is asked of MCP servers, and which page of them. */
export type McpQuestion = Pick<SearchInput, 'query' | 'chain' | 'limit' | 'offset'>

export interface FoundMcpServers {
  /** Each with its chains, that of the question or else the largest first. */
  readonly servers: readonly ListedMcpServer[]
  readonly total: number
  readonly note: string | null
}

export function createServiceSearch(
  index: RegistryIndex,
  entries: EntryReader,
  health: EntryHealth,
  { nameOf, understand }: { readonly nameOf: (network: string) => string; readonly understand: Understand },
) {
  const { snapshot } = index
  const findServices = createFindServices(index)
  const notes = createNotes(index, nameOf)
  const networksOf = createResultNetworks(index)
  const parseQuestion = createParseQuestion(index, entries, health, {
    understand,
    entriesOfRow: networksOf.entriesOfRow,
  })

  const shownOf = createShownOf(index, entries, networksOf)

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
    const { services, note } = answerTo(input, query)
    const { limit, offset } = input
    const page = services.slice(offset, offset + limit)
    const total = services.length
    const next = offset + page.length
    return answered({
      results: page.map((service) => resultOf(service, query)),
      total,
      next_offset: page.length > 0 && next < total ? next : null,
      ...(note !== null && { note }),
    })
  }

  /** Returns what is found, and what is to be said about it. */
  function answerTo(input: Question, query: ServiceQuery) {
    if (hasNoWord(input, query)) return { services: [], note: 'The query has no word to look for.' }
    const found = find(query)
    const note =
      found.services.length > 0
        ? notes.onResults(query, found)
        : notes.onNothing(query, (other) => find(other).services.length)
    return { services: found.services, note }
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

  /** Finds the MCP servers that `search` finds and that are reached over the network, and returns a page of them. */
  function findMcpServers({ limit, offset, ...asked }: McpQuestion): RegistryAnswer<FoundMcpServers> {
    const input = { ...asked, category: mcpCategory }
    const parsed = parseQuestion(input)
    if (!parsed.ok) return parsed
    const query = { ...parsed.value, isFolded: false }
    const { services, note } = answerTo(input, query)
    const reached = services.flatMap(({ row }) => {
      const entry = networksOf.entryFor(row, query)
      const facts = mcpFactsOf(entries.at(entry).row.listing)
      return facts === null ? [] : [{ entry, facts }]
    })
    const servers = reached.slice(offset, offset + limit).map(({ entry, facts }): ListedMcpServer => {
      const { row, serviceId } = entries.at(entry)
      const { provider, title, summary } = toListItem(row, index.providerOf)
      const chains = networksOf.of(serviceId, entries.chainOf(entry))
      return { service_id: serviceId, chains, provider, title, summary, ...facts }
    })
    return answered({ servers, total: reached.length, note })
  }

  return { search, findMcpServers }
}

const noServices: FoundServices = { services: [], unmet: [], missedByBest: [] }

const hasNoWord = ({ query = '' }: Question, { understood }: ServiceQuery): boolean =>
  understood.isEmpty && query.trim() !== ''
