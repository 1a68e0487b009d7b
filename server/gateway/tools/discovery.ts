import { definedOf, isFields } from '../../../shared/fields.ts'
import {
  DiscoverCategoriesInput,
  DiscoverCategoriesOutput,
  DiscoverNetworksInput,
  DiscoverNetworksOutput,
  SearchInput,
  SearchOutput,
  searchLimits,
} from '../../../shared/registry.ts'
import type { NextAction } from '../../../shared/gateway.ts'
import type { RegistryQueries } from '../../registry/registry.ts'
import {
  type NextActions,
  detailsAction,
  discoverNetworksAction,
  findServices,
  preferring,
  searchAction,
  toolServerActions,
} from '../next-actions.ts'
import { correctedSearch } from '../corrected-arguments.ts'
import { type ToolResult, toolListing } from '../tool-result.ts'
import { inputSchemaOf, outputSchemaOf } from './json-schemas.ts'
import { registryToolRefusal } from './registry-refusal.ts'
import { sessionOfCall } from './session-of-call.ts'
import { widerSearches } from './wider-searches.ts'
import type { GatewayTool } from './tool.ts'

const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

export const discoverNetworks: GatewayTool = {
  definition: {
    name: 'discover_networks',
    title: 'Discover networks',
    description:
      'Lists the blockchains of the registry: canonical lowercase chain keys with the number of services on each. Start here.',
    inputSchema: inputSchemaOf(DiscoverNetworksInput),
    outputSchema: outputSchemaOf(DiscoverNetworksOutput),
    annotations,
  },
  run(_given, _call, { registry }) {
    const found = registry.discoverNetworks()
    return toolListing({ ...found, next_actions: afterNetworks(found) })
  },
}

export const discoverCategories: GatewayTool = {
  definition: {
    name: 'discover_categories',
    title: 'Discover categories',
    description:
      'Lists the categories of services on one chain (apis, explorers, ramps, oracles, bridges, wallets, security, mcpservers) with the number of services in each.',
    inputSchema: inputSchemaOf(DiscoverCategoriesInput),
    outputSchema: outputSchemaOf(DiscoverCategoriesOutput),
    annotations,
  },
  run(given, _call, { registry }) {
    const found = registry.discoverCategories(given)
    if (!found.ok) return registryToolRefusal(found.refusal, [discoverNetworksAction])
    return toolListing({ ...found.value, next_actions: afterCategories(found.value) })
  },
}

export const search: GatewayTool = {
  definition: {
    name: 'search',
    title: 'Search services',
    description:
      'Finds Web3 services by words, chain, category, tags and filters, the best match first. filters takes columns of the registry, and health (UP, DOWN, LATENCY, UNKNOWN) for services that are monitored here. execute_hint says what to do with a result.',
    inputSchema: inputSchemaOf(SearchInput, {
      filters: {
        type: 'object',
        additionalProperties: true,
        description: 'by column: a value, a list of values, {min, max} or {from, to}',
      },
    }),
    outputSchema: outputSchemaOf(SearchOutput),
    annotations,
  },
  run(given, call, { registry, sessions, searchCache }) {
    const handle = typeof given.session === 'string' ? given.session : undefined
    const session = sessionOfCall(sessions, call, handle)
    if ('kind' in session) return session
    const outcome = searchCache.getOrCompute(questionOf(given), () =>
      searched(withoutPrototype(given), registry),
    )
    // Which of several services of one id is meant later.
    const chain = typeof given.chain === 'string' ? given.chain.trim() : ''
    if (outcome.kind === 'answer' && chain !== '' && session.current !== null) {
      session.current.chain = registry.chainKey(chain)
    }
    return outcome
  },
}

/** Returns the cache key: the arguments that determine the result. */
const questionOf = ({ query, chain, category, tags, filters, limit, offset }: SearchArguments): string =>
  JSON.stringify([query, chain, category, tags, filters, limit, offset])

type SearchArguments = Readonly<Record<string, unknown>>

/** `__proto__` is the one name that schemas pass over in filters: nobody has refused it, and no answer may repeat it. */
function withoutPrototype(given: SearchArguments): SearchArguments {
  if (!isFields(given.filters)) return given
  const filters = Object.entries(given.filters).filter(([name]) => name !== '__proto__')
  return { ...given, filters: Object.fromEntries(filters) }
}

function searched(given: SearchArguments, registry: RegistryQueries): ToolResult {
  const found = registry.search(given)
  if (!found.ok) {
    const { code } = found.refusal
    const corrected = correctedSearch(given, found.refusal, registry)
    const others: NextActions = [code === 'unknown_chain' ? discoverNetworksAction : findServices]
    return registryToolRefusal(found.refusal, preferring(corrected === null ? [] : [corrected], others))
  }
  return toolListing({ ...found.value, next_actions: afterSearch(found.value, given, registry) })
}

function afterNetworks({ networks }: DiscoverNetworksOutput): NextActions {
  const [largest] = networks.toSorted((one, other) => other.services - one.services)
  if (largest === undefined) return [findServices]
  const { chain } = largest
  const reason = 'lists the categories of this chain, which has the most services'
  return [{ tool: 'discover_categories', arguments: { chain }, reason }, findServices]
}

function afterCategories({ chain, categories }: DiscoverCategoriesOutput): NextActions {
  const [first] = categories
  if (first === undefined) return [discoverNetworksAction]
  const { category } = first
  return [searchAction({ chain, category }, `finds services of the category ${category} on this chain`)]
}

function afterSearch(
  { results, total, next_offset: offset }: SearchOutput,
  given: SearchArguments,
  registry: RegistryQueries,
): NextActions {
  const [best] = results
  if (best === undefined) return afterNothing(total, given, registry)
  const { service_id, chain: bestChain, execute_hint: hint } = best
  const entry = { service_id, chain: bestChain }
  return [
    detailsAction(entry),
    ...(hint?.operation === 'connect_mcp' ? toolServerUses(entry, registry) : []),
    ...(offset === null || offset > searchLimits.maxOffset ? [] : [nextPage(given, offset)]),
  ]
}

function afterNothing(total: number, given: SearchArguments, registry: RegistryQueries): NextActions {
  const asked = askedIn(given)
  if (total > 0) return [searchAction(asked, 'finds the first ones')]
  return preferring(widerSearches(asked, registry), [findServices, discoverNetworksAction])
}

const nextPage = (given: SearchArguments, offset: number): NextAction =>
  searchAction(definedOf({ ...askedIn(given), limit: given.limit, offset }), 'finds the next ones')

/** Returns what was asked as it was understood: what nobody looked at may be a secret. */
function askedIn(given: SearchArguments) {
  const { query, chain, category, tags, filters } = SearchInput.parse(given)
  return definedOf({ query, chain, category, tags, filters })
}

function toolServerUses(entry: { service_id: string; chain: string }, registry: RegistryQueries) {
  const found = registry.find({ serviceId: entry.service_id, chain: entry.chain })
  return found.ok && found.value.mcp !== null ? toolServerActions(entry, found.value.mcp) : []
}
