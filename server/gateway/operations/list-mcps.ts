import { ListMcpsArguments } from '../../../shared/gateway.ts'
import type { ListedMcpServer } from '../../../shared/registry.ts'
import { toolAnswer } from '../tool-result.ts'
import { registryToolRefusal } from '../tools/registry-refusal.ts'
import { operation } from './operation.ts'

/** Lists the registry's reachable tool servers, page by page. */
export const listMcps = operation(
  ListMcpsArguments,
  ({ chain, query = '', limit, offset }, _call, { registry }) => {
    const listed = registry.mcpServers(chain)
    if (!listed.ok) return registryToolRefusal(listed.refusal)
    const found = listed.value.filter((server) => isAbout(server, query))
    const page = found.slice(offset, offset + limit)
    const next = offset + page.length
    return toolAnswer({
      mcps: page.map((server) => ({
        ...server,
        execute_hint: { operation: 'connect_mcp', service_id: server.service_id },
      })),
      total: found.length,
      next_offset: page.length > 0 && next < found.length ? next : null,
      next_actions: [
        { tool: 'execute', operation: 'connect_mcp', reason: 'connects to one of them, by its service_id' },
        {
          tool: 'bind_credentials_bag',
          reason: 'first, where authRequired is true: the secret belongs under its credentialKey',
        },
      ],
    })
  },
)

/** Returns true when every word of the query occurs in the listed fields. */
function isAbout({ service_id, provider, title, summary }: ListedMcpServer, query: string): boolean {
  const text = [service_id, provider, title, summary].join('\n').toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
