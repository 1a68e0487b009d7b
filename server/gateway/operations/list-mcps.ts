import { ListMcpsArguments, type NextAction } from '../../../shared/gateway.ts'
import {
  type NextActions,
  detailsAction,
  discoverNetworksAction,
  executeAction,
  findServices,
  toolServerActions,
} from '../next-actions.ts'
import { toolAnswer } from '../tool-result.ts'
import { registryToolRefusal } from '../tools/registry-refusal.ts'
import { operation } from './operation.ts'

/** Lists the registry's reachable tool servers, page by page: the same search as `search`. */
export const listMcps = operation(
  ListMcpsArguments,
  ({ chain, query, limit, offset }, _call, { registry }) => {
    const listed = registry.mcpServers(chain, query)
    if (!listed.ok) return registryToolRefusal(listed.refusal)
    const page = listed.value.slice(offset, offset + limit)
    const total = listed.value.length
    const next = page.length > 0 && offset + page.length < total ? offset + page.length : null
    const asked = { ...(chain !== undefined && { chain }), ...(query !== undefined && { query }) }
    const [first] = page
    return toolAnswer({
      mcps: page.map((server) => ({
        ...server,
        execute_hint: { operation: 'connect_mcp', service_id: server.service_id },
      })),
      total,
      next_offset: next,
      next_actions: [
        ...(first === undefined
          ? nothingListed(offset > 0 && total > 0 ? asked : null)
          : usesOf(first, chain)),
        ...(next === null ? [] : [pageAction({ ...asked, limit, offset: next }, 'lists the next ones')]),
      ],
    })
  },
)

const pageAction = (args: Readonly<Record<string, unknown>>, reason: string): NextAction =>
  executeAction('list_mcps', args, reason)

/** `asked`: the question that has results on another page; null where it has none. */
const nothingListed = (asked: Readonly<Record<string, unknown>> | null): NextActions =>
  asked === null
    ? [pageAction({}, 'lists all tool servers'), discoverNetworksAction, findServices]
    : [pageAction(asked, 'lists the first ones')]

function usesOf(
  server: Readonly<{
    service_id: string
    chains: readonly string[]
    authRequired: boolean
    credentialKey: string | null
  }>,
  chain = server.chains[0],
): NextActions {
  const entry = { service_id: server.service_id, chain }
  return [detailsAction(entry), ...toolServerActions(entry, server)]
}
