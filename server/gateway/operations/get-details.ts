import { ServiceArguments, type NextAction } from '../../../shared/gateway.ts'
import type { RegistryEntry } from '../../../shared/registry.ts'
import { toolAnswer } from '../tool-result.ts'
import { findService } from './find-target.ts'
import { operation } from './operation.ts'

/** Returns everything that the registry knows about a service. */
export const getDetails = operation(ServiceArguments, (given, call, dependencies) => {
  const found = findService(given, call, dependencies)
  if (!found.ok) return found.refused
  return toolAnswer({ ...found.details, next_actions: nextActions(found.details) })
})

function nextActions({ service_id, chain, mcp, links }: RegistryEntry): NextAction[] {
  const actions: NextAction[] = []
  const named = { tool: 'execute', arguments: { service_id, chain } } as const
  if (mcp !== null)
    actions.push({ ...named, operation: 'connect_mcp', reason: 'connects to this tool server' })
  if (links.length > 0) actions.push({ ...named, operation: 'open_actions', reason: 'lists its links' })
  return actions
}
