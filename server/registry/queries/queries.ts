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
import type { RegistryIndex } from '../index/registry-index.ts'
import { answered, refused } from '../search/refusal.ts'
import { type FoundMcpServers, type McpQuestion, createServiceSearch } from './search-services.ts'
import { createUnderstandOf } from './parse-question.ts'
import { createChainPlaces } from '../chain-places.ts'
import { createReadNames } from './read-names.ts'
import { createDiscovery } from './discovery.ts'
import { type EntryHealth, createEntryReader } from './entry-reader.ts'
import { createFilterColumns } from './filter-columns.ts'
import { type ServiceLookup, createFindService } from './find-service.ts'
import { type PublicNode, createPublicNodes } from './public-nodes.ts'
import { type ServiceName, createServiceNames } from './service-names.ts'

/** Queries of a registry. Inputs of type `unknown` are validated here, so that transports pass them as they came. */
export interface RegistryQueries {
  discoverNetworks(): DiscoverNetworksOutput
  discoverCategories(input: unknown): RegistryAnswer<DiscoverCategoriesOutput>
  search(input: unknown): RegistryAnswer<SearchOutput>
  /** Returns the key of a chain, however it is written; what names none as it is. */
  chainKey(chain: string): string
  find(lookup: ServiceLookup): RegistryAnswer<RegistryEntry>
  /** Returns the MCP servers of one chain or of all that are reached over the network, each once with its chains. */
  mcpServers(chain?: string): RegistryAnswer<ListedMcpServer[]>
  /** Returns a page of those of them that `search` finds, in its order, and what it says about them. */
  findMcpServers(question: McpQuestion): RegistryAnswer<FoundMcpServers>
  /** Returns the nodes of a chain that everybody may call; none for a chain that is not known. */
  publicNodes(chain: string): PublicNode[]
  /** Returns what all services are called; the same list until another registry is active. */
  serviceNames(): readonly ServiceName[]
  /** Returns the categories of all networks together. */
  allCategories(): CategoryName[]
  /** Returns the columns, with their values, by which the services of a chain, a category or both can be filtered. */
  filters(scope: FilterQuestion): RegistryAnswer<FilterColumn[]>
}

interface Named {
  readonly chain?: string | undefined
  readonly category?: string | undefined
}

/** Creates the queries of one index; `nameOf` returns the display name of a network. */
export function createRegistryQueries(
  index: RegistryIndex,
  nameOf: (network: string) => string,
  health: EntryHealth,
): RegistryQueries {
  const entries = createEntryReader(index, health)
  const discovery = createDiscovery(index, entries, nameOf)
  const understand = createUnderstandOf(index, nameOf)
  const placeOf = createChainPlaces(index, nameOf)
  const { chainKey, categoryKey } = createReadNames(index, placeOf, understand)
  const { search, findMcpServers } = createServiceSearch(index, entries, health, { nameOf, understand })
  const filterColumns = createFilterColumns(index, entries)
  /** Programs send an empty text for what they leave out. */
  const keysOf = ({ chain = '', category = '' }: Named) => ({
    chain: chain === '' ? undefined : chainKey(chain),
    subChain: chain === '' ? null : (placeOf(chain)?.subChain ?? null),
    category: category === '' ? undefined : categoryKey(category),
  })

  return {
    discoverNetworks: discovery.networks,
    discoverCategories(input) {
      const parsed = checked(DiscoverCategoriesInput, input)
      return parsed.ok ? discovery.categories(chainKey(parsed.value.chain)) : parsed
    },
    search(input) {
      const parsed = checked(SearchInput, input)
      return parsed.ok ? search({ ...parsed.value, ...keysOf(parsed.value) }) : parsed
    },
    chainKey,
    find: createFindService(index, entries, chainKey),
    mcpServers: discovery.mcpServers,
    findMcpServers: (question) => findMcpServers({ ...question, ...keysOf({ chain: question.chain }) }),
    publicNodes: createPublicNodes(index, entries),
    serviceNames: createServiceNames(index),
    allCategories: discovery.allCategories,
    filters: (scope) => filterColumns({ ...scope, ...keysOf(scope) }),
  }
}

/** Validates an input. The refusal names each field that is not valid and what is expected, never the value sent. */
function checked<Schema extends z.ZodMiniType>(
  schema: Schema,
  input: unknown,
): RegistryAnswer<z.output<Schema>> {
  const parsed = z.safeParse(schema, input ?? {})
  if (parsed.success) return answered(parsed.data)
  const invalid = findInvalid(schema, input ?? {})
  const said = invalid.map(({ path, message }) => `${path.join('.')}: ${message}`)
  const at = invalid.map(({ path }) => path)
  return refused('invalid_arguments', said.slice(0, 5).join('; '), [], at)
}
