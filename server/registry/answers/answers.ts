import * as z from 'zod/mini'

import { DiscoverCategoriesInput, SearchInput } from '../../../shared/registry.ts'
import type {
  CategoryName,
  DiscoverCategoriesOutput,
  DiscoverNetworksOutput,
  FilterColumn,
  FilterQuestion,
  ListedMcpServer,
  RegistryAnswer,
  SearchOutput,
  RegistryEntry,
} from '../../../shared/registry.ts'
import { findInvalid } from '../../platform/validation-text.ts'
import type { RowIndex } from '../index/row-index.ts'
import { answered, refused } from '../search/refusal.ts'
import { createSearch } from './answer-search.ts'
import { createDiscovery } from './discovery.ts'
import { createEntries } from './entries.ts'
import type { HealthOfEntries } from './entries.ts'
import { createFilterColumns } from './filter-columns.ts'
import { createFindService } from './find-service.ts'
import type { ServiceQuestion } from './find-service.ts'

/** What can be asked of a registry. Answers come from memory; questions are checked here, so `unknown` will do. */
export interface RegistryAnswers {
  discoverNetworks(): DiscoverNetworksOutput
  discoverCategories(asked: unknown): RegistryAnswer<DiscoverCategoriesOutput>
  search(asked: unknown): RegistryAnswer<SearchOutput>
  find(question: ServiceQuestion): RegistryAnswer<RegistryEntry>
  /** MCP servers that can be reached over the network, each once, with its chains: of one chain, or of all. */
  mcpServers(chain?: string): RegistryAnswer<ListedMcpServer[]>
  /** Those of all networks together. */
  allCategories(): CategoryName[]
  /** What people can narrow the services of a chain, a category or both by. */
  filters(question: FilterQuestion): RegistryAnswer<FilterColumn[]>
}

/** Answers about one snapshot; networks have their names from `nameOf`. */
export function createAnswers(
  index: RowIndex,
  nameOf: (network: string) => string,
  health: HealthOfEntries,
): RegistryAnswers {
  const entries = createEntries(index, health)
  const discovery = createDiscovery(index, entries, nameOf)
  const search = createSearch(index, entries, health, nameOf)

  return {
    discoverNetworks: discovery.networks,
    discoverCategories(asked) {
      const question = checked(DiscoverCategoriesInput, asked)
      return question.ok ? discovery.categories(question.value.chain) : question
    },
    search(asked) {
      const question = checked(SearchInput, asked)
      return question.ok ? search(question.value) : question
    },
    find: createFindService(index, entries),
    mcpServers: (chain) => discovery.mcpServers(chain),
    allCategories: discovery.allCategories,
    filters: createFilterColumns(index, entries),
  }
}

/** Names the field that is not as it should be, and what it may be; never what was sent. */
function checked<Schema extends z.ZodMiniType>(
  schema: Schema,
  asked: unknown,
): RegistryAnswer<z.output<Schema>> {
  const parsed = z.safeParse(schema, asked ?? {})
  if (parsed.success) return answered(parsed.data)
  const said = findInvalid(schema, asked ?? {}).map(({ path, message }) => `${path.join('.')}: ${message}`)
  return refused('invalid_arguments', said.slice(0, 5).join('; '))
}
