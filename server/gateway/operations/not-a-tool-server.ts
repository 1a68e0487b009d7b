import type { RegistryEntry } from '../../../shared/registry.ts'
import { type Refused, refuse } from '../outcome.ts'

export const notAToolServer = ({ service_id, chain }: RegistryEntry): Refused =>
  refuse(
    'not_a_tool_server',
    `${service_id} is no tool server that can be reached over the network: connect_mcp works with those that list_mcps lists`,
    [
      { tool: 'execute', operation: 'list_mcps', reason: 'lists the tool servers' },
      {
        tool: 'execute',
        operation: 'get_details',
        arguments: { service_id, chain },
        reason: 'shows how this service is used',
      },
    ],
    { service_id, chain },
  )
