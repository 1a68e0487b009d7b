import { definedOf } from '../../../shared/fields.ts'
import { ListMcpsArguments, type NextAction, mcpListLimits } from '../../../shared/gateway.ts'
import { type ListedMcpServer, searchLimits } from '../../../shared/registry.ts'
import type { RegistryQueries } from '../../registry/registry.ts'
import {
  type NextActions,
  detailsAction,
  discoverNetworksAction,
  executeAction,
  findServices,
  preferring,
  toolServerActions,
} from '../next-actions.ts'
import { withoutRefused } from '../corrected-arguments.ts'
import { toolListing } from '../tool-result.ts'
import { registryToolRefusal } from '../tools/registry-refusal.ts'
import { widerSearches } from '../tools/wider-searches.ts'
import { operation } from './operation.ts'

/** Lists the registry's reachable tool servers, page by page: the same search as `search`. */
export const listMcps = operation(
  ListMcpsArguments,
  ({ chain, query, limit, offset }, _call, { registry }) => {
    const asked = { chain, query }
    const found = registry.findMcpServers({ ...asked, limit, offset })
    if (!found.ok) return registryToolRefusal(found.refusal)
    const { servers, total, note } = found.value
    const next = servers.length > 0 && offset + servers.length < total ? offset + servers.length : null
    const [first] = servers
    return toolListing({
      mcps: servers.map(shown),
      total,
      next_offset: next,
      ...(note !== null && { note }),
      next_actions: [
        ...(first === undefined ? nothingListed(total, asked, registry) : usesOf(first, chain)),
        ...(next === null ? [] : [pageAction({ ...asked, limit, offset: next }, 'lists the next ones')]),
      ],
    })
  },
  {
    afterInvalid: ({ chain, query, limit, offset }, refused) => [
      pageAction(
        withoutRefused({ chain, query, limit, offset }, refused, mcpListLimits),
        'asks the same with what was wrong corrected or left out',
      ),
    ],
  },
)

/** The chains are as many as `search` lists. */
const shown = ({ service_id, chains, ...server }: ListedMcpServer) => ({
  service_id,
  chains: chains.slice(0, searchLimits.networks),
  ...(chains.length > searchLimits.networks && { chain_count: chains.length }),
  ...server,
  execute_hint: { operation: 'connect_mcp', service_id },
})

interface Asked {
  readonly chain: string | undefined
  readonly query: string | undefined
}

const pageAction = (args: Readonly<Record<string, unknown>>, reason: string): NextAction =>
  executeAction('list_mcps', definedOf(args), reason)

function nothingListed(total: number, asked: Asked, registry: RegistryQueries): NextActions {
  if (total > 0) return [pageAction({ ...asked }, 'lists the first ones')]
  return preferring(widerSearches({ ...asked, category: 'mcpservers' }, registry), [
    pageAction({}, 'lists all tool servers'),
    discoverNetworksAction,
    findServices,
  ])
}

function usesOf(
  server: Pick<ListedMcpServer, 'service_id' | 'chains' | 'authRequired' | 'credentialKey'>,
  chain = server.chains[0],
): NextActions {
  const entry = { service_id: server.service_id, chain }
  return [detailsAction(entry), ...toolServerActions(entry, server)]
}
