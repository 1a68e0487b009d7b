import {
  DiscoverCategoriesInput,
  DiscoverCategoriesOutput,
  DiscoverNetworksInput,
  DiscoverNetworksOutput,
  SearchInput,
  SearchOutput,
} from '../../../shared/registry.ts'
import type { RegistryAnswer } from '../../../shared/registry.ts'
import { type ToolResult, toolAnswer } from '../tool-result.ts'
import { inputSchemaOf, outputSchemaOf } from './json-schemas.ts'
import { registryToolRefusal } from './registry-refusal.ts'
import { sessionOfCall } from './session-of-call.ts'
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
    annotations: { title: 'Discover networks', ...annotations },
  },
  run: (_given, _call, { registry }) => toolAnswer(registry.discoverNetworks()),
}

export const discoverCategories: GatewayTool = {
  definition: {
    name: 'discover_categories',
    title: 'Discover categories',
    description:
      'Lists the categories of services on one chain (apis, explorers, ramps, oracles, bridges, wallets, security, mcpservers) with the number of services in each.',
    inputSchema: inputSchemaOf(DiscoverCategoriesInput),
    outputSchema: outputSchemaOf(DiscoverCategoriesOutput),
    annotations: { title: 'Discover categories', ...annotations },
  },
  run: (given, _call, { registry }) => answerOf(registry.discoverCategories(given)),
}

export const search: GatewayTool = {
  definition: {
    name: 'search',
    title: 'Search services',
    description:
      'Finds Web3 services by words, chain, category, tags and filters, the best match first. filters takes columns of the registry, and health (UP, DOWN, LATENCY, UNKNOWN) for services that are monitored here. Each result says in execute_hint what to do with it.',
    inputSchema: inputSchemaOf(SearchInput),
    outputSchema: outputSchemaOf(SearchOutput),
    annotations: { title: 'Search services', ...annotations },
  },
  run(given, call, { registry, sessions, searchCache }) {
    const handle = typeof given.session === 'string' ? given.session : undefined
    const session = sessionOfCall(sessions, call, handle)
    if ('kind' in session) return session
    const outcome = searchCache.getOrCompute(questionOf(given), () => answerOf(registry.search(given)))
    // Which of several services of one id is meant later.
    if (outcome.kind === 'answer' && typeof given.chain === 'string' && session.current !== null) {
      session.current.chain = given.chain
    }
    return outcome
  },
}

/** Returns the cache key: the arguments that determine the result. */
const questionOf = ({ query, chain, category, tags, filters, limit, offset }: SearchArguments): string =>
  JSON.stringify([query, chain, category, tags, filters, limit, offset])

type SearchArguments = Readonly<Record<string, unknown>>

const answerOf = (found: RegistryAnswer<Readonly<Record<string, unknown>>>): ToolResult =>
  found.ok ? toolAnswer(found.value) : registryToolRefusal(found.refusal)
